"""What a draft is: a tree of tokens; and what drafts one: a Drafter, which may be anything that knows the text so far."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

from torch import Tensor

from ..rules.builtin import Decision, Law
from .topologies import Shape


@dataclass
class DraftTree:
    """Drafted tokens, parents before children; the root, -1, is the text so far."""

    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    tries: dict[int, list[int]] = field(default_factory=dict)
    """vertex -> its children in the order they were drawn; an i.i.d. draw that repeats stands in it again"""
    laws: dict[int, tuple[Law, int]] = field(default_factory=dict)
    """vertex -> the law its children were drawn from, and the row there"""
    calls: int = 0
    """calls of the source that it took"""
    call_of: list[int] = field(default_factory=list)
    """the call, from 1, in whose law each vertex was drawn"""
    shape: Shape | None = None
    """the slots it was drafted into, where they are the same whatever was seen before"""
    expected: float | None = None
    """tokens per call expected of this tree, where it was chosen by that"""
    leaf: Tensor | None = None
    """logits [vocab] behind the leaf where the walk before ended and the text's last token was chosen: the draft reads it only now. None
    where it ended elsewhere"""

    def logits(self, vertex: int) -> Tensor:
        """The draft's logits behind a vertex with children, [vocab]."""
        law, row = self.laws[vertex]
        return law.logits[row]

    def q(self, vertex: int) -> Tensor:
        """The distribution that a vertex's children were drawn from, float64 [vocab]."""
        law, row = self.laws[vertex]
        return law.probabilities[row]

    def add(self, parent: int, token: int, call: int = 0) -> int:
        """The child of `parent` with this token, new or drawn before; notes the draw. `call`: the one that gave its law."""
        tries = self.tries.setdefault(parent, [])
        vertex = next((child for child in tries if self.tokens[child] == token), len(self.tokens))
        if vertex == len(self.tokens):
            self.tokens.append(token)
            self.parents.append(parent)
            self.depths.append(1 if parent < 0 else self.depths[parent] + 1)
            self.ranks.append(len(set(tries)) + 1)
            self.call_of.append(call)
        tries.append(vertex)
        return vertex


def after(read: Tensor, vocab_size: int) -> tuple[Tensor, Tensor | None]:
    """Of what a source gave at the root: logits [1, vocab] after the text, and `DraftTree.leaf`."""
    logits = read[..., :vocab_size]
    return logits[-1:], logits[-2] if len(logits) > 1 else None


class Drafter(ABC):
    """Drafts the trees of one run. It keeps what it needs of the text by itself (a cache, counts) and learns from what was decided."""

    @abstractmethod
    def grow(self, sequence: list[int], max_depth: int) -> DraftTree:
        """The tree after `sequence`, the whole text so far, no deeper than `max_depth`, which may be 0."""

    @abstractmethod
    def learn(self, decisions: Sequence[Decision]) -> None:
        """Takes note of what was decided in the tree grown last, from the root down."""

    @abstractmethod
    def commit(self, path: list[int]) -> None:
        """The vertices `path` of the tree grown last are text now, followed by one token of the target's own; all others are gone."""


class NoDraft(Drafter):
    """Drafts nothing: one token per target call."""

    def grow(self, sequence: list[int], max_depth: int) -> DraftTree:
        return DraftTree()

    def learn(self, decisions: Sequence[Decision]) -> None:
        return

    def commit(self, path: list[int]) -> None:
        return
