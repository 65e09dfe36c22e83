"""Arguments of the formulas: refused with the name and the reason, never repaired."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

TOLERANCE = 1e-4
"""How far from 1 a sum may be: the rounding of float32 at 256,000 tokens (1e-5), not a missing normalisation."""

LEAST = 1e-300
"""Where tokens are drawn without replacement, draft probabilities below count as this, so that times of arrival stay finite."""

Law = Tensor | Sequence[float]
"""A distribution [vocab]: a tensor of any float type, or plain numbers."""


def distribution(name: str, law: Law) -> Tensor:
    """`law` as float64 [vocab] on the CPU; ValueError naming it if it is not a distribution."""
    values = torch.as_tensor(law, dtype=torch.float64, device="cpu")
    if values.ndim != 1 or not len(values):
        raise ValueError(f"{name} must be a distribution [vocab], got a tensor of shape {list(values.shape)}")
    least, total = values.min().item(), values.sum().item()
    if not least >= 0:  # also where it is not a number
        raise ValueError(f"{name} must have no negative entry and none that is not a number, got {least}")
    if not abs(total - 1) <= TOLERANCE:
        raise ValueError(f"{name} must sum to 1, got a sum of {total:.9g}")
    return values


def pair(p: Law, q: Law) -> tuple[Tensor, Tensor]:
    """Target and draft distribution over the same tokens, checked."""
    target, draft = distribution("p", p), distribution("q", q)
    if len(target) != len(draft):
        raise ValueError(f"p and q must have the same length, got {len(target)} and {len(draft)}")
    return target, draft


def count(k: int, name: str = "k") -> int:
    """`k` as a whole number from 1; ValueError otherwise."""
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise ValueError(f"{name} must be a whole number from 1, got {k!r}")
    return k


def rank_law(law: Sequence[float]) -> list[float]:
    """A rank law as floats: non-negative and with sum 1."""
    values = [float(r) for r in law]
    if not values or any(not r >= 0 for r in values) or abs(math.fsum(values) - 1) > TOLERANCE:
        raise ValueError(f"rank_probabilities must be non-negative and sum to 1, got {values}")
    return values
