"""Counts of the n-grams of a training text, and the distribution of the next token that follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


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
