"""The walk through a scored tree: from the root down, as long as the target accepts what was drafted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import torch
from torch import Tensor

from .drafts.factory import DraftTree
from .models.inference import inferring
from .models.tree_cache import ROOT
from .randomness import Noise
from .rules.builtin import Decision, Law, Rule
from .settings import Settings


@dataclass(frozen=True)
class ScoredTree:
    """A draft tree with the target's logits. Distributions are worked out only at the vertices that are asked for."""

    tree: DraftTree
    logits: Tensor
    """[vertices + 1, vocab]: row 0 is the root's, row v + 1 that of vertex v"""
    rule: Rule
    settings: Settings
    position: int
    """index in the whole sequence of the first token this step emits"""
    _laws: dict[int, Law] = field(default_factory=dict)
    """those of the vertices that were asked for"""

    def law(self, vertex: int) -> Law:
        """The target's law behind a vertex, n = 1."""
        if vertex not in self._laws:
            self._laws[vertex] = Law(self.rule, self.settings, self.logits[vertex + 1 : vertex + 2])
        return self._laws[vertex]

    def p(self, vertex: int) -> Tensor:
        """The target's distribution behind a vertex, float64 [1, vocab]."""
        return self.law(vertex).probabilities

    def every_p(self) -> Tensor:
        """The target's distributions at the root and behind every vertex, float64 [vertices + 1, vocab]."""
        return self.rule.distributions(self.logits, self.settings)

    def q(self, vertex: int) -> Tensor | None:
        """The law the vertex's children were drawn from, float64 [1, vocab]; None where it has none."""
        return self.tree.q(vertex).unsqueeze(0) if self.tree.tries.get(vertex) else None

    def children(self, vertex: int) -> Tensor:
        """The tokens of the vertex's children in the order of their tries, int64 [1, k]."""
        tokens = [self.tree.tokens[child] for child in self.tree.tries.get(vertex, [])]
        return torch.tensor([tokens], dtype=torch.int64, device=self.logits.device)

    def noise(self, depth: int) -> Noise:
        """The randomness of the position behind a vertex of this depth (0: the root)."""
        return Noise(self.settings.seed, self.position + depth)


@dataclass
class Walk:
    """The way through one tree."""

    decisions: list[Decision] = field(default_factory=list)
    """one per visited vertex, the root first"""
    path: list[int] = field(default_factory=list)
    """the accepted vertices"""

    @property
    def tokens(self) -> list[int]:
        """The tokens chosen: those of the path, then the target's own, unless the text ended before it."""
        return [decision.token for decision in self.decisions]


@inferring
def walk(scored: ScoredTree, ends: Collection[int]) -> Walk:
    """Follow the accepted children from the root; stops where none was accepted, and behind a token of `ends`."""
    decide = scored.rule.deciding(scored)
    way = Walk()
    vertex = ROOT
    while True:
        depth = len(way.path)
        decision = Decision(scored, vertex, depth, *decide(vertex, depth))
        way.decisions.append(decision)
        if decision.accepted < 0:
            return way
        vertex = decision.children[decision.accepted]
        way.path.append(vertex)
        if decision.token in ends:
            return way
