"""The tree cache of any decoder of transformers whose layers follow a tree mask; `selfcheck.probe` checks that they do."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

import torch
from torch import Tensor
from transformers import DynamicCache, PreTrainedModel
from transformers.cache_utils import DynamicLayer

from .tree_cache import DecoderCache
from .windows import Window, windows_of


class TransformersCache(DecoderCache):
    """Scores token trees through the model's own forward and a DynamicCache."""

    def __init__(self, model: PreTrainedModel, layers: Sequence[int] = ()) -> None:
        super().__init__(model.device, layers)
        self.model = model
        self.cache = DynamicCache()
        self._windows = windows_of(model.config)
        parameters = inspect.signature(model.forward).parameters
        self._keeps_logits = "logits_to_keep" in parameters
        self._cache_name = "cache" if "cache" in parameters else "past_key_values"  # before transformers 5.24

    def _forward(self, tokens: list[int], before: int, logits_to_keep: int) -> Tensor:
        more = {self._cache_name: self.cache} | ({"logits_to_keep": logits_to_keep} if self._keeps_logits else {})
        more |= {"output_hidden_states": True} if self.layers else {}
        device = self.model.device
        output = self.model(
            input_ids=torch.tensor([tokens], device=device),
            position_ids=torch.tensor([self._positions[before:]], device=device),
            attention_mask=self._masks(before),
            use_cache=True,
            **more,
        )
        if self.layers:
            # the layers of a large model may be on several devices
            self._open_states.append(torch.stack([output.hidden_states[layer][0].to(self.device) for layer in self.layers]))
        return output.logits[0, -(logits_to_keep or len(tokens)) :]

    @torch.inference_mode()
    def commit(self, entries: Sequence[int]) -> None:
        """As `DecoderCache.commit`. TypeError if a layer keeps its keys and values in another way."""
        start, end = self.committed, self.committed + len(entries)
        moved = self._moved(entries)
        for layer in self.cache.layers:
            if not isinstance(layer, DynamicLayer) or layer.keys is None or layer.values is None:
                raise TypeError(f"a cache layer of type {type(layer).__name__} cannot be cut back to a path")
            if moved is not None:
                index = moved.to(layer.keys.device)  # the layers of a large model may be on several devices
                layer.keys[:, :, start:end] = layer.keys.index_select(2, index)
                layer.values[:, :, start:end] = layer.values.index_select(2, index)
            layer.keys, layer.values = layer.keys[:, :, :end], layer.values[:, :, :end]
        self._close(entries)

    def _masks(self, before: int) -> Tensor | dict[str, Tensor]:
        """Additive masks [1, 1, new, all] of the entries from `before` on: one for all layers, or one per kind of layer.

        Additive because eager attention is silently wrong with boolean masks. Windows are measured in positions of the text: siblings
        take up entries of the cache, but no positions.
        """
        attended = self._attended(before)
        positions = torch.tensor(self._positions)
        queries, keys = positions[before:, None], torch.cat([torch.arange(self.committed), positions])

        def mask(window: Window | None) -> Tensor:
            return self._additive(attended if window is None else attended & window.near(queries, keys))

        if isinstance(self._windows, dict):
            return {kind: mask(window) for kind, window in self._windows.items()}
        return mask(self._windows)

    def _additive(self, attended: Tensor) -> Tensor:
        dtype = self.model.dtype
        mask = torch.zeros(attended.shape, dtype=dtype).masked_fill_(~attended, torch.finfo(dtype).min)
        return mask[None, None].to(self.model.device)
