"""A source of drafts without a model, counts of the n-grams in the text so far: as much of one as it takes to prove the seam."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from ersd import ModelPair
from ersd.draft_tree import ROOT, DraftTree
from ersd.drafts.source import MAKERS, Source
from ersd.settings import SOURCES

LONGEST = 3
"""Tokens of the longest n-gram: two that are known, and the one that follows."""


class NGrams(Source):
    """What followed the last two tokens before in the text, or else the last one, or else any token.

    `smoothing` is added to every count; with 0 all tokens but those seen have probability 0, so some children cannot be drafted.
    `least`: the fewest known tokens that a guess takes; where they were not seen before in the text, there is no guess.
    """

    def __init__(self, vocab_size: int, smoothing: float, least: int = 0) -> None:
        self.vocab_size, self.smoothing, self.least = vocab_size, smoothing, least
        self.text: list[int] = []
        self.followed: dict[tuple[int, ...], Counter[int]] = defaultdict(Counter)

    def root(self, sequence: list[int]) -> Tensor:
        for end in range(len(self.text), len(sequence)):
            for length in range(min(LONGEST, end + 1)):
                self.followed[tuple(sequence[end - length : end])][sequence[end]] += 1
        self.text = list(sequence)
        return self._after(self.text).unsqueeze(0)

    def after(self, tree: DraftTree, nodes: list[int]) -> Tensor:
        return torch.stack([self._after(self.text + path(tree, node)) for node in nodes])

    def commit(self, path: list[int]) -> None:
        return  # the next tree is given the whole text

    def _after(self, text: list[int]) -> Tensor:
        known = (tuple(text[len(text) - length :]) for length in range(LONGEST - 1, self.least - 1, -1))
        found = next((self.followed[each] for each in known if each in self.followed), None)
        if found is None:
            return torch.full((self.vocab_size,), -torch.inf)
        counts = torch.full((self.vocab_size,), self.smoothing)
        for token, count in found.items():
            counts[token] += count
        return counts.log()


def path(tree: DraftTree, node: int) -> list[int]:
    """The drafted tokens down to a node."""
    tokens: list[int] = []
    while node != ROOT:
        tokens.insert(0, tree.tokens[node])
        node = tree.parents[node]
    return tokens


def drafted_by_ngrams(pair: ModelPair, monkeypatch: pytest.MonkeyPatch, smoothing: float = 0.0, least: int = 0) -> ModelPair:
    """The pair's target alone, for runs whose source is "ngram"; for one test."""
    monkeypatch.setitem(SOURCES, "ngram", "counts of the text so far")
    monkeypatch.setitem(MAKERS, "ngram", lambda pair: NGrams(pair.vocab_size, smoothing, least))
    return replace(pair, draft=None, hazards={})
