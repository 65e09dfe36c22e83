"""Guesses without a draft model: which tokens followed the last few ones before, in the text so far and in a table of n-grams.

As prompt lookup does, but as a distribution that can be raced or drawn from: counts, longest context first (N-Grammys, arXiv 2411.03786).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..draft_tree import DraftTree
from .source import Source

LONGEST = 6
"""Tokens of the longest context that is looked up in the text so far. A copy is sure after a few; longer ones say nothing more."""


@dataclass(frozen=True)
class NGramTable:
    """Counts of the n-grams of a training text. A key has the n tokens as its digits to the base `vocab_size`; keys are sorted.

    Rare n-grams may be left out: what they counted goes to the shorter context, since the context's own count is known.
    """

    vocab_size: int
    keys: tuple[NDArray[np.int64], ...]
    """of the n-grams of 1 token, 2 tokens, …"""
    counts: tuple[NDArray[np.float64], ...]

    def distribution(self, text: list[int]) -> NDArray[np.float64]:
        """Probabilities [vocab_size] of the token after a text: q_n(w | c) = (N(c, w) + (N(c) - kept + d) q_(n-1)(w)) / (N(c) + d),
        where `kept` counts the tokens that the table has after the context c, and d how many there are."""
        q = np.zeros(self.vocab_size)
        q[self.keys[0]] = self.counts[0] / self.counts[0].sum()
        context = 0
        for n, (keys, counts) in enumerate(zip(self.keys[1:], self.counts[1:], strict=True), start=1):
            if n > len(text):
                break
            context = sum(token * self.vocab_size**place for place, token in enumerate(reversed(text[-n:])))
            first, last = np.searchsorted(keys, [context * self.vocab_size, (context + 1) * self.vocab_size])
            if first == last:
                break
            kept = counts[first:last].sum()
            total = self.counts[n - 1][np.searchsorted(self.keys[n - 1], context)]  # a context is as frequent as its n-grams
            q *= (total - kept + last - first) / (total + last - first)
            q[keys[first:last] % self.vocab_size] += counts[first:last] / (total + last - first)
        return q

    @classmethod
    def read(cls, path: Path) -> NGramTable:
        """A table that `assets/count_ngrams.py` wrote."""
        with np.load(path) as stored:
            orders = range(1, 1 + sum(name.startswith("gaps") for name in stored.files))
            keys = tuple(stored[f"gaps_{n}"].cumsum(dtype=np.int64) for n in orders)
            counts = tuple(stored[f"counts_{n}"].astype(np.float64) for n in orders)
            return cls(int(stored["vocab_size"]), keys, counts)

    def write(self, path: Path) -> None:
        """Write it compressed: the gaps between the keys are small."""
        orders = range(len(self.keys))
        stored: dict[str, Any] = {"vocab_size": np.array(self.vocab_size)}
        for n in orders:
            stored |= {f"gaps_{n + 1}": np.diff(self.keys[n], prepend=0), f"counts_{n + 1}": self.counts[n].astype(np.uint32)}
        np.savez_compressed(path, **stored)


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
