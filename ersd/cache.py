"""One model with a key/value cache over a prefix and the tree that grows from it.

Rows of the cache: first the committed prefix, then the open rows, each with a parent among them. `extend` appends open rows and scores
them in one forward pass under a tree mask; `commit` keeps the rows of one path and drops the rest.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence

import torch
from torch import Tensor
from transformers import DynamicCache, PreTrainedModel
from transformers.cache_utils import DynamicLayer

from .windows import Window, windows_of

ROOT = -1
"""Parent of an open row that continues the committed prefix."""

PREFILL_CHUNK = 512


class TreeCache:
    """Scores token trees with one decoder. Batch size 1."""

    def __init__(self, model: PreTrainedModel) -> None:
        self.model = model
        self.cache = DynamicCache()
        self.committed = 0
        self._positions: list[int] = []
        self._visible = torch.zeros(0, 0, dtype=torch.bool)
        self._windows = windows_of(model.config)
        self._keeps_logits = "logits_to_keep" in inspect.signature(model.forward).parameters

    def prefill(self, tokens: Sequence[int]) -> None:
        """Commit `tokens` behind the prefix; needs no open rows."""
        for start in range(0, len(tokens), PREFILL_CHUNK):
            chunk = tokens[start : start + PREFILL_CHUNK]
            rows = self.extend(chunk, range(ROOT, len(chunk) - 1), logits_to_keep=1)[1]
            self.commit(rows)

    @torch.inference_mode()
    def extend(self, tokens: Sequence[int], parents: Sequence[int], logits_to_keep: int = 0) -> tuple[Tensor, list[int]]:
        """Append open rows and score them.

        Args:
            tokens: their token ids.
            parents: for each the open row it continues, or ROOT; may point to rows of this same call that come before it.
            logits_to_keep: score only the last so many; 0 scores all.

        Returns:
            logits [n, width] in the model's precision, and the numbers of the new open rows.
        """
        before, n = len(self._positions), len(tokens)
        self._open(parents)
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

    @torch.inference_mode()
    def commit(self, rows: Sequence[int]) -> None:
        """Keep the open rows of one path from the prefix, in its order; forget all other open rows.

        Only the kept rows are moved: the prefix stays where it is.
        """
        start, end = self.committed, self.committed + len(rows)
        moved = None if list(rows) == list(range(len(rows))) else torch.tensor(rows, device=self.model.device) + start
        for layer in self.cache.layers:
            if not isinstance(layer, DynamicLayer) or layer.keys is None or layer.values is None:
                raise TypeError(f"a cache layer of type {type(layer).__name__} cannot be cut back to a path")
            if moved is not None:
                layer.keys[:, :, start:end] = layer.keys.index_select(2, moved)
                layer.values[:, :, start:end] = layer.values.index_select(2, moved)
            layer.keys, layer.values = layer.keys[:, :, :end], layer.values[:, :, :end]
        self.committed = end
        self._positions = []
        self._visible = torch.zeros(0, 0, dtype=torch.bool)

    def _open(self, parents: Sequence[int]) -> None:
        """Note position and visible open rows (its ancestors and itself) of every new row."""
        before, total = len(self._positions), len(self._positions) + len(parents)
        visible = torch.zeros(total, total, dtype=torch.bool)
        visible[:before, :before] = self._visible
        for row, parent in enumerate(parents, start=before):
            if parent == ROOT:
                self._positions.append(self.committed)
            else:
                self._positions.append(self._positions[parent] + 1)
                visible[row] = visible[parent]
            visible[row, row] = True
        self._visible = visible

    def _masks(self, before: int) -> Tensor | dict[str, Tensor]:
        """Masks [1, 1, new, all] for the rows from `before` on, one for all layers or one for each kind of layer.

        Additive, because eager attention is silently wrong with booleans. Windows go by positions: the rows of siblings do not count.
        """
        new = len(self._positions) - before
        seen = torch.cat([torch.ones(new, self.committed, dtype=torch.bool), self._visible[before:]], dim=1)
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
