"""The tree that is drafted in one step, and the shape it may be given beforehand: plain data. Importing it does not import torch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from torch import Tensor

    from .randomness import Noise

ROOT = -1
"""The text so far, as a node of the tree that grows from it."""
NO_TOKEN = -1
"""The token chosen at a node that was itself rejected after its children: none."""


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


def depths_of(parents: Iterable[int]) -> list[int]:
    """The depth of every node, 1 for the children of the root; parents before children."""
    depths: list[int] = []
    for parent in parents:
        depths.append(1 if parent == ROOT else depths[parent] + 1)
    return depths


class Lap(NamedTuple):
    """One arrival in a race in laps."""

    token: int
    number: int
    """of the lap, from 1"""
    time: float
    """(E1 + … + En) / q"""


@dataclass
class Routing:
    """Which of several sources drafted a tree, and why."""

    source: str
    """the one of the largest weight"""
    weights: dict[str, float]
    """of every source before the step; they sum to 1"""
    losses: dict[str, float] = field(default_factory=dict)
    """of every source in this step (`drafts.routed.Routed`), from 0 to 1"""


@dataclass
class DraftTree:
    """Drafted tokens, parents before children; the root, -1, is the text so far."""

    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    tries: dict[int, list[int]] = field(default_factory=dict)
    """node -> its children in the order they were drawn; an i.i.d. draw that repeats stands in it again"""
    q: dict[int, Tensor] = field(default_factory=dict)
    """node -> the distribution its children were drawn from, float64 [vocab]"""
    calls: int = 0
    """calls of the source that the tree took"""
    spans: list[tuple[float, float]] = field(default_factory=list)
    """start and end of every call by `now_ms`, with the choice of what is drafted: there the host has waited for the device"""
    call_of: list[int] = field(default_factory=list)
    """the call, from 1, that gave the distribution each node was drawn from"""
    shape: Shape | None = None
    """the slots it was drafted into, for shapes fixed before the run"""
    expected: float | None = None
    """expected tokens per call, for trees chosen to maximise it"""
    noise: dict[int, Noise] = field(default_factory=dict)
    """depth of a node, or the node itself where clocks are keyed by context -> the randomness of the position after it: what the tree was
    drafted with serves the walk, too"""
    laps: dict[int, list[Lap]] = field(default_factory=dict)
    """races in laps: node -> the arrivals that became its children, in order"""
    places: list[int] = field(default_factory=list)
    """races in laps: how often each node arrived; else empty"""
    leaf: Tensor | None = None
    """draft logits [vocab] after the leaf where the previous walk ended, which the draft reads only now; None if it ended elsewhere"""
    routing: Routing | None = None
    """the choice of a source, where there are several"""

    def depth(self, node: int) -> int:
        """Levels below the root: 0 for the root itself."""
        return 0 if node == ROOT else self.depths[node]

    def path_tokens(self, node: int) -> list[int]:
        """The drafted tokens from below the root down to a node."""
        return [] if node == ROOT else [*self.path_tokens(self.parents[node]), self.tokens[node]]

    def add(self, parent: int, token: int, call: int = 0) -> int:
        """Note a draw: the child of `parent` with this token, new or drawn before. `call`: the one that gave its distribution."""
        tries = self.tries.setdefault(parent, [])
        node = next((child for child in tries if self.tokens[child] == token), len(self.tokens))
        if node == len(self.tokens):
            self.tokens.append(token)
            self.parents.append(parent)
            self.depths.append(self.depth(parent) + 1)
            self.ranks.append(len(set(tries)) + 1)
            self.call_of.append(call)
        tries.append(node)
        return node
