"""Draft trees: the list of them, which rule allows which, and their shapes before anything is known of their tokens.

To choose a topology needs no torch; to work out a shape does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ..rules.registry import TRAITS

if TYPE_CHECKING:
    from ..settings import Settings
    from .rank_distribution import RankDistribution


@dataclass(frozen=True)
class Topology:
    """A kind of draft tree."""

    description: str
    branching: Callable[[Settings], tuple[int, ...]] | None = None
    """children of every vertex, level by level; None where the shape is not regular: `draft_tokens` vertices, placed by their worth"""
    while_drafting: bool = False
    """the shape depends on what was drafted"""


def _chains(settings: Settings) -> tuple[int, ...]:
    count = min(settings.sequences, settings.draft_tokens)
    return (count, *(1,) * (settings.draft_tokens // count - 1))


TREES: dict[str, Topology] = {
    "sequence": Topology("a chain: every drafted token continues the one before it", lambda settings: (1,) * settings.draft_tokens),
    "batch": Topology("all drafted tokens compete for the next position", lambda settings: (settings.draft_tokens,)),
    "multi_sequence": Topology("several chains from the root, draft_tokens / sequences long each", _chains),
    "specinfer": Topology(
        "every vertex at depth d has branching[d] children; the branching says how many tokens are drafted",
        lambda settings: settings.branching,
    ),
    "tau_star": Topology("the tree with the most expected accepted tokens under the measured rank law"),
    "dynamic": Topology(
        "best first, shaped while it is drafted by what the draft's arrival times tell",
        while_drafting=True,
    ),
}
"""name -> topology"""

TOPOLOGIES: dict[str, str] = {name: topology.description for name, topology in TREES.items()}
"""name -> short description"""


def refusal(algorithm: str, topology: str) -> str | None:
    """Why a rule cannot run on a topology; None where it can."""
    if is_allowed(algorithm, topology):
        return None
    allowed = ", ".join(name for name in TREES if is_allowed(algorithm, name))
    if TRAITS[algorithm].most_children == 1:
        why = f"{algorithm} decides about one drafted token per vertex"
    elif not TRAITS[algorithm].exact_on_any_shape:
        why = f"the shape would depend on the drafted tokens, and then the output of {algorithm} is no longer distributed as the target's"
    else:
        why = f"the draft of {algorithm} has no order of all tokens to grow the tree by"
    return f"topology must be one of {allowed} for {algorithm}, got {topology!r}: {why}"


def is_allowed(algorithm: str, topology: str) -> bool:
    """Does the rule make sense, and stay what it claims to be, on this topology?"""
    traits = TRAITS[algorithm]
    if not traits.drafts or topology == "sequence":
        return True
    if traits.most_children == 1:
        return False
    return not TREES[topology].while_drafting or (traits.exact_on_any_shape and traits.ordered)


@dataclass(frozen=True)
class Shape:
    """Slots of a draft tree, level by level: parents before children, siblings in order of rank."""

    parents: tuple[int, ...]
    """-1 for the children of the root"""
    ranks: tuple[int, ...]
    expected: float = 1.0
    """tokens per call expected under the rank law it was asked for with: 1 + expected accepted"""

    def children(self) -> Mapping[int, list[int]]:
        """The child slots of every slot that has some, and of the root, -1."""
        return _children(self.parents)


@lru_cache(maxsize=64)
def _children(parents: tuple[int, ...]) -> Mapping[int, list[int]]:
    """Step for step the shape is mostly the same."""
    table: dict[int, list[int]] = {}
    for slot, parent in enumerate(parents):
        table.setdefault(parent, []).append(slot)
    return table


def shape_of(settings: Settings, law: RankDistribution, max_depth: int | None = None) -> Shape:
    """The shape of the settings' topology, cut below `max_depth` (0: nothing is drafted). Not for `dynamic`, which has none beforehand."""
    from ..theory import tau_star  # late: the formulas need torch, to choose a topology does not

    k = settings.vertices
    if max_depth is None:
        max_depth = k
    if max_depth < 1 or not k:
        return Shape((), ())
    regular = TREES[settings.topology].branching
    if regular is None:
        parents, ranks, accepted = tau_star(law.probabilities(k), k, max_depth)
        return by_level(parents, ranks, 1 + accepted)
    shape = regular_shape(regular(settings)[:max_depth])
    return replace(shape, expected=expected_of(shape, law))


def expected_of(shape: Shape, law: RankDistribution) -> float:
    """Tokens per call expected of a shape under a rank law: 1 + expected accepted."""
    from ..theory import expected_accepted  # late, as above

    return 1 + expected_accepted(shape.parents, shape.ranks, law.probabilities(max(shape.ranks)))


def size_of(branching: Sequence[int]) -> int:
    """The vertices of a regular tree without its root."""
    return sum(math.prod(branching[: level + 1]) for level in range(len(branching)))


@lru_cache(maxsize=64)
def regular_shape(branching: tuple[int, ...]) -> Shape:
    """The tree in which every vertex at depth d has branching[d] children."""
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
    depths: list[int] = []
    for parent in parents:
        depths.append(1 if parent < 0 else depths[parent] + 1)
    order = sorted(range(len(parents)), key=lambda v: depths[v])
    number = {old: new for new, old in enumerate(order)} | {-1: -1}
    return Shape(tuple(number[parents[v]] for v in order), tuple(ranks[v] for v in order), expected)
