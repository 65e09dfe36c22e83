"""Expected tokens of a call with fewer guesses, and with more, from the ranks accepted in a run. Needs no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from ..drafts.rank_distribution import RankDistribution
from ..rules.registry import TRAITS
from ..settings import Settings
from ..theory.pays import MAX_GUESSES
from ..theory.tau_star import tau_star, vertex_values
from .step import Step

COUNTED = ("kseq", "spechub")
"""Rules for which it matters how many children a node has."""
PRIOR_VISITS = 1
"""Weight of the usual hazards: only ranks that the run hardly reached depend on them."""


@dataclass(frozen=True)
class Sizes:
    """Trees of one topology with 0, 1, 2, … guesses: lists with one entry a size. Each has one node more than the one before."""

    tokens: list[float]
    """expected of a call, if the ranks are independent with the distribution measured in the run"""
    levels: list[int]
    """draft calls"""


def refusal(settings: Settings) -> str:
    """Why the guesses of a run cannot be looked at one by one; empty where they can."""
    traits = TRAITS[settings.algorithm]
    if not traits.drafts:
        return "This run has no draft."
    if traits.joint or traits.from_leaves or settings.algorithm in COUNTED:
        return "This rule decides about all its guesses together, so with fewer of them it would not keep the same tokens."
    if settings.topology not in ("sequence", "batch", "tau_star"):
        return "Known for a sequence, a batch and a τ* tree, which grow guess by guess."
    return ""


class GuessCounter:
    """Counts the ranks of a run, step by step. For settings without a `refusal`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.ranks = RankDistribution(prior_visits=PRIOR_VISITS)
        self.visits = 0
        """nodes at which something was tried"""

    def add(self, step: Step) -> None:
        """Count one more step."""
        for visit in step.walk:
            if visit.tries:
                self.visits += 1
                self.ranks.observe(visit.rank, len(visit.tries))

    def sizes(self) -> Sizes | None:
        """Trees of up to MAX_GUESSES guesses, a batch of as many as were drafted; None before anything was tried."""
        if not self.visits:
            return None
        parents, ranks, probabilities = self._largest()
        depths: list[int] = []
        for parent in parents:
            depths.append(1 if parent < 0 else depths[parent] + 1)
        tokens = accumulate(vertex_values(parents, ranks, probabilities), initial=1.0)
        return Sizes(list(tokens), list(accumulate(depths, max, initial=0)))

    def _largest(self) -> tuple[Sequence[int], Sequence[int], list[float]]:
        """Parents and ranks of the largest tree, whose first n nodes are the tree of n guesses, and the rank distribution."""
        topology, tried = self.settings.topology, min(self.settings.vertices, MAX_GUESSES)
        if topology == "sequence":
            return range(-1, MAX_GUESSES - 1), [1] * MAX_GUESSES, self.ranks.probabilities(1)
        if topology == "batch":
            return [-1] * tried, range(1, tried + 1), self.ranks.probabilities(tried)
        probabilities = self.ranks.probabilities(MAX_GUESSES)
        parents, ranks, _ = tau_star(probabilities, MAX_GUESSES)
        return parents, ranks, probabilities
