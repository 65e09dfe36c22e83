"""Guesses without a draft model: which tokens followed the last few ones before, in the text so far and in a table of n-grams.

As prompt lookup does, but as a distribution that can be raced or drawn from: counts, longest context first (N-Grammys, arXiv 2411.03786).
Within a step the counts stay, so after a node they depend on its path alone: guesses drawn from them are judged by them, and every rule is
exact.
"""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..draft_tree import DraftTree
from ..text.ngram_table import NGramTable
from .source import Source

LONGEST = 6
"""Tokens of the longest context that is looked up in the text so far. A copy is sure after a few; longer ones say nothing more."""


class NGrams(Source):
    """Counts of the text so far, on top of a table where there is one. Without one, there is no guess after a token that is new."""

    def __init__(self, vocab_size: int, table: NGramTable | None = None, device: torch.device | str = "cpu") -> None:
        self.vocab_size, self.table, self.device = vocab_size, table, device
        self._text: list[int] = []
        self._followed: dict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
        """context -> how often each token came after it in the text"""

    def root(self, sequence: list[int]) -> Tensor:
        for end in range(max(1, len(self._text)), len(sequence)):
            for length in range(1, min(LONGEST, end) + 1):
                self._followed[tuple(sequence[end - length : end])][sequence[end]] += 1
        self._text = list(sequence)
        return self._logits([self._text])

    def after(self, tree: DraftTree, nodes: list[int]) -> Tensor:
        return self._logits([self._text[-LONGEST:] + tree.path_tokens(node) for node in nodes])

    def commit(self, path: list[int]) -> None:
        return  # the next tree is given the whole text

    def _logits(self, texts: list[list[int]]) -> Tensor:
        with np.errstate(divide="ignore"):
            logits = np.log(np.stack([self._distribution(text) for text in texts]))
        return torch.from_numpy(logits).to(self.device, torch.float32)

    def _distribution(self, text: list[int]) -> NDArray[np.float64]:
        """Probabilities [vocab_size] after a text; all 0 where there is no guess."""
        q = np.zeros(self.vocab_size)
        if self.table:
            known = self.table.distribution(text)
            q[: len(known)] = known
        for length in range(1, min(LONGEST, len(text)) + 1):
            counts = self._followed.get(tuple(text[-length:]))
            if not counts:
                break  # a longer context was not there either
            total, kinds = sum(counts.values()), len(counts) if q.any() else 0
            q *= kinds / (total + kinds)
            q[list(counts)] += np.fromiter(counts.values(), float) / (total + kinds)
        return q
