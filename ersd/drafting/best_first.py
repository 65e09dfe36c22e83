"""Dynamic trees: best first, shaped while they are drafted by what the draft knows of the race. Exact for rules that allow it."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ..cache import ROOT
from ..distributions import entropy
from ..randomness import Noise
from ..rules import Decision, Rule
from ..settings import Settings
from .arrival_law import ARRIVALS, ArrivalLaw, arrival_features
from .source import Source
from .tree import Drafter, DraftTree


@dataclass
class _Scored:
    """A vertex that the source has scored: its first arrivals, and how likely each is to be picked."""

    tokens: list[int]
    probs: list[float]
    chances: list[float]
    features: np.ndarray
    """what the chances come from, for learning"""


@dataclass(order=True)
class _Candidate:
    """What may come next: the `rank`-th child of a vertex, or, while `rank` is None, a vertex to be scored, whose children are worth no
    more than itself. The smallest is the best."""

    minus_worth: float
    entered: int
    vertex: int
    rank: int | None


class BestFirst(Drafter):
    """Takes the vertex of highest worth, the product of the chances on its path, k times."""

    def __init__(self, source: Source, rule: Rule, settings: Settings, vocab_size: int) -> None:
        self.source, self.rule, self.settings, self.vocab_size = source, rule, settings, vocab_size
        self.arrivals = ArrivalLaw()
        self._scored: dict[int, _Scored] = {}

    def learn(self, decisions: Sequence[Decision]) -> None:
        for decision in decisions:
            if decision.children:
                features = self._scored[decision.vertex].features
                none = len(features) - 1
                self.arrivals.observe(features, none if decision.rank is None else min(decision.rank - 1, none))

    def commit(self, path: list[int]) -> None:
        self.source.commit(path)

    @torch.inference_mode()
    def grow(self, sequence: list[int], max_depth: int) -> DraftTree:
        tree, self._scored = DraftTree(), {}
        if max_depth < 1:
            return tree
        self._score(tree, [ROOT], self.source.root(sequence), len(sequence))
        worth = {ROOT: 1.0}
        heap = [_Candidate(-self._scored[ROOT].chances[0], 0, ROOT, 1)]
        while heap and len(tree.tokens) < self.settings.draft_tokens:
            best = heap[0]
            if best.rank is None:
                self._forward(tree, heap, len(sequence))
                continue
            heapq.heappop(heap)
            arrivals = self._scored[best.vertex]
            child = tree.add(best.vertex, arrivals.tokens[best.rank - 1], arrivals.probs[best.rank - 1])
            worth[child] = -best.minus_worth
            entered = 2 * len(tree.tokens)
            if best.rank < len(arrivals.tokens):
                next_worth = worth[best.vertex] * arrivals.chances[best.rank]
                heapq.heappush(heap, _Candidate(-next_worth, entered, best.vertex, best.rank + 1))
            if tree.depths[child] < max_depth:
                heapq.heappush(heap, _Candidate(best.minus_worth, entered + 1, child, None))
        tree.expected = 1 + sum(worth[vertex] for vertex in range(len(tree.tokens)))
        return tree

    def _forward(self, tree: DraftTree, heap: list[_Candidate], position: int) -> None:
        """One call of the source for all vertices that may still be worth it: those among the best candidates that there is room for."""
        room = self.settings.draft_tokens - len(tree.tokens)
        chosen = [candidate for candidate in heapq.nsmallest(room, heap) if candidate.rank is None]
        for candidate in chosen:
            heap.remove(candidate)
        heapq.heapify(heap)
        vertices = [candidate.vertex for candidate in chosen]
        self._score(tree, vertices, self.source.behind(tree, vertices), position)
        for candidate in chosen:
            first = self._scored[candidate.vertex].chances[0]
            heapq.heappush(heap, _Candidate(candidate.minus_worth * first, candidate.entered, candidate.vertex, 1))

    def _score(self, tree: DraftTree, vertices: list[int], logits: Tensor, position: int) -> None:
        """Judge the first arrivals of the vertices; `position` is that of the root's children."""
        q = self.rule.distributions(logits[..., : self.vocab_size], self.settings)
        entropies = entropy(q).tolist()
        for i, vertex in enumerate(vertices):
            depth = tree.depths[vertex] if vertex >= 0 else 0
            order = self.rule.order(q[i : i + 1], Noise(self.settings.seed, position + depth))
            assert order is not None, "Settings refuses dynamic trees for rules without an order"
            first = order[0].topk(min(ARRIVALS, q.shape[-1]), largest=False)
            held = int(first.values.isfinite().sum())
            arrivals = first.indices[:held]
            probs = q[i][arrivals]
            features = arrival_features(first.values[:held].cpu().numpy(), probs.log().cpu().numpy(), entropies[i])
            tree.q[vertex] = q[i]
            self._scored[vertex] = _Scored(arrivals.tolist(), probs.tolist(), self.arrivals.chances(features).tolist(), features)
