"""Bounds: of the race's first-arrival match, and of the tokens per target call (arXiv 2504.15475)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from . import checks
from .checks import Distribution


def race_bounds(p: Distribution, q: Distribution) -> tuple[float, float]:
    """Lower and upper bound of `race_match`: (1 - TV) / (1 + TV) and 1 - TV (arXiv 2504.15475, section 3).

    1 - TV is also what standard speculative decoding accepts, and at most 1 - D_HM(P, Q). Neither bounds a race with more children.
    """
    target, draft = checks.pair(p, q)
    tv = float(np.abs(target - draft).sum()) / 2
    return (1 - tv) / (1 + tv), 1 - tv


def length_bound(vocab_size: int, k: int, rank_entropy: float) -> float:
    """Upper bound on the expected tokens per target call, (log |Ω| + log(k + 1)) / H[R] (arXiv 2504.15475, section 4).

    It assumes that the rank R of the target's token has the same distribution at every position, independently, and that the tree is
    fixed beforehand. It does not hold where ranks depend on the position (two distributions in turns: 6.00 tokens against a bound of 4.95
    by their mean), for dynamic trees, whose shape depends on the clocks that decide the rank, or for a single run.

    Args:
        vocab_size: |Ω|, at least 1.
        k: drafted tokens, at least 1.
        rank_entropy: H[R] in nats, not negative; 0 gives inf.
    """
    checks.count(vocab_size, "vocab_size")
    checks.count(k)
    if not rank_entropy >= 0:
        raise ValueError(f"rank_entropy must be a number from 0, got {rank_entropy!r}")
    if rank_entropy == 0:
        return math.inf
    return (math.log(vocab_size) + math.log(k + 1)) / rank_entropy


def sequence_limit(p: Distribution, q: Distribution, k: int) -> float:
    """Upper bound on the accepted tokens of one drafted sequence of k, each token drawn from q, the target's distribution always p.

    The sum over lengths i of the sum over sequences of min(P^i, Q^i): i tokens are accepted at most as often as two sequences drawn from
    P^i and Q^i can agree (arXiv 2403.10444, section 4).

    Args:
        p, q: distributions [vocab].
        k: length, at least 1. Time and memory grow as the number of multisets of k tokens.
    """
    target, draft = checks.pair(p, q)
    used = [(a, b) for a, b in zip(target.tolist(), draft.tolist(), strict=True) if a > 0 and b > 0]
    total = 0.0
    for length in range(1, checks.count(k) + 1):
        for counts in _splits(length, len(used)):
            ways = math.factorial(length) / math.prod(map(math.factorial, counts))
            sides = (math.prod(token[side] ** count for token, count in zip(used, counts, strict=True) if count) for side in (0, 1))
            total += ways * min(sides)
    return total


def _splits(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as an ordered sum of `parts` numbers from 0."""
    if parts == 0:
        return
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _splits(total - first, parts - 1):
            yield (first, *rest)
