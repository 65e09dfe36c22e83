"""Drafting while the target verifies, computed for a run that did not: from the ranks of its tokens and its measured times."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ..costs import Costs
from ..draft_tree import ROOT
from ..drafts.rank_distribution import RankDistribution
from ..rules.registry import TRAITS
from ..settings import Settings
from ..theory.predrafting import outcome_values, place_of, waits
from .step import Step

MAX_OUTCOMES = 64
"""Outcomes that are prepared at most."""


def is_computed_for(settings: Settings) -> bool:
    """Do the ranks of a run with these settings fix what happens? The draft must know the clocks, and run on a device of its own."""
    return TRAITS[settings.algorithm].shares_clocks and settings.source not in ("exit", "routed")


@dataclass(frozen=True)
class Predrafted:
    """The steps of a run from the second on, had the draft prepared them."""

    count: int
    """outcomes prepared while the target verifies"""
    is_prepared: list[bool]
    """whether the outcome before the step was among them"""
    waits_ms: list[float]
    """how long the target waits before the call"""
    drafting_ms: list[float]
    """what preparing takes, beginning with the call before"""

    @property
    def hits(self) -> int:
        """Steps that found their tree prepared."""
        return sum(self.is_prepared)


class OutcomeRecorder:
    """Finds the place of every outcome among those that the draft would have expected; steps come one by one."""

    def __init__(self, costs: Costs) -> None:
        """`costs`: of the pair on the machine of the run, with `draft_ms`."""
        self.level_ms, self.wider_ms = costs.draft_ms or 0.0, costs.wider_ms or 0.0
        self.ranks = RankDistribution()
        """known before a step, so that nothing is expected with hindsight"""
        self.places: list[int] = []
        """of the outcome before every step from the second on, from 1; MAX_OUTCOMES + 1: none that is prepared"""
        self.times: list[tuple[float, float, float, float]] = []
        """of the same steps: drafting, the call before with its choices, preparing one outcome, what each further outcome adds"""
        self._before: Step | None = None
        self._values: np.ndarray | None = None
        """of the outcomes of the step before"""

    def add(self, step: Step) -> None:
        """One more step."""
        children = Counter(step.parents)
        if self._before is not None and self._values is not None:
            self.places.append(self._place(self._before, self._values, step.leaf_rank))
            self.times.append(self._times(self._before, step, len(children)))
        counts = [children[node] for node in range(ROOT, len(step.tokens))]
        probabilities = self.ranks.probabilities(max(counts) + MAX_OUTCOMES)
        self._values = outcome_values(step.parents, step.ranks, counts, probabilities, MAX_OUTCOMES)
        self._before = step
        for visit in step.walk:
            if visit.tries:
                self.ranks.observe(visit.rank, len(visit.tries))

    def _place(self, before: Step, values: np.ndarray, leaf_rank: int | None) -> int:
        last = before.walk[-1]
        rank = (leaf_rank if last.rank is None else last.rank) or 0
        arrival = rank - before.parents.count(last.vertex) - 1
        return place_of(values, 1 + last.vertex, arrival) if 0 <= arrival < MAX_OUTCOMES else MAX_OUTCOMES + 1

    def _times(self, before: Step, step: Step, inner: int) -> tuple[float, float, float, float]:
        """`inner`: nodes with children, the root among them, which are what the draft scores.

        Preparing takes one draft level more than drafting: at a leaf nothing is known of what follows before the draft has scored it.
        """
        if not step.draft_calls:
            return 0.0, before.target_ms + before.verify_ms, 0.0, 0.0
        leaves = len(set(range(len(before.tokens))) - set(before.parents))
        first = step.draft_ms + self.level_ms + max(0, leaves - 1) * self.wider_ms
        return step.draft_ms, before.target_ms + before.verify_ms, first, inner * self.wider_ms

    def with_outcomes(self, count: int, is_wide_free: bool = False) -> Predrafted:
        """The run with so many outcomes prepared. `is_wide_free`: a draft level costs the same for any number of tokens."""
        draft, busy, first, more = np.array(self.times).reshape(-1, 4).T
        prepared = first + (count - 1) * more
        if is_wide_free:
            prepared = np.where(draft > 0, draft + self.level_ms, 0.0)
        is_prepared = np.array(self.places) <= count
        found = waits(draft, busy, prepared, is_prepared)
        return Predrafted(count, is_prepared.tolist(), found.tolist(), prepared.tolist())

    def best(self, is_wide_free: bool = False) -> Predrafted | None:
        """With the number of outcomes that is fastest in this run, the smallest of them; None before there is a second step."""
        if not self.times:
            return None
        every = (self.with_outcomes(count, is_wide_free) for count in range(1, MAX_OUTCOMES + 1))
        return min(every, key=lambda run: round(sum(run.waits_ms), 1))
