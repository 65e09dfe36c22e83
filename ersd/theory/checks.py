"""Checks of the formulas' arguments: a bad one is refused by name with the reason, never repaired."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np

TOLERANCE = 1e-4
"""How far from 1 a sum may be: above the rounding of float32 at 256,000 tokens (1e-5), below a missing normalisation."""


class ArrayLike(Protocol):
    """Anything that converts itself to a numpy array, such as an array or a tensor on the CPU."""

    def __array__(self) -> np.ndarray: ...


Distribution = ArrayLike | Sequence[float]
"""Probabilities [vocab]: an array, a tensor of any float type, or plain numbers."""


def distribution(name: str, values: Distribution) -> np.ndarray:
    """`values` as float64 [vocab]; ValueError with the name unless they are a distribution."""
    probabilities = as_float64(values)
    if probabilities.ndim != 1 or not len(probabilities):
        raise ValueError(f"{name} must be a distribution [vocab], got an array of shape {list(probabilities.shape)}")
    least, total = float(probabilities.min()), float(probabilities.sum())
    if not least >= 0:  # also refuses NaN
        raise ValueError(f"{name} must have no negative or NaN entry, got {least}")
    if not abs(total - 1) <= TOLERANCE:
        raise ValueError(f"{name} must sum to 1, got a sum of {total:.9g}")
    return probabilities


def as_float64(values: Distribution) -> np.ndarray:
    """A float64 array of the values. A tensor may be on any device."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().double()
    return np.asarray(values, dtype=np.float64)


def pair(p: Distribution, q: Distribution) -> tuple[np.ndarray, np.ndarray]:
    """Target and draft distribution over the same tokens, as float64 [vocab]."""
    target, draft = distribution("p", p), distribution("q", q)
    if len(target) != len(draft):
        raise ValueError(f"p and q must have the same length, got {len(target)} and {len(draft)}")
    return target, draft


def count(k: int, name: str = "k") -> int:
    """`k`, a whole number of at least 1; ValueError otherwise."""
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise ValueError(f"{name} must be a whole number from 1, got {k!r}")
    return k


def rank_distribution(probabilities: Sequence[float]) -> list[float]:
    """P(R = 1), P(R = 2), … as floats; ValueError unless non-negative with sum 1."""
    values = [float(r) for r in probabilities]
    if not values or any(not r >= 0 for r in values) or abs(math.fsum(values) - 1) > TOLERANCE:
        raise ValueError(f"rank_probabilities must be non-negative and sum to 1, got {values}")
    return values
