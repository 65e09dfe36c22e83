"""The figures of a run, added up step by step."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..costs import Costs
from ..draft_tree import NO_TOKEN
from ..formatting import rounded
from .step import NOT_REACHED, REJECTED

if TYPE_CHECKING:
    from .step import Step, Visit

LAST_RANK = 6
"""Ranks from this one on are counted together in displays."""
CHANCE_ERRORS = 1.96
"""Standard errors to either side of a probability that hold 95% of the measured shares."""


def chance_range(probability: float, trials: int) -> tuple[float, float]:
    """Where chance alone puts 95% of the shares measured in this many trials, by binomial standard errors, from 0 to 1."""
    margin = CHANCE_ERRORS * math.sqrt(max(0.0, probability * (1 - probability)) / trials)
    return max(0.0, probability - margin), min(1.0, probability + margin)


@dataclass
class Statistics:
    """Running figures of a run; call `add` for each step."""

    steps: int = 0
    tokens: int = 0
    drafted: int = 0
    """nodes of the trees, all scored by the target"""
    accepted: int = 0
    rejected: int = 0
    not_reached: int = 0
    """of the drafted tokens, as `Step.states`"""
    draft_ms: float = 0.0
    target_ms: float = 0.0
    verify_ms: float = 0.0
    visits: int = 0
    """visited nodes of the text that had children"""
    visits_accepted: int = 0
    predicted: float = 0.0
    """sum of the predicted acceptance, over the visits that have a prediction"""
    visits_predicted: int = 0
    variance: float = 0.0
    """of the number of accepted visits, if every prediction holds: sum of p (1 - p)"""
    optimum: float = 0.0
    """sum of `Visit.optimum`, over the visits that have one"""
    visits_bounded: int = 0
    tv: float = 0.0
    """sum of TV(P, Q) over the visits with children; for standard decoding the expected number of rejections (arXiv 2411.00841)"""
    bias: float = 0.0
    """sum of the TV that a lenient rule adds; a token that was not drafted adds nothing"""
    ranks: Counter[int] = field(default_factory=Counter)
    """accepted children by rank among their siblings"""
    draft_calls: int = 0
    """drafted levels, which are sequential draft calls"""
    deepest: int = 0
    """depth of the deepest tree"""
    steady_ms: float = 0.0
    """milliseconds of all steps but the first, which also reads the prompt"""
    steady_tokens: int = 0
    """tokens of those steps"""
    steady_draft_ms: float = 0.0
    steady_target_ms: float = 0.0
    """milliseconds of the draft and of target calls in those steps"""
    call_sizes: Counter[int] = field(default_factory=Counter)
    """tokens scored by a call, including the last one of the text -> number of those calls; for `baseline_ms`"""

    def add(self, step: Step) -> None:
        """Count one more step."""
        self.steps += 1
        self.tokens += len(step.emitted)
        self.drafted += len(step.tokens)
        self.accepted += step.accepted
        states = step.states
        self.rejected += states.count(REJECTED)
        self.not_reached += states.count(NOT_REACHED)
        self.draft_ms += step.draft_ms
        self.target_ms += step.target_ms
        self.verify_ms += step.verify_ms
        self.draft_calls += step.draft_calls
        self.deepest = max([self.deepest, *step.depths])
        if self.steps > 1:
            self.steady_ms += step.ms
            self.steady_tokens += len(step.emitted)
            self.steady_draft_ms += step.draft_ms
            self.steady_target_ms += step.target_ms
            self.call_sizes[1 + len(step.tokens)] += 1
        for visit in step.walk:
            if visit.tries and visit.token != NO_TOKEN:
                self._add_theory(visit)
        self.ranks.update(step.ranks[node] for node in step.path)

    def _add_theory(self, visit: Visit) -> None:
        self.visits += 1
        self.visits_accepted += visit.accepted
        self.tv += visit.tv or 0.0
        self.bias += visit.bias or 0.0
        if visit.predicted is not None:
            self.predicted += visit.predicted
            self.visits_predicted += 1
            self.variance += visit.predicted * (1 - visit.predicted)
        if visit.optimum is not None:
            self.optimum += visit.optimum
            self.visits_bounded += 1

    @property
    def ms_per_token(self) -> float | None:
        """Milliseconds of draft, target call and choice per token, without the first step; None if there is no other."""
        return self.steady_ms / self.steady_tokens if self.steady_tokens else None

    def per_call(self) -> tuple[float, float, float]:
        """Tokens, draft calls and scored tokens per target call, rounded as they are printed: what an expected speed-up depends on."""
        return rounded(self.tokens / self.steps), rounded(self.draft_calls / self.steps), round(self.drafted / self.steps + 1, 3)

    def load(self, costs: Costs) -> float:
        """How many times longer than at load the target calls of this run took: the machine may be busier now.

        The first step is left out, since it also reads the prompt.
        """
        expected = sum(count * costs.target_ms(size) for size, count in self.call_sizes.items())
        return self.steady_target_ms / expected if expected else 1.0

    def baseline_ms(self, costs: Costs) -> float:
        """Milliseconds a token of this run would take without a draft: the cost measured at load, times the load."""
        return costs.one_by_one_ms * self.load(costs)

    @property
    def chance_count(self) -> float:
        """How far chance alone takes the number of accepted visits from its expectation, in 95% of all runs."""
        return CHANCE_ERRORS * math.sqrt(max(0.0, self.variance))

    @property
    def rejections(self) -> int:
        """Visits whose children were all rejected."""
        return self.visits - self.visits_accepted

    def accepted_by_rank(self) -> dict[str, int]:
        """Accepted children by rank: "1", "2", …, and "6+" for all from LAST_RANK on. They add up to the accepted tokens."""
        first = {str(rank): self.ranks[rank] for rank in range(1, LAST_RANK)}
        return {**first, f"{LAST_RANK}+": sum(count for rank, count in self.ranks.items() if rank >= LAST_RANK)}

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data.

        Acceptances are means over the visits with children, or None: by rank, observed, predicted, and the optimum. `bias` is the mean
        TV added per token, `bias_drafted` per visit with children. Tokens per second leave out the first step, as `ms_per_token` does;
        milliseconds include it.
        """
        return {
            "steps": self.steps,
            "tokens": self.tokens,
            "drafted": self.drafted,
            "accepted": self.accepted,
            "rejected": self.rejected,
            "not_reached": self.not_reached,
            "from_target": self.tokens - self.accepted,
            "tokens_per_call": self.tokens / self.steps if self.steps else 0.0,
            "acceptance_by_rank": {str(rank): self.ranks[rank] / self.visits for rank in sorted(self.ranks)},
            "acceptance": self.visits_accepted / self.visits if self.visits else None,
            "predicted_acceptance": self.predicted / self.visits_predicted if self.visits_predicted else None,
            "optimal_acceptance": self.optimum / self.visits_bounded if self.visits_bounded else None,
            "rejections": self.rejections,
            "tv_sum": self.tv,
            "bias": self.bias / self.tokens if self.tokens else None,
            "bias_drafted": self.bias / self.visits if self.visits else None,
            "tokens_per_second": 1000 / self.ms_per_token if self.ms_per_token else None,
            "draft_ms": self.draft_ms,
            "target_ms": self.target_ms,
            "verify_ms": self.verify_ms,
        }


def statistics(steps: Iterable[Step]) -> Statistics:
    """The figures of all `steps`."""
    total = Statistics()
    for step in steps:
        total.add(step)
    return total
