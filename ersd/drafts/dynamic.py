"""Dynamic trees: best first, shaped while they are drafted by what the draft knows of the race. Exact for rules that allow it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
import torch
from torch import Tensor

from ..models.inference import inferring
from ..models.tree_cache import ROOT
from ..randomness import Noise
from ..rules.builtin import Decision, Law, Rule
from ..sampling import entropy
from ..settings import Settings
from .arrival_model import ARRIVALS, ArrivalModel, arrival_features
from .source import Source
from .tree import Drafter, DraftTree, after

EARLY = 0.7
"""Times the least worth in the last tree: arrivals of more are scored together, before it is known whether they stay among the best."""
BEST_CHILD = 0.6
"""Times its own worth: what is hoped for of an arrival's best child. Where that is not among the best, the arrival is not scored.
With 1 the tree is the best there is, at 6.9 calls of the draft for 5.9 and 3.77 tokens a step for 3.74 (embedded pair, k = 16)."""


@dataclass
class _Explored:
    """The vertices that the source has scored, and their arrivals. Arrival r of the s-th scored vertex has the number s * ARRIVALS + r."""

    scored: DraftTree = field(default_factory=DraftTree)
    """those vertices but the root, for the source"""
    arrivals: list[int] = field(default_factory=list)
    """the arrival that vertex v of `scored` is; the root is the 0-th scored vertex, v the (v + 1)-th"""
    vertex_of: dict[int, int] = field(default_factory=dict)
    """arrival -> vertex of `scored`, if it was scored"""
    laws: list[tuple[Law, int]] = field(default_factory=list)
    """of every scored vertex, and its row there"""
    logits: list[Tensor] = field(default_factory=list)
    """[vocab], behind every scored vertex"""
    features: list[np.ndarray] = field(default_factory=list)
    """of every scored vertex: what its chances come from, for learning"""
    calls: int = 0
    """of the source, so far"""
    call_of: list[int] = field(default_factory=list)
    """the call that scored every scored vertex"""
    tokens: list[list[int]] = field(default_factory=list)
    worth: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """[arrivals]: the chance that all on the way to it and itself are picked; 0 for an arrival there is not"""
    place: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """[arrivals]: the same, but never above that of a parent or an earlier sibling, without which it cannot be in the tree"""

    def add(self, arrival: int) -> int:
        """The vertex of `scored` for an arrival that is to be scored."""
        s, r = divmod(arrival, ARRIVALS)
        self.arrivals.append(arrival)
        self.vertex_of[arrival] = self.scored.add(s - 1, self.tokens[s][r])
        return self.vertex_of[arrival]

    def of(self, vertex: int) -> list[float]:
        """Worth and place of a vertex of `scored`."""
        arrival = self.arrivals[vertex]
        return [self.worth[arrival], self.place[arrival]]

    def best(self, count: int) -> np.ndarray:
        """The best arrivals, parents and earlier siblings first."""
        order = np.argsort(-self.place, kind="stable")[:count]
        return order[self.place[order] > 0]


class BestFirst(Drafter):
    """Takes the vertices of highest worth, the product of the chances on their paths.

    In few calls of the source: before the tree is final, those of the best k are scored whose children are hoped to be among them, and all
    that the last tree's least worth lets expect to stay among them are scored together.
    """

    def __init__(self, source: Source, rule: Rule, settings: Settings, vocab_size: int) -> None:
        self.source, self.rule, self.settings, self.vocab_size = source, rule, settings, vocab_size
        self.arrivals = ArrivalModel()
        self._explored = _Explored()
        self._arrival_of: list[int] = []
        """vertex of the tree grown last -> its arrival"""
        self._least = 0.0
        """worth of the last vertex taken"""
        self._leaf: Tensor | None = None
        """as `DraftTree.leaf`, where the leaf was scored although no child of it came into the tree"""

    def learn(self, decisions: Sequence[Decision]) -> None:
        for decision in decisions:
            if decision.children:
                features = self._explored.features[self._scored_as(decision.vertex)]
                none = len(features) - 1
                self.arrivals.observe(features, none if decision.rank is None else min(decision.rank - 1, none))

    def commit(self, path: list[int]) -> None:
        arrivals = [self._arrival_of[vertex] for vertex in path]
        vertex_of = self._explored.vertex_of
        self.source.commit([vertex_of[arrival] for arrival in arrivals if arrival in vertex_of])
        end = 1 + vertex_of.get(arrivals[-1], ROOT) if arrivals else 0
        is_leaf = end > 0 and all(arrival // ARRIVALS != end for arrival in self._arrival_of)
        self._leaf = self._explored.logits[end] if is_leaf else None

    @inferring
    def grow(self, sequence: list[int], max_depth: int) -> DraftTree:
        self._explored = explored = _Explored()
        if max_depth < 1:
            return DraftTree()
        k = self.settings.draft_tokens
        logits, unread = after(self.source.root(sequence), self.vocab_size)
        self._score([ROOT], logits, len(sequence))
        while chosen := self._worth_scoring(explored.best(k), max_depth):
            vertices = [explored.add(arrival) for arrival in sorted(chosen, key=self._depth)]
            self._score(vertices, self.source.behind(explored.scored, vertices), len(sequence))
        tree = self._tree(explored.best(k))
        tree.leaf = self._leaf if unread is None else unread
        return tree

    def _worth_scoring(self, best: np.ndarray, max_depth: int) -> list[int]:
        """Which of the best arrivals to score next: those that are likely to stay among the best, or if there are none of these, all."""
        explored = self._explored
        whole = len(best) == self.settings.draft_tokens  # then a child must be better than the last one
        least = explored.place[best[-1]] if whole else 0.0
        open_ones = [
            arrival
            for arrival in best.tolist()
            if arrival not in explored.vertex_of and self._depth(arrival) < max_depth and BEST_CHILD * explored.place[arrival] > least
        ]
        likely = [arrival for arrival in open_ones if explored.place[arrival] >= EARLY * self._least]
        return likely or open_ones

    def _depth(self, arrival: int) -> int:
        s = arrival // ARRIVALS
        return 1 + (self._explored.scored.depths[s - 1] if s else 0)

    def _scored_as(self, vertex: int) -> int:
        """The place of a vertex of the tree among the scored ones."""
        return 0 if vertex == ROOT else 1 + self._explored.vertex_of[self._arrival_of[vertex]]

    def _score(self, vertices: list[int], logits: Tensor, position: int) -> None:
        """Judge the first arrivals behind vertices of `scored`; `position` is that of the root's children."""
        explored, count = self._explored, min(ARRIVALS, self.vocab_size)
        explored.calls += 1
        explored.call_of += [explored.calls] * len(vertices)
        law = Law(self.rule, self.settings, logits[..., : self.vocab_size])
        q = law.probabilities
        depths = [explored.scored.depths[vertex] if vertex >= 0 else 0 for vertex in vertices]
        logs = q.log()
        first, tokens = torch.cat(self._leads(logs, depths, position)).topk(count)
        probs = q.gather(-1, tokens)
        features, chances = self._judged(-first.cpu().numpy(), probs.cpu().numpy(), entropy(q, logs).cpu().numpy())
        own = [[1.0, 1.0] if vertex == ROOT else explored.of(vertex) for vertex in vertices]
        worth, place = np.array(own).T[..., None]
        explored.worth = np.concatenate([explored.worth, (worth * chances).ravel()])
        explored.place = np.concatenate([explored.place, np.minimum(np.minimum.accumulate(worth * chances, -1), place).ravel()])
        explored.features += features
        explored.laws += [(law, row) for row in range(len(vertices))]
        explored.logits += logits[..., : self.vocab_size].unbind()
        explored.tokens += tokens.tolist()

    def _leads(self, logs: Tensor, depths: list[int], position: int) -> list[Tensor]:
        """Of the logarithms of the vertices' laws [n, vocab], in their order: all in a row at one depth, where the clocks are the same, at
        once."""
        found, start = [], 0
        for depth, same in groupby(depths):
            end = start + len(list(same))
            leads = self.rule.leads(logs[start:end], Noise(self.settings.seed, position + depth))
            if leads is not None:
                found.append(leads)
            start = end
        return found

    def _judged(self, log_times: np.ndarray, probs: np.ndarray, entropies: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
        """Of arrivals [n, at most ARRIVALS]: features, vertex by vertex, and chances [n, ARRIVALS], 0 for those there are not."""
        held = np.isfinite(log_times).sum(-1)
        if (held == ARRIVALS).all():  # unless some laws leave out all but a few tokens
            together = arrival_features(log_times, np.log(probs), entropies)
            return list(together), self.arrivals.chances(together)[:, :-1]
        features, chances = [], np.zeros((len(held), ARRIVALS))
        for row, count in enumerate(held.tolist()):
            features.append(arrival_features(log_times[row, :count], np.log(probs[row, :count]), entropies[row]))
            chances[row, :count] = self.arrivals.chances(features[row])[:-1]
        return features, chances

    def _tree(self, best: np.ndarray) -> DraftTree:
        """The tree of these arrivals."""
        explored = self._explored
        tree = DraftTree(calls=explored.calls)
        self._arrival_of = best.tolist()
        vertex_of: dict[int, int] = {-1: ROOT}
        for arrival in self._arrival_of:
            s, r = divmod(arrival, ARRIVALS)
            parent = vertex_of[explored.arrivals[s - 1] if s else -1]
            vertex_of[arrival] = tree.add(parent, explored.tokens[s][r], explored.call_of[s])
            tree.laws[parent] = explored.laws[s]
        tree.expected = 1 + float(explored.worth[best].sum())
        self._least = float(explored.place[best[-1]])
        return tree
