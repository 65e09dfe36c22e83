"""Draft topologies: their names, which rule allows which, and their shapes before any token is drafted. Needs no torch."""

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

Branching = tuple[int, ...]
"""Children of every node, level by level."""


@dataclass(frozen=True)
class Topology:
    """A kind of draft tree."""

    description: str
    branching: Callable[[int, int, Branching], Branching] | None = None
    """from draft_tokens, sequences and branching of the settings to the tree's own; None for shapes that are not regular: `draft_tokens`
    nodes, chosen by their worth"""
    while_drafting: bool = False
    """the shape depends on what was drafted"""


def _chains(draft_tokens: int, sequences: int, branching: Branching) -> Branching:
    count = min(sequences, draft_tokens)
    return (count, *(1,) * (draft_tokens // count - 1))


TREES: dict[str, Topology] = {
    "sequence": Topology("a chain: every drafted token continues the one before it", lambda draft_tokens, *_: (1,) * draft_tokens),
    "batch": Topology("all drafted tokens compete for the next position", lambda draft_tokens, *_: (draft_tokens,)),
    "multi_sequence": Topology("several chains from the root, draft_tokens / sequences long each", _chains),
    "specinfer": Topology(
        "every vertex at depth d has branching[d] children; the branching says how many tokens are drafted",
        lambda draft_tokens, sequences, branching: branching,
    ),
    "tau_star": Topology("the tree with the most expected accepted tokens under the measured rank distribution"),
    "dynamic": Topology("best first, shaped while it is drafted by the draft's arrival times", while_drafting=True),
}
"""name -> topology"""

TOPOLOGIES: dict[str, str] = {name: topology.description for name, topology in TREES.items()}
"""name -> short description"""


def register(name: str, topology: Topology) -> None:
    """Make a topology known to settings, page and terminal, also one defined outside this package."""
    TREES[name] = topology
    TOPOLOGIES[name] = topology.description


def refusal(algorithm: str, topology: str) -> str | None:
    """Why a rule cannot run on a topology; None where it can."""
    if is_allowed(algorithm, topology):
        return None
    allowed = [name for name in TREES if is_allowed(algorithm, name)]
    if TRAITS[algorithm].most_children == 1:
        why = f"{algorithm} decides about one drafted token per vertex"
    elif not TRAITS[algorithm].exact_on_any_shape:
        why = f"the shape would depend on the drafted tokens, and then the output of {algorithm} is no longer distributed as the target's"
    else:
        why = f"the draft of {algorithm} has no order of all tokens to grow the tree by"
    named = f"{'one of ' if len(allowed) > 1 else ''}{', '.join(allowed)}"
    return f"topology must be {named} for {algorithm}, got {topology!r}: {why}"


def is_allowed(algorithm: str, topology: str) -> bool:
    """Does the rule make sense, and stay what it claims to be, on this topology?"""
    traits = TRAITS[algorithm]
    if not traits.drafts or topology == "sequence":
        return True
    if traits.most_children == 1:
        return False
    return not TREES[topology].while_drafting or (traits.exact_on_any_shape and traits.ordered)


# --- shapes -----------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shape:
    """Slots of a draft tree, level by level: parents before children, siblings in order of rank."""

    parents: tuple[int, ...]
    """-1 for the children of the root"""
    ranks: tuple[int, ...]
    expected: float = 1.0
    """expected tokens per call under the rank distribution it was built with: 1 + expected accepted"""

    def children(self) -> Mapping[int, list[int]]:
        """The child slots of every slot that has some, and of the root, -1."""
        table: dict[int, list[int]] = {}
        for slot, parent in enumerate(self.parents):
            table.setdefault(parent, []).append(slot)
        return table


def branching_of(settings: Settings) -> Branching | None:
    """The branching of the settings' topology; None if its shape is not regular."""
    build = TREES[settings.topology].branching
    return build(settings.draft_tokens, settings.sequences, settings.branching) if build else None


def shape_of(settings: Settings, ranks: RankDistribution, max_depth: int | None = None) -> Shape:
    """The shape of the settings' topology, cut below `max_depth` (0: nothing is drafted). Not for `dynamic`, which has none beforehand."""
    k = settings.vertices
    if max_depth is None:
        max_depth = k
    if max_depth < 1 or not k:
        return Shape((), ())
    branching = branching_of(settings)
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


def size_of(branching: Sequence[int]) -> int:
    """The nodes of a regular tree without its root."""
    return sum(math.prod(branching[: level + 1]) for level in range(len(branching)))


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
    depths: list[int] = []
    for parent in parents:
        depths.append(1 if parent < 0 else depths[parent] + 1)
    order = sorted(range(len(parents)), key=lambda node: depths[node])
    number = {old: new for new, old in enumerate(order)} | {-1: -1}
    return Shape(tuple(number[parents[node]] for node in order), tuple(ranks[node] for node in order), expected)
