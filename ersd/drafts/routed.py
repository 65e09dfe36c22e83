"""Several sources of guesses, of which one is chosen before each step by how well they guessed before (Hedge, as in arXiv 2510.20064).

All of them read the text and score its next token, the chosen one drafts the tree. Its own distribution is what the guesses are drawn from
and judged by, and the choice follows from the steps before alone, never from what is drawn in this one: so every rule stays exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from ..draft_tree import ROOT, DraftTree, Routing
from ..rules.base import Rule
from ..settings import Settings
from ..walk import VisitedNode
from .source import Source, rank_after

RATE = 1.0
"""η: the weight of a source is exp(-η times the sum of its losses)."""
MEMORY = 0.95
"""What a loss counts for after one further step: about 20 steps count, so that the choice follows a text that turns."""


class Routed(Source):
    """Chooses the source of the largest weight. A loss is taken after the root, where all sources guess, in every step:

    for a rule that races or takes the favourite, 1 unless the source's first guess is the target's token; else 1 - Σ min(p, q), the
    probability that a coin rejects its guess.
    """

    def __init__(self, sources: Mapping[str, Source], rule: Rule, settings: Settings, vocab_size: int) -> None:
        """`sources`: at least two, by name; the first one begins. `rule`: of the run."""
        self.sources, self.rule, self.settings, self.vocab_size = dict(sources), rule, settings, vocab_size
        self.context = min(source.context for source in sources.values())
        self._observers = {name: source for name, source in sources.items() if source.layers}
        self.layers = [layer for source in self._observers.values() for layer in source.layers]
        self._losses = dict.fromkeys(sources, 0.0)
        """of each source, the older ones discounted"""
        self._guesses: dict[str, Tensor] = {}
        """source -> its logits [vocab] after the text, -inf where it has no guess; empty where nothing is drafted"""
        self.routing: Routing = self._chosen()

    def root(self, sequence: list[int]) -> Tensor:
        self.routing = self._chosen()
        rows = {name: source.root(sequence)[:, : self.vocab_size] for name, source in self.sources.items()}
        self._guesses = {name: logits[-1] for name, logits in rows.items()}
        return rows[self.routing.source]

    def after(self, tree: DraftTree, nodes: list[int]) -> Tensor:
        return self.sources[self.routing.source].after(tree, nodes)

    def learn(self, visited: Sequence[VisitedNode]) -> None:
        if not self._guesses:
            return  # nothing was drafted
        root = next(one for one in visited if one.node == ROOT)
        self.routing.losses = {name: self._loss(logits, root) for name, logits in self._guesses.items()}
        for name, loss in self.routing.losses.items():
            self._losses[name] = MEMORY * self._losses[name] + loss

    def commit(self, path: list[int]) -> None:
        for name, source in self.sources.items():
            source.commit(path if name == self.routing.source else [])
        self._guesses = {}

    def drop(self) -> None:
        for source in self.sources.values():
            source.drop()

    def observe(self, states: Tensor) -> None:
        for source in self._observers.values():
            own, states = states[: len(source.layers)], states[len(source.layers) :]
            source.observe(own)

    def _chosen(self) -> Routing:
        """The weights now, and the source that has the largest."""
        names = list(self.sources)
        weights = (-RATE * torch.tensor([self._losses[name] for name in names], dtype=torch.float64)).softmax(0).tolist()
        return Routing(max(names, key=dict(zip(names, weights, strict=True)).__getitem__), dict(zip(names, weights, strict=True)))

    def _loss(self, logits: Tensor, root: VisitedNode) -> float:
        """What a source loses after the text, from its logits [vocab]."""
        if not logits.amax() > -torch.inf:
            return 1.0  # no guess
        rank = rank_after(self.rule, logits, self.settings, root.scored.noise(ROOT), root.token)
        if rank is not None:
            return float(rank != 1)
        q = self.rule.distributions(logits[None], self.settings)
        return 1 - float(torch.minimum(root.scored.p(ROOT), q).sum())
