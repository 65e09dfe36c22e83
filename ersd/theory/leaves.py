"""Expected acceptance of one drafted chain, decided from the root or from its leaf (traversal verification, arXiv 2505.12398)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from . import checks
from .checks import Distribution


@dataclass(frozen=True)
class ChainLevel:
    """What target and draft say at the nodes of one level."""

    p: Sequence[Distribution]
    """by the token before: a distribution each; the root has one"""
    q: Sequence[Distribution]


def root_first_accepted(levels: Sequence[ChainLevel]) -> float:
    """Expected number of guesses kept when each is tried with min(1, p/q) and the first rejection ends the step."""
    return _root_first(levels, 0, 0)


def _root_first(levels: Sequence[ChainLevel], depth: int, before: int) -> float:
    if depth == len(levels):
        return 0.0
    target, draft = checks.pair(levels[depth].p[before], levels[depth].q[before])
    return float(
        sum(min(p, q) * (1 + _root_first(levels, depth + 1, token)) for token, (p, q) in enumerate(zip(target, draft, strict=True)))
    )


def leaf_first_accepted(levels: Sequence[ChainLevel]) -> float:
    """Expected number of guesses kept when the leaf is tried first, with the weight of its whole path; never less than from the root."""
    return _leaf_first(levels, 0, 0, 1.0)[1]


def _leaf_first(levels: Sequence[ChainLevel], depth: int, before: int, weight: float) -> tuple[float, float]:
    """Probability that the node is kept, and the expected number of guesses kept below it, if it has this weight."""
    if depth == len(levels):
        return weight, 0.0
    target, draft = checks.pair(levels[depth].p[before], levels[depth].q[before])
    alone = keep_alone(target, draft, weight)
    kept = below = 0.0
    for token, (p, q) in enumerate(zip(target, draft, strict=True)):
        if not q:
            continue
        child, more = _leaf_first(levels, depth + 1, token, min(1.0, weight * p / q))
        kept += q * (child + (1 - child) * alone)
        below += q * (child + more)
    return float(kept), float(below)


def keep_alone(p: Distribution, q: Distribution, weight: float) -> float:
    """Probability that a node of this weight is kept although the one guess below it failed: S / (S + 1 - w), S = sum (w p - q)+."""
    target, draft = checks.pair(p, q)
    left = float(np.maximum(weight * target - draft, 0).sum())
    return 1.0 if weight >= 1 else left / (left + 1 - weight)
