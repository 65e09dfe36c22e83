"""Dynamic drafting: trees grown best first, shaped while they are drafted by what the draft knows of the race.

Exact only for rules whose traits say `exact_on_any_shape`. An *arrival* is a candidate child: one of the first tokens in the draft's order
after a scored node. A *scored* node is one after which the draft was run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from ..contexts import Contexts
from ..draft_tree import ROOT, DraftTree
from ..machine import now_ms
from ..randomness import Noise, joined
from ..rules.base import Rule
from ..sampling import entropy
from ..settings import Settings
from ..walk import VisitedNode
from .arrival_model import ARRIVALS, ArrivalModel, arrival_features
from .drafter import Drafter
from .source import Source, checked, split_root

EARLY = 0.7
"""Candidates worth more than EARLY times the weakest node of the previous tree are scored together, before the tree is final."""
BEST_CHILD = 0.6
"""A candidate is scored only if its best child, estimated at BEST_CHILD times its own worth, would enter the tree. With 1 the tree is the
best there is, at 6.9 draft calls for 5.9 and 3.77 tokens a step for 3.74 (embedded pair, k = 16)."""


@dataclass
class _Search:
    """The scored nodes of one step and their arrivals: arrival r of the s-th scored node has the number s * ARRIVALS + r (s = 0: root)."""

    scored: DraftTree = field(default_factory=DraftTree)
    """the scored nodes but the root, as the source knows them: node v is the (v + 1)-th scored one"""
    arrivals: list[int] = field(default_factory=list)
    """node of `scored` -> the arrival it is"""
    node_of: dict[int, int] = field(default_factory=dict)
    """arrival -> node of `scored`, if it was scored"""
    q: list[Tensor] = field(default_factory=list)
    """[vocab], the draft distribution after every scored node"""
    logits: list[Tensor] = field(default_factory=list)
    """[vocab], the same as logits"""
    features: list[np.ndarray] = field(default_factory=list)
    """of every scored node: the input of the arrival model, for learning"""
    calls: int = 0
    """of the source, so far"""
    spans: list[tuple[float, float]] = field(default_factory=list)
    """`DraftTree.spans`"""
    call_of: list[int] = field(default_factory=list)
    """the call that scored every scored node"""
    tokens: list[list[int]] = field(default_factory=list)
    """of the arrivals of every scored node"""
    worth: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """[arrivals]: probability that the arrival and all above it are picked; 0 for arrivals that do not exist"""
    priority: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """[arrivals]: the worth, but never above that of a parent or an earlier sibling, without which it cannot be in the tree"""

    def add(self, arrival: int) -> int:
        """The node of `scored` for an arrival that is about to be scored."""
        s, r = divmod(arrival, ARRIVALS)
        self.arrivals.append(arrival)
        self.node_of[arrival] = self.scored.add(s - 1, self.tokens[s][r])
        return self.node_of[arrival]

    def depth(self, arrival: int) -> int:
        """1 for the children of the root."""
        s = arrival // ARRIVALS
        return 1 + (self.scored.depths[s - 1] if s else 0)

    def of(self, node: int) -> list[float]:
        """Worth and priority of a node of `scored`, or of the root."""
        return [1.0, 1.0] if node == ROOT else [self.worth[self.arrivals[node]], self.priority[self.arrivals[node]]]

    def best(self, count: int, price: float) -> np.ndarray:
        """The best arrivals whose priority exceeds the price, parents and earlier siblings first."""
        order = np.argsort(-self.priority, kind="stable")[:count]
        return order[self.priority[order] > price]


class DynamicDrafter(Drafter):
    """Takes the nodes of highest worth: the product of the probabilities on their paths, by the arrival model. A worth is in tokens, those
    that the node is expected to add to the text, and only nodes whose worth exceeds `Settings.price` are taken.

    Scores several candidates in one call of the source: those of the best k whose children may enter the tree, and all that the weakest
    node of the previous tree suggests will stay among the best.
    """

    source: Source

    def __init__(self, source: Source, rule: Rule, settings: Settings, vocab_size: int, contexts: Contexts | None = None) -> None:
        """`contexts`: of the text, which keys the clocks."""
        self.contexts = contexts
        self.source, self.rule, self.settings, self.vocab_size = source, rule, settings, vocab_size
        self.arrivals = ArrivalModel()
        self._search = _Search()
        self._arrival_of: list[int] = []
        """node of the tree grown last -> its arrival"""
        self._weakest = 0.0
        """priority of the last node taken into the tree"""
        self._leaf: Tensor | None = None
        """`DraftTree.leaf` for the next tree, if the leaf was scored although no child of it entered the tree"""

    def learn(self, visited: Sequence[VisitedNode]) -> None:
        for one in visited:
            if one.children:
                scored = 0 if one.node == ROOT else 1 + self._search.node_of[self._arrival_of[one.node]]
                features = self._search.features[scored]
                none = len(features) - 1
                self.arrivals.observe(features, none if one.rank is None else min(one.rank - 1, none))

    def commit(self, path: list[int]) -> None:
        arrivals = [self._arrival_of[node] for node in path]
        node_of = self._search.node_of
        self.source.commit([node_of[arrival] for arrival in arrivals if arrival in node_of])
        end = 1 + node_of.get(arrivals[-1], ROOT) if arrivals else 0
        is_leaf = end > 0 and all(arrival // ARRIVALS != end for arrival in self._arrival_of)
        self._leaf = self._search.logits[end] if is_leaf else None

    def grow(self, sequence: list[int], max_depth: int) -> DraftTree:
        self._search = search = _Search()
        if max_depth < 1:
            return DraftTree()
        k, price = self.settings.draft_tokens, self.settings.price
        start = now_ms()
        logits, unread = split_root(self.source.root(sequence), self.vocab_size)
        self._score([ROOT], logits, len(sequence), start)
        while chosen := self._next_to_score(search.best(k, price), max_depth):
            nodes = [search.add(arrival) for arrival in sorted(chosen, key=search.depth)]
            start = now_ms()
            self._score(nodes, self.source.after(search.scored, nodes), len(sequence), start)
        tree = self._tree(search.best(k, price))
        tree.leaf = self._leaf if unread is None else unread
        return tree

    def _next_to_score(self, best: np.ndarray, max_depth: int) -> list[int]:
        """Which of the best arrivals to score next: those likely to stay among the best, or all if none is."""
        search = self._search
        is_full = len(best) == self.settings.draft_tokens  # then a child must beat the last one
        least = search.priority[best[-1]] if is_full else self.settings.price
        candidates = [
            arrival
            for arrival in best.tolist()
            if arrival not in search.node_of and search.depth(arrival) < max_depth and BEST_CHILD * search.priority[arrival] > least
        ]
        likely = [arrival for arrival in candidates if search.priority[arrival] >= EARLY * self._weakest]
        return likely or candidates

    def _score(self, nodes: list[int], logits: Tensor, position: int, start: float) -> None:
        """Add the first arrivals after these nodes of `scored`; `position` is that of the root's children, `start` the call's."""
        search, count = self._search, min(ARRIVALS, self.vocab_size)
        search.calls += 1
        search.call_of += [search.calls] * len(nodes)
        logits, guessed = checked(self.source, logits, self.vocab_size)
        q = self.rule.distributions(logits, self.settings)
        if len(guessed) < len(nodes):
            silent = torch.ones(len(nodes), 1, dtype=torch.bool, device=q.device)
            silent[guessed] = False
            q = q.masked_fill(silent, 0)  # no arrivals
        scores = self.rule.scores(q, self._noise(nodes, position))
        assert scores is not None, "dynamic trees are refused for rules without an order"
        first, tokens = scores.topk(count)
        probs = q.gather(-1, tokens)
        features, chances = self._judged(-first.cpu().numpy(), probs.cpu().numpy(), entropy(q).cpu().numpy())
        worth, priority = np.array([search.of(node) for node in nodes]).T[..., None]
        search.worth = np.concatenate([search.worth, (worth * chances).ravel()])
        search.priority = np.concatenate([search.priority, np.minimum(np.minimum.accumulate(worth * chances, -1), priority).ravel()])
        search.features += features
        search.q += q.unbind()
        search.logits += logits.unbind()
        search.tokens += tokens.tolist()
        search.spans.append((start, now_ms()))

    def _noise(self, nodes: list[int], position: int) -> Noise:
        """The randomness after these nodes of `scored`; `position` is that of the root's children."""
        scored = self._search.scored
        if self.contexts:
            return joined([self.contexts.after(scored, node) for node in nodes])
        return Noise(self.settings.seed, position + torch.tensor([scored.depth(node) for node in nodes]))

    def _judged(self, log_times: np.ndarray, probs: np.ndarray, entropies: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
        """Features of every node, and the probability that each arrival is picked, [n, ARRIVALS]; 0 for those that do not exist."""
        features, chances = [], np.zeros((len(log_times), ARRIVALS))
        for row, count in enumerate(np.isfinite(log_times).sum(-1).tolist()):  # top-k and top-p may leave fewer tokens
            if not count:
                features.append(np.zeros((1, 6)))  # no guess, so no children to learn from
                continue
            features.append(arrival_features(log_times[row, :count], np.log(probs[row, :count]), entropies[row]))
            chances[row, :count] = self.arrivals.chances(features[row])[:-1]
        return features, chances

    def _tree(self, best: np.ndarray) -> DraftTree:
        """The tree of these arrivals."""
        search = self._search
        tree = DraftTree(calls=search.calls, spans=search.spans)
        self._arrival_of = best.tolist()
        node_of: dict[int, int] = {-1: ROOT}
        for arrival in self._arrival_of:
            s, r = divmod(arrival, ARRIVALS)
            parent = node_of[search.arrivals[s - 1] if s else -1]
            node_of[arrival] = tree.add(parent, search.tokens[s][r], search.call_of[s])
            tree.q[parent] = search.q[s]
        tree.expected = 1 + float(search.worth[best].sum())
        self._weakest = float(search.priority[best[-1]]) if len(best) else 0.0
        return tree
