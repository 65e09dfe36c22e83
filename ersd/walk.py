"""The walk through a scored tree: from the root down, as long as the target accepts what was drafted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property

import torch
from torch import Tensor

from .drafts.tree import DraftTree
from .models.tree_cache import ROOT
from .randomness import Noise
from .rules.base import Decision, Rule, rank_of
from .settings import Settings


@dataclass(frozen=True)
class ScoredTree:
    """A draft tree with the target's logits. Distributions are computed only at the nodes that are asked for."""

    tree: DraftTree
    logits: Tensor
    """[nodes + 1, vocab]: row 0 is the root's, row v + 1 that of node v"""
    rule: Rule
    settings: Settings
    position: int
    """index in the whole sequence of the first token this step emits"""
    _p: dict[int, Tensor] = field(default_factory=dict)
    """by node, as computed so far"""

    def p(self, node: int) -> Tensor:
        """The target's distribution after a node, float64 [1, vocab]."""
        if node not in self._p:
            self._p[node] = self.rule.distributions(self.logits[node + 1 : node + 2], self.settings)
        return self._p[node]

    def q(self, node: int) -> Tensor | None:
        """The distribution the node's children were drawn from, float64 [1, vocab]; None where it has none."""
        return self.tree.q[node].unsqueeze(0) if self.tree.tries.get(node) else None

    def children(self, node: int) -> Tensor:
        """The tokens of the node's children in the order of their tries, int64 [1, k]."""
        tokens = [self.tree.tokens[child] for child in self.tree.tries.get(node, [])]
        return torch.tensor([tokens], dtype=torch.int64, device=self.logits.device)

    def noise(self, depth: int) -> Noise:
        """The randomness of the position after a node of this depth (0: the root)."""
        return self.tree.noise.setdefault(depth, Noise(self.settings.seed, self.position + depth))


@dataclass(frozen=True)
class VisitedNode:
    """One node of the walk with the decision made there: what learning and recording need."""

    scored: ScoredTree
    node: int
    """-1: the root"""
    depth: int
    decision: Decision
    """for this node alone, n = 1"""
    token: int
    """the chosen token, an accepted child's or the target's own"""
    accepted: int
    """index of the accepted try, -1 for none"""
    tried: int
    """how many children were considered"""

    @property
    def children(self) -> list[int]:
        """Child nodes in the order of their tries; an i.i.d. draw that repeats stands in it again."""
        return self.scored.tree.tries.get(self.node, [])

    @cached_property
    def rank(self) -> int | None:
        """The chosen token's rank in the draft's order, from 1; if the rule has no such order, the number of the accepted try.

        None if there is neither: all rejected, nothing drafted, or a token that the draft never reaches.
        """
        if self.accepted >= 0:  # children are tried in the draft's order
            return self.accepted + 1
        q = self.scored.q(self.node)
        scores = None if q is None else self.scored.rule.scores(q, self.scored.noise(self.depth))
        return None if scores is None else rank_of(scores[0], self.token)


@dataclass
class Walk:
    """The way through one tree."""

    visited: list[VisitedNode] = field(default_factory=list)
    """the root first"""
    path: list[int] = field(default_factory=list)
    """the accepted nodes"""
    chain: list[Decision] = field(default_factory=list)
    """rules that decide about a sequence: the decisions at the root and after every drafted token, also where the walk did not go"""

    @property
    def tokens(self) -> list[int]:
        """The chosen tokens: those of the path, then the target's own, unless the text ended before it."""
        return [visited.token for visited in self.visited]


def walk(scored: ScoredTree, ends: Collection[int]) -> Walk:
    """Follow the accepted children from the root; stop where none was accepted, and after a token of `ends`."""
    rule = scored.rule
    way = Walk(chain=_decide_chain(scored) if rule.traits.joint and scored.tree.tokens else [])
    node = ROOT
    while True:
        depth = len(way.path)
        if way.chain:
            decision = way.chain[depth]
        else:
            decision = rule.verify(scored.p(node), scored.q(node), scored.children(node), scored.noise(depth))
        token, accepted, tried = torch.cat([decision.tokens, decision.accepted, decision.tried]).tolist()
        visited = VisitedNode(scored, node, depth, decision, token, accepted, tried)
        way.visited.append(visited)
        if accepted < 0:
            return way
        node = visited.children[accepted]
        way.path.append(node)
        if token in ends:
            return way


def _decide_chain(scored: ScoredTree) -> list[Decision]:
    """The decisions along a drafted sequence, for rules that decide about it as a whole."""
    tokens = scored.tree.tokens
    p = torch.cat([scored.p(node) for node in range(ROOT, len(tokens))])
    q = torch.stack([scored.tree.q[node] for node in range(ROOT, len(tokens) - 1)])
    return scored.rule.verify_chain(p.unsqueeze(0), q.unsqueeze(0), torch.tensor([tokens], device=p.device), scored.noise(0))
