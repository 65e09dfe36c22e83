"""What a draft tree might give where only chains were logged: an estimate, with the second, third, … guesses of another measurement."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from .pays import MAX_GUESSES, Acceptance
from .speed import speedup
from .tau_star import tau_star, vertex_values

MAX_LEVELS = 16
"""Levels of the deepest tree that is considered."""


@dataclass(frozen=True)
class TreeEstimate:
    """The fastest τ* trees of 1 to MAX_GUESSES guesses."""

    speedups: list[float]
    guesses: int
    """of the fastest of all"""
    levels: int
    """its draft calls"""

    @property
    def best(self) -> float:
        """The speed-up of the fastest of all."""
        return self.speedups[self.guesses - 1]


def tree_estimate(acceptance: Acceptance, later: Sequence[float], target_ms: float, draft_ms: float, row_ms: float = 0.0) -> TreeEstimate:
    """The fastest τ* tree of every size, if all nodes are alike and a draft call costs the same for several tokens as for one.

    Args:
        acceptance: of a chain; the first guess at a node is right as often as the guesses of its drafts that were decided about.
        later: of the nodes at which the first guess is wrong, the share at which the second, third, … is right.
        target_ms, draft_ms, row_ms: as in `pays`.
    """
    decided = 1 + sum(acceptance.rates[:-1])
    ranks = [sum(acceptance.rates) / decided]
    wrong = 1 - ranks[0]
    for share in later:
        ranks.append(min(ranks[-1], share * wrong))  # a later guess is not likelier than one before it
    rest = max(0.0, 1 - sum(ranks))
    fastest = [(0.0, 0)] * MAX_GUESSES
    for levels in range(1, MAX_LEVELS + 1):
        # the best tree of a size has one node more than the one before, so the sums of one tree are the values of all
        parents, numbers, _ = tau_star([*ranks, rest], MAX_GUESSES, levels)
        for k, accepted in enumerate(itertools.accumulate(vertex_values(parents, numbers, [*ranks, rest])), 1):
            speed = speedup(1 + accepted, target_ms, levels * draft_ms, target_ms + k * row_ms)
            fastest[k - 1] = max(fastest[k - 1], (speed, levels), key=lambda choice: choice[0])
    guesses = max(range(1, MAX_GUESSES + 1), key=lambda k: fastest[k - 1][0])
    return TreeEstimate([speed for speed, _ in fastest], guesses, fastest[guesses - 1][1])


def later_guesses(accepted: Sequence[float]) -> list[float]:
    """`later` for `tree_estimate`, from the expected accepted tokens of a batch of 1, 2, … guesses at one node."""
    wrong = 1 - accepted[0]
    return [(after - before) / wrong if wrong > 0 else 0.0 for before, after in itertools.pairwise(accepted)]
