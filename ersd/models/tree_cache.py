"""A decoder with a key/value cache over a prefix and the tree that grows from it.

Entries of the cache: first the committed prefix, then the open entries, each with a parent among them. `extend` appends open entries and
scores them in one forward pass under a tree mask; `commit` keeps the entries of one path and drops the rest. `TreeCache` does so with any
decoder of transformers, `lean.LeanCache` with those of the Llama family, sooner.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from transformers import DynamicCache, PreTrainedModel
from transformers.cache_utils import DynamicLayer

from .inference import inferring
from .windows import Window, windows_of

ROOT = -1
"""Parent of an open entry that continues the committed prefix."""

PREFILL_CHUNK = 512


def of_bits(numbers: Sequence[int], count: int) -> np.ndarray:
    """bool [numbers, count]: the lowest bits of each, the lowest first."""
    width = -(-count // 8)
    in_bytes = np.frombuffer(b"".join(number.to_bytes(width, "little") for number in numbers), np.uint8)
    return np.unpackbits(in_bytes.reshape(-1, width), axis=1, count=count, bitorder="little").view(bool)


class DecoderCache(ABC):
    """The entries: which are committed, which are open, and what each open one sees. Batch size 1."""

    def __init__(self, device: torch.device) -> None:
        """`device`: where logits come out."""
        self.device = device
        self.committed = 0
        self._positions: list[int] = []
        """of the open entries, in the text"""
        self._visible: list[int] = []
        """which open entries each of them sees, its ancestors and itself: bit i stands for entry i. Of few entries an array takes longer"""

    def prefill(self, tokens: Sequence[int]) -> None:
        """Commit `tokens` behind the prefix; needs no open entries."""
        for start in range(0, len(tokens), PREFILL_CHUNK):
            chunk = tokens[start : start + PREFILL_CHUNK]
            entries = self.extend(chunk, range(ROOT, len(chunk) - 1), logits_to_keep=1)[1]
            self.commit(entries)

    @abstractmethod
    def extend(self, tokens: Sequence[int], parents: Sequence[int], logits_to_keep: int = 0) -> tuple[Tensor, list[int]]:
        """Append open entries and score them.

        Args:
            tokens: their token ids.
            parents: for each the open entry it continues, or ROOT; may point to entries of this same call that come before it.
            logits_to_keep: score only the last so many; 0 scores all.

        Returns:
            logits [n, width] in the model's precision, and the numbers of the new open entries.
        """

    @abstractmethod
    def commit(self, entries: Sequence[int]) -> None:
        """Keep the open entries of one path from the prefix, in its order; forget all other open entries.

        Only the kept entries are moved: the prefix stays where it is.
        """

    def _open(self, parents: Sequence[int]) -> int:
        """Note position and visible open entries of every new entry; returns how many were open before."""
        before = len(self._positions)
        for entry, parent in enumerate(parents, start=before):
            is_first = parent == ROOT
            self._positions.append(self.committed if is_first else self._positions[parent] + 1)
            self._visible.append((0 if is_first else self._visible[parent]) | 1 << entry)
        return before

    def _close(self, committed: int) -> None:
        """No entry is open any more, and so many are committed."""
        self.committed = committed
        self._positions, self._visible = [], []

    def _sees_all(self, entry: int) -> bool:
        """Does this open entry see all that are open up to itself, as the next of a chain?"""
        return self._visible[entry] == (1 << entry + 1) - 1

    def _seen(self, before: int) -> np.ndarray:
        """bool [new, all]: what the open entries from `before` on see, the prefix and their ancestors."""
        new, every = self._visible[before:], len(self._positions)
        seen = np.ones((len(new), self.committed + every), dtype=bool)
        seen[:, self.committed :] = of_bits(new, every)
        return seen

    def _moved(self, entries: Sequence[int]) -> Tensor | None:
        """Where the entries of a path lie in the cache, int64 [entries]; None where they lie in their places already."""
        return None if list(entries) == list(range(len(entries))) else torch.tensor(list(entries)) + self.committed


class TreeCache(DecoderCache):
    """Scores token trees with any decoder of transformers whose layers follow a tree mask (`probe` finds out)."""

    def __init__(self, model: PreTrainedModel) -> None:
        super().__init__(model.device)
        self.model = model
        self.cache = DynamicCache()
        self._windows = windows_of(model.config)
        self._keeps_logits = "logits_to_keep" in inspect.signature(model.forward).parameters

    @inferring
    def extend(self, tokens: Sequence[int], parents: Sequence[int], logits_to_keep: int = 0) -> tuple[Tensor, list[int]]:
        """As `DecoderCache.extend`."""
        n, before = len(tokens), self._open(parents)
        keep = {"logits_to_keep": logits_to_keep} if self._keeps_logits else {}
        device = self.model.device
        output = self.model(
            input_ids=torch.tensor([list(tokens)], device=device),
            position_ids=torch.tensor([self._positions[before:]], device=device),
            attention_mask=self._masks(before),
            past_key_values=self.cache,
            use_cache=True,
            **keep,
        )
        return output.logits[0, -(logits_to_keep or n) :], list(range(before, before + n))

    @inferring
    def commit(self, entries: Sequence[int]) -> None:
        """As `DecoderCache.commit`."""
        start, end = self.committed, self.committed + len(entries)
        moved = self._moved(entries)
        for layer in self.cache.layers:
            if not isinstance(layer, DynamicLayer) or layer.keys is None or layer.values is None:
                raise TypeError(f"a cache layer of type {type(layer).__name__} cannot be cut back to a path")
            if moved is not None:
                here = moved.to(layer.keys.device)  # the layers of a large model may lie on several devices
                layer.keys[:, :, start:end] = layer.keys.index_select(2, here)
                layer.values[:, :, start:end] = layer.values.index_select(2, here)
            layer.keys, layer.values = layer.keys[:, :, :end], layer.values[:, :, :end]
        self._close(end)

    def _masks(self, before: int) -> Tensor | dict[str, Tensor]:
        """Masks [1, 1, new, all] for the entries from `before` on, one for all layers or one for each kind of layer.

        Additive, because eager attention is silently wrong with booleans. Windows go by positions: the entries of siblings do not count.
        """
        seen = torch.from_numpy(self._seen(before))
        positions = torch.tensor(self._positions)
        queries, keys = positions[before:, None], torch.cat([torch.arange(self.committed), positions])

        def mask(window: Window | None) -> Tensor:
            return self._additive(seen if window is None else seen & window.near(queries, keys))

        if isinstance(self._windows, dict):
            return {kind: mask(window) for kind, window in self._windows.items()}
        return mask(self._windows)

    def _additive(self, seen: Tensor) -> Tensor:
        dtype = self.model.dtype
        mask = torch.zeros(seen.shape, dtype=dtype).masked_fill_(~seen, torch.finfo(dtype).min)
        return mask[None, None].to(self.model.device)
