"""DraftTree, and the Drafter interface that builds one per step."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from torch import Tensor

from ..randomness import Noise
from .topologies import Shape

if TYPE_CHECKING:
    from ..walk import VisitedNode


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
    call_of: list[int] = field(default_factory=list)
    """the call, from 1, that gave the distribution each node was drawn from"""
    shape: Shape | None = None
    """the slots it was drafted into, for shapes fixed before the run"""
    expected: float | None = None
    """expected tokens per call, for trees chosen to maximise it"""
    noise: dict[int, Noise] = field(default_factory=dict)
    """depth of a node -> the randomness of the position after it: what the tree was drafted with serves the walk, too"""
    leaf: Tensor | None = None
    """draft logits [vocab] after the leaf where the previous walk ended, which the draft reads only now; None if it ended elsewhere"""

    def add(self, parent: int, token: int, call: int = 0) -> int:
        """Note a draw: the child of `parent` with this token, new or drawn before. `call`: the one that gave its distribution."""
        tries = self.tries.setdefault(parent, [])
        node = next((child for child in tries if self.tokens[child] == token), len(self.tokens))
        if node == len(self.tokens):
            self.tokens.append(token)
            self.parents.append(parent)
            self.depths.append(1 if parent < 0 else self.depths[parent] + 1)
            self.ranks.append(len(set(tries)) + 1)
            self.call_of.append(call)
        tries.append(node)
        return node


class Drafter(ABC):
    """Drafts the trees of one run. It keeps what it needs of the text by itself (a cache, counts) and learns from the decisions."""

    @abstractmethod
    def grow(self, sequence: list[int], max_depth: int) -> DraftTree:
        """The tree after `sequence`, the whole text so far, no deeper than `max_depth`, which may be 0."""

    @abstractmethod
    def learn(self, visited: Sequence[VisitedNode]) -> None:
        """Learn from the decisions in the tree grown last, from the root down."""

    @abstractmethod
    def commit(self, path: list[int]) -> None:
        """Append the nodes `path` of the tree grown last to the text, followed by one token of the target's own; drop all others."""


class NoDraft(Drafter):
    """Drafts nothing: one token per target call."""

    def grow(self, sequence: list[int], max_depth: int) -> DraftTree:
        return DraftTree()

    def learn(self, visited: Sequence[VisitedNode]) -> None:
        return

    def commit(self, path: list[int]) -> None:
        return
