"""Shapes of draft trees before any token is drafted. Needs no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from ..draft_tree import Shape, depths_of
from ..settings import Settings
from .rank_distribution import RankDistribution
from .topologies import Branching


def shape_of(settings: Settings, ranks: RankDistribution, max_depth: int | None = None) -> Shape:
    """The shape of the settings' topology, cut below `max_depth` (0: nothing is drafted). Not for `dynamic`, which has none beforehand."""
    k = settings.vertices
    if max_depth is None:
        max_depth = k
    if max_depth < 1 or not k:
        return Shape((), ())
    branching = settings.levels
    if branching is None:
        return tau_star_shape(ranks.probabilities(k), k, max_depth)
    shape = regular_shape(branching[:max_depth])
    return replace(shape, expected=expected_tokens(shape, ranks))


def tau_star_shape(rank_probabilities: Sequence[float], k: int, max_depth: int) -> Shape:
    """The tree of k nodes, no deeper than `max_depth`, with the most expected accepted tokens."""
    from ..theory import tau_star

    parents, ranks, accepted = tau_star(rank_probabilities, k, max_depth)
    return by_level(parents, ranks, 1 + accepted)


def expected_tokens(shape: Shape, ranks: RankDistribution) -> float:
    """Expected tokens per call of a shape under a rank distribution: 1 + expected accepted."""
    from ..theory import expected_accepted

    return 1 + expected_accepted(shape.parents, shape.ranks, ranks.probabilities(max(shape.ranks)))


@lru_cache(maxsize=64)  # the same few shapes come every step
def regular_shape(branching: Branching) -> Shape:
    """The tree in which every node at depth d has branching[d] children."""
    parents: list[int] = []
    ranks: list[int] = []
    level = [-1]
    for children in branching:
        first = len(parents)
        for parent in level:
            parents += [parent] * children
            ranks += range(1, children + 1)
        level = list(range(first, len(parents)))
    return Shape(tuple(parents), tuple(ranks))


def by_level(parents: Sequence[int], ranks: Sequence[int], expected: float = 1.0) -> Shape:
    """The same tree renumbered level by level; within a level in the order given."""
    depths = depths_of(parents)
    order = sorted(range(len(parents)), key=lambda node: depths[node])
    number = {old: new for new, old in enumerate(order)} | {-1: -1}
    return Shape(tuple(number[parents[node]] for node in order), tuple(ranks[node] for node in order), expected)
