"""The tree of one step with the target's logits, and the decisions made in it: plain data between drafts, rules and the record."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import torch
from torch import Tensor

from .contexts import Contexts, noise_after
from .draft_tree import NO_TOKEN, DraftTree
from .randomness import Noise

if TYPE_CHECKING:
    from .settings import Settings


@dataclass(frozen=True)
class Decision:
    """What a rule decides at n nodes with k children each."""

    tokens: Tensor
    """int64 [n]: the chosen token, an accepted child's or the target's own; or NO_TOKEN"""
    accepted: Tensor
    """int64 [n]: which child was accepted, -1 for none"""
    tried: Tensor
    """int64 [n]: how many children were considered"""
    ratios: Tensor | None = None
    """float64 [n, k]: what each coin was compared with; rejection rules only"""
    coins: Tensor | None = None
    """float64 [n, k]"""
    predicted: Tensor | None = None
    """float64 [n]: acceptance probability, if it depends on more than this node; else `Rule.acceptance` gives it"""
    joint: Tensor | None = None
    """float64 [n]: block verification's joint acceptance up to this node's child"""
    residual: Tensor | None = None
    """float64 [n, vocab]: what the target's own token is drawn from where block verification cuts; other rules give it by `contests`"""
    share: Tensor | None = None
    """float64 [n]: the part of the target's probability that `residual` is"""
    weights: Tensor | None = None
    """float64 [n, tried]: traversal's weight of the node at each try"""
    turns: Tensor | None = None
    """int64 [n, tried]: when the coin of each try was tossed, from 1 in the whole step; 0: not at all, since a token below it is kept"""


class Decider(Protocol):
    """What a scored tree asks of its rule."""

    def distributions(self, logits: Tensor, settings: Settings) -> Tensor:
        """What the target is sampled from, float64 [..., vocab]."""

    def rank(self, q: Tensor, token: int, noise: Noise) -> int | None:
        """The rank of a token in the order of q [1, vocab], from 1; None if it never comes, or the rule has no order."""


@dataclass(frozen=True)
class ScoredTree:
    """A draft tree with the target's logits. Distributions are computed only at the nodes that are asked for."""

    tree: DraftTree
    logits: Tensor
    """[nodes + 1, vocab]: row 0 is the root's, row v + 1 that of node v"""
    rule: Decider
    settings: Settings
    position: int
    """index in the whole sequence of the first token this step emits"""
    contexts: Contexts | None = None
    """of the text, where clocks are keyed by context"""
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

    def noise(self, node: int) -> Noise:
        """The randomness of the position after a node: all nodes of a level share it, unless clocks are keyed by context."""
        return noise_after(self.tree, node, self.settings.seed, self.position, self.contexts)

    def visit(self, node: int, decision: Decision) -> VisitedNode:
        """A node with the decision made there, n = 1."""
        token, accepted, tried = torch.cat([decision.tokens, decision.accepted, decision.tried]).tolist()
        return VisitedNode(self, node, decision, token, accepted, tried)


@dataclass(frozen=True)
class VisitedNode:
    """A node with the decision made there: what learning and recording need."""

    scored: ScoredTree
    node: int
    decision: Decision
    """for this node alone, n = 1"""
    token: int
    """the chosen token, an accepted child's or the target's own; or NO_TOKEN"""
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
        return None if q is None or self.token == NO_TOKEN else self.scored.rule.rank(q, self.token, self.scored.noise(self.node))


@dataclass(frozen=True)
class Walk:
    """What a rule decided in one tree."""

    tokens: list[int]
    """the tokens of the path, then the target's own, unless the text ended before it"""
    path: list[int]
    """the accepted nodes, from the root down"""
    visited: list[VisitedNode]
    """the nodes with a decision, in the order they were made"""
    sequence: list[Decision] = field(default_factory=list)
    """rules that decide about a sequence: the decisions at the root and after every drafted token, also where nothing was accepted"""


@dataclass(frozen=True)
class Decoded:
    """One decoded step, not yet recorded."""

    scored: ScoredTree
    walk: Walk
    is_last: bool = False
    times: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """by `now_ms`: the step begins, its tree is drafted, the target has scored it, the rule has decided; on a GPU those of an untimed run
    are no times of the work"""

    @property
    def tokens(self) -> list[int]:
        """What was appended to the text."""
        return self.walk.tokens

    @property
    def position(self) -> int:
        """Index in the whole sequence of the first of them."""
        return self.scored.position
