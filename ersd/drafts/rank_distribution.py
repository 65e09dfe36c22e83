"""The distribution of R, the rank of the accepted child in the draft's order, measured while generating: what trees are built from."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence


def usual_hazard(rank: int) -> float:
    """Prior for a pair and rule without measurements: a typical small pair, rank probabilities 0.60, 0.15, 0.07, 0.04, …"""
    return 0.6 * rank**-0.65


class RankDistribution:
    """The distribution of R, measured while generating.

    Kept as hazards: h_j is the probability that the j-th child is accepted when those before it were not. So a visit whose rank is only
    known to be beyond the children drafted counts for what it shows. Prior: the hazards measured for this rule and pair if there are some
    (worth 64 visits that reach rank j), else `usual_hazard` (worth 16).
    """

    LAST_RANK = 256

    def __init__(self, measured: Sequence[float] = (), prior_visits: int | None = None) -> None:
        """`prior_visits`: weight of the prior, if not as usual."""
        self._measured = list(measured)
        self._prior_visits = prior_visits or (64 if measured else 16)
        self._reached: Counter[int] = Counter()
        self._accepted: Counter[int] = Counter()

    def observe(self, rank: int | None, tried: int) -> None:
        """Count a visit: the rank found, or None if all `tried` children were rejected and no more is known."""
        self._reached.update(range(1, min(tried if rank is None else rank, self.LAST_RANK) + 1))
        if rank is not None:
            self._accepted[rank] += 1

    def probabilities(self, count: int) -> list[float]:
        """P(R = 1) ... P(R = count), then the rest, P(R > count). Sums to 1."""
        weight = self._prior_visits
        return _probabilities([(weight * self._prior(j) + self._accepted[j]) / (weight + self._reached[j]) for j in range(1, count + 1)])

    def hazards(self, count: int | None = None, prior: int = 0) -> list[float]:
        """The measured hazards, up to the last rank seen or to `count`; `prior`: weight in visits of the usual hazards."""
        ranks = range(1, (max(self._reached, default=0) if count is None else count) + 1)
        return [(self._accepted[j] + prior * usual_hazard(j)) / (self._reached[j] + prior) for j in ranks]

    def entropy(self) -> float | None:
        """H[R] in nats as measured, without the prior; None before the first visit."""
        if not self._reached:
            return None
        # ranks at which nothing was accepted take nothing away
        seen = [self._accepted[j] / self._reached[j] for j in sorted(self._accepted) if j in self._reached]
        return -math.fsum(r * math.log(r) for r in _probabilities(seen) if r > 0)

    def prior(self) -> tuple[list[float], int]:
        """The prior hazards, rank 1 first, and the visits each is worth; the last hazard stands for all later ranks."""
        return self._measured or [usual_hazard(rank) for rank in range(1, self.LAST_RANK + 1)], self._prior_visits

    def _prior(self, rank: int) -> float:
        if not self._measured:
            return usual_hazard(rank)
        return self._measured[min(rank, len(self._measured)) - 1]


def _probabilities(hazards: Sequence[float]) -> list[float]:
    found, left = [], 1.0
    for hazard in hazards:
        found.append(left * hazard)
        left -= found[-1]
    return [*found, max(0.0, left)]
