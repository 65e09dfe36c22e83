"""Expected tokens of a call with fewer guesses, and with more, from the ranks accepted in a run. Needs no torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from ..draft_tree import depths_of
from ..drafts.rank_distribution import RankDistribution
from ..rules.registry import TRAITS
from ..settings import Settings
from ..theory.pays import MAX_GUESSES
from ..theory.tau_star import tau_star, vertex_values
from .step import Step

PRIOR_VISITS = 1
"""Weight of the usual hazards: only ranks that the run hardly reached depend on them."""


Largest = tuple[Sequence[int], Sequence[int], list[float]]
"""Parents and ranks of the nodes of a tree, and the rank distribution."""


def _chain(ranks: RankDistribution, tried: int) -> Largest:
    return range(-1, MAX_GUESSES - 1), [1] * MAX_GUESSES, ranks.probabilities(1)


def _batch(ranks: RankDistribution, tried: int) -> Largest:
    return [-1] * tried, range(1, tried + 1), ranks.probabilities(tried)


def _tau_star(ranks: RankDistribution, tried: int) -> Largest:
    probabilities = ranks.probabilities(MAX_GUESSES)
    parents, of_siblings, _ = tau_star(probabilities, MAX_GUESSES)
    return parents, of_siblings, probabilities


LARGEST: dict[str, Callable[[RankDistribution, int], Largest]] = {"sequence": _chain, "batch": _batch, "tau_star": _tau_star}
"""Topology -> its largest tree, whose first n nodes are the tree of n guesses; not listed: those that do not grow guess by guess. From the
ranks of the run and the number of guesses that were drafted."""


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
    if traits.joint or traits.from_leaves or traits.counts_siblings:
        return "This rule decides about all its guesses together, so with fewer of them it would not keep the same tokens."
    if settings.topology not in LARGEST:
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
        parents, ranks, probabilities = LARGEST[self.settings.topology](self.ranks, min(self.settings.vertices, MAX_GUESSES))
        tokens = accumulate(vertex_values(parents, ranks, probabilities), initial=1.0)
        return Sizes(list(tokens), list(accumulate(depths_of(parents), max, initial=0)))
