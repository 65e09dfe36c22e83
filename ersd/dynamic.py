"""Dynamic trees: best first, shaped at run time by what the draft knows of the race. Exact for rules that allow it, ersd and greedy.

The draft knows the clocks, so the gaps between its own arrivals tell which of them the target will pick.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from .cache import ROOT, TreeCache
from .distributions import entropy
from .randomness import Noise
from .rules import Rule
from .settings import Settings
from .trace import Visit
from .trees import Drafter, DraftTree, transformed

ARRIVALS = 12
"""Arrivals that are told apart; what the target picks beyond is "none of them"."""


class ArrivalLaw:
    """Which of the draft's first arrivals the target picks: multinomial logit over them and "none", fitted as it generates.

    Features of arrival i: the gap log t_i - log t_1, log q_i and its square; of none: a constant, log t_1 and the draft's entropy. Fitted
    by one Newton step per observation on the posterior under a normal prior (a Laplace approximation carried on). Prior: what
    `assets/measure_ranks.py` found for ersd on the embedded pair, worth 64 observations.
    """

    MEAN = (-1.15, 0.39, 0.03, -5.5, 0.86, 0.74)
    PRECISION = (40.0, 290.0, 32000.0, 2.6, 2.4, 44.0)

    def __init__(self, mean: Sequence[float] = MEAN, precision: Sequence[float] = PRECISION) -> None:
        self.weights = np.array(mean, dtype=np.float64)
        self.precision = np.diag(np.array(precision, dtype=np.float64))

    def chances(self, features: np.ndarray) -> np.ndarray:
        """Probabilities [arrivals + 1], the last for none of them."""
        utilities = features @ self.weights
        exponentials = np.exp(utilities - utilities.max())
        return exponentials / exponentials.sum()

    def observe(self, features: np.ndarray, picked: int) -> None:
        """The target picked the arrival with this index; the last index is none of them."""
        chances = self.chances(features)
        mean = chances @ features
        self.precision += (features * chances[:, None]).T @ features - np.outer(mean, mean)
        self.weights = self.weights + np.linalg.solve(self.precision, features[picked] - mean)


def arrival_features(log_times: np.ndarray, log_probs: np.ndarray, draft_entropy: float) -> np.ndarray:
    """[arrivals + 1, 6] of a vertex's first arrivals in their order."""
    features = np.zeros((len(log_times) + 1, 6))
    features[:-1, 0] = log_times - log_times[0]
    features[:-1, 1] = log_probs
    features[:-1, 2] = log_probs**2
    features[-1, 3:] = 1, log_times[0], draft_entropy
    return features


@dataclass
class _Scored:
    """A vertex that the draft has forwarded: its first arrivals, and how likely each is to be picked."""

    tokens: list[int]
    probs: list[float]
    chances: list[float]


class BestFirst(Drafter):
    """Takes the vertex of highest worth, the product of the chances on its path, k times."""

    def __init__(self, rule: Rule, settings: Settings, vocab_size: int, measured: Sequence[float] = ()) -> None:
        super().__init__(rule, settings, vocab_size, measured)
        self.arrivals = ArrivalLaw()
        self._features: dict[int, np.ndarray] = {}

    def observe(self, tree: DraftTree, walk: Sequence[Visit]) -> None:
        """Learn from every visited vertex that the draft had forwarded."""
        for visit in walk:
            features = self._features.get(visit.vertex)
            if features is not None and visit.tries:
                none = len(features) - 1
                self.arrivals.observe(features, none if visit.rank is None else min(visit.rank - 1, none))

    def _grow(self, draft: TreeCache, pending: list[int], position: int, max_depth: int) -> DraftTree:
        tree, self._features = DraftTree(), {}
        scored = {-1: self._score(tree, draft, [-1], pending, range(ROOT, len(pending) - 1), position)[0]}
        worth = {-1: 1.0}
        # (minus worth, order, parent, rank) of a child, or (minus worth, order, vertex, 0) of a vertex to be forwarded, whose
        # children are worth no more than itself
        heap = [(-scored[-1].chances[0], 0, -1, 1)]
        while heap and len(tree.tokens) < self.settings.draft_tokens:
            minus, _, vertex, rank = heap[0]
            if rank == 0:
                self._forward(tree, draft, scored, worth, heap, position)
                continue
            heapq.heappop(heap)
            arrivals = scored[vertex]
            child = tree.add(vertex, arrivals.tokens[rank - 1], arrivals.probs[rank - 1])
            worth[child] = -minus
            order = 2 * len(tree.tokens)
            if rank < len(arrivals.tokens):
                heapq.heappush(heap, (-worth[vertex] * arrivals.chances[rank], order, vertex, rank + 1))
            if tree.depths[child] < max_depth:
                heapq.heappush(heap, (minus, order + 1, child, 0))
        tree.expected = 1 + sum(worth[vertex] for vertex in range(len(tree.tokens)))
        return tree

    def _forward(
        self, tree: DraftTree, draft: TreeCache, scored: dict[int, _Scored], worth: dict[int, float], heap: list[tuple], position: int
    ) -> None:
        """One draft call for all vertices that may still be worth it: those among the best entries that there is room for."""
        room = self.settings.draft_tokens - len(tree.tokens)
        chosen = [entry for entry in heapq.nsmallest(room, heap) if entry[3] == 0]
        for entry in chosen:
            heap.remove(entry)
        heapq.heapify(heap)
        vertices = [entry[2] for entry in chosen]
        parents = [tree.rows[tree.parents[vertex]] for vertex in vertices]
        found = self._score(tree, draft, vertices, [tree.tokens[vertex] for vertex in vertices], parents, position)
        for vertex, (minus, order, _, _), one in zip(vertices, chosen, found, strict=True):
            scored[vertex] = one
            heapq.heappush(heap, (minus * one.chances[0], order, vertex, 1))

    @torch.inference_mode()
    def _score(
        self, tree: DraftTree, draft: TreeCache, vertices: list[int], tokens: Sequence[int], parents: Sequence[int], position: int
    ) -> list[_Scored]:
        """Forward the vertices and judge their first arrivals."""
        logits, rows = draft.extend(tokens, parents)
        q = transformed(logits[-len(vertices) :], self.settings, self.rule, self.vocab_size)
        entropies = entropy(q).tolist()
        found = []
        for i, vertex in enumerate(vertices):
            depth = tree.depths[vertex] if vertex >= 0 else 0
            order = self.rule.order(q[i : i + 1], Noise(self.settings.seed, position + depth))[0]
            first = order.topk(min(ARRIVALS, len(order)), largest=False)
            held = int(first.values.isfinite().sum())
            arrivals = first.indices[:held]
            probs = q[i][arrivals]
            features = arrival_features(first.values[:held].cpu().numpy(), probs.log().cpu().numpy(), entropies[i])
            tree.q[vertex], tree.rows[vertex], self._features[vertex] = q[i], rows[i - len(vertices)], features
            found.append(_Scored(arrivals.tolist(), probs.tolist(), self.arrivals.chances(features).tolist()))
        return found
