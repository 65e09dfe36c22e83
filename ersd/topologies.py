"""The shape of a draft tree: which vertices are drafted, before anything is known of their tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .theory import tau_star


@dataclass(frozen=True)
class Shape:
    """Slots of a draft tree, level by level: parents before children, siblings in order of rank."""

    parents: tuple[int, ...]
    """-1 for the children of the root"""
    ranks: tuple[int, ...]
    expected: float | None = None
    """tokens per call expected when the shape was chosen, where the choice rests on an expectation"""

    def children(self) -> dict[int, list[int]]:
        """The child slots of every slot that has some, and of the root, -1."""
        table: dict[int, list[int]] = {}
        for slot, parent in enumerate(self.parents):
            table.setdefault(parent, []).append(slot)
        return table


class RankLaw:
    """The law of R, the place in the draft's order of the child that is accepted, measured while generating.

    Kept as hazards: h_j is the chance that the j-th child is accepted when those before it were not. So a visit whose rank is only known
    to be beyond the children drafted counts for what it shows. Prior: h_j = 0.6 j^-0.65, worth PRIOR_VISITS visits that reach rank j
    (a typical small pair; it gives 0.60, 0.15, 0.07, 0.04, ...).
    """

    PRIOR_VISITS = 16
    LAST_RANK = 256

    def __init__(self) -> None:
        self._reached: Counter[int] = Counter()
        self._accepted: Counter[int] = Counter()

    def observe(self, rank: int | None, tried: int) -> None:
        """A visit: the rank found, or None if all `tried` children were rejected and no more is known."""
        self._reached.update(range(1, min(tried if rank is None else rank, self.LAST_RANK) + 1))
        if rank is not None:
            self._accepted[rank] += 1

    def probabilities(self, count: int) -> list[float]:
        """P(R = 1) ... P(R = count), then the rest, P(R > count). Sums to 1."""
        law, left = [], 1.0
        for j in range(1, count + 1):
            prior = 0.6 * j**-0.65
            hazard = (self.PRIOR_VISITS * prior + self._accepted[j]) / (self.PRIOR_VISITS + self._reached[j])
            law.append(left * hazard)
            left -= law[-1]
        return [*law, max(0.0, left)]


def shape_of(topology: str, k: int, max_depth: int, law: RankLaw) -> Shape:
    """The shape of `topology` with k vertices, cut below `max_depth` (0: nothing is drafted)."""
    if max_depth < 1:
        return Shape((), ())
    if topology == "sequence":
        length = min(k, max_depth)
        return Shape(tuple(range(-1, length - 1)), (1,) * length)
    if topology == "batch":
        return Shape((-1,) * k, tuple(range(1, k + 1)))
    parents, ranks, accepted = tau_star(law.probabilities(k), k, max_depth)
    return by_level(parents, ranks, 1 + accepted)


def by_level(parents: Sequence[int], ranks: Sequence[int], expected: float | None = None) -> Shape:
    """The same tree renumbered level by level; within a level in the order given."""
    depths: list[int] = []
    for parent in parents:
        depths.append(1 if parent < 0 else depths[parent] + 1)
    order = sorted(range(len(parents)), key=lambda v: depths[v])
    number = {old: new for new, old in enumerate(order)} | {-1: -1}
    return Shape(tuple(number[parents[v]] for v in order), tuple(ranks[v] for v in order), expected)
