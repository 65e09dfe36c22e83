"""The forward pass of the Llama family, written out, and its tree cache.

Covers the layers that Llama, Mistral, Qwen2, Qwen3 and SmolLM share: RMSNorm, rotary positions, grouped queries, SwiGLU; with biases on
q, k and v (Qwen2) or norms on q and k (Qwen3), with tied or untied head. Other models run through `transformers_cache`.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers import PreTrainedModel

from .layers import Linear, RMSNorm
from .tree_cache import DecoderCache

if TYPE_CHECKING:
    from .cuda_graphs import StaticMemory

FAMILY = ("llama", "mistral", "qwen2", "qwen3")
"""Model types that may have these layers. `_check` looks at the layers, and `selfcheck` compares the result with transformers."""
FIRST_ENTRIES = 256
"""Entries that a new cache has room for; doubled when it is full."""
MAX_COPIED_BYTES = 2**28
"""Models with larger weights keep no copies of them for few rows (`Linear.for_few_rows`)."""
CACHED_BYTES = 2**23
"""Weights up to this size stay in the processor's cache between calls: there the packed kernel pays from 5 rows on, else from 2. For 2 to 4
rows of a model 128 wide it takes 1.6 times as long as the weight by columns, of one 512 wide 0.55 times (measured on an Intel Xeon)."""
_PARTS = {"input_layernorm", "self_attn", "post_attention_layernorm", "mlp"}
_ATTENTION = {"q_proj", "k_proj", "v_proj", "o_proj"}


class UnsupportedModelError(ValueError):
    """The model has other layers than the Llama decoder; the message names the difference."""


@dataclass(frozen=True)
class _Layer:
    """The weights of one layer."""

    attention_norm: RMSNorm
    qkv: Linear
    q_norm: RMSNorm | None
    k_norm: RMSNorm | None
    out: Linear
    mlp_norm: RMSNorm
    gate_up: Linear
    down: Linear


class LlamaDecoder:
    """The weights of a model and its forward pass. Weights are shared with the model: its projections become views of the joined ones."""

    def __init__(self, model: PreTrainedModel) -> None:
        """Raises UnsupportedModelError, and leaves the model as it is, if the model has other layers."""
        _check(model)
        config, body = model.config, model.model
        self.heads, self.groups = config.num_attention_heads, config.num_key_value_heads
        self.head_size = getattr(config, "head_dim", None) or config.hidden_size // self.heads
        size = sum(weight.nbytes for weight in model.parameters())
        is_copied = model.device.type == "cpu" and size <= MAX_COPIED_BYTES
        self._least_packed = least_packed = (5 if size <= CACHED_BYTES else 2) if is_copied else None
        self.layers = [_layer(layer, config.rms_norm_eps, least_packed) for layer in body.layers]
        self.last_norm: Callable[[Tensor], Tensor] = RMSNorm(body.norm.weight.detach(), config.rms_norm_eps)
        self.head = _joined([model.get_output_embeddings()], least_packed)
        self.embedding: Tensor = body.embed_tokens.weight.detach()
        self._frequencies: Tensor = body.rotary_emb.inv_freq.float()
        self._rotary_scale: float = body.rotary_emb.attention_scaling
        self.rotations = self._rotations(FIRST_ENTRIES)
        """cos [positions, 1, 1, head_size / 2] and (-sin, sin) [positions, 1, 2, head_size / 2], in the model's precision"""
        self._replaced: list[tuple[Tensor, Tensor]] = []
        """shorter rotations from before, at whose addresses a CUDA graph may read them; together smaller than the present ones"""
        self._growing = threading.Lock()
        self.spare: dict[int, deque[StaticMemory]] = {}
        """entries of room -> memories that no text uses at present"""

    def first(self, layers: int, last_norm: Callable[[Tensor], Tensor]) -> LlamaDecoder:
        """A decoder of the first layers, with these weights; `last_norm`: from their hidden states [n, width] to what the head reads."""
        part = self._copied()
        part.layers, part.last_norm = self.layers[:layers], last_norm
        return part

    def with_head(self, tokens: Tensor) -> LlamaDecoder:
        """A decoder with the same layers, which computes the logits of these tokens alone, int64 [kept], in their order."""
        part = self._copied()
        part.head = Linear(self.head.weight[tokens], None if self.head.bias is None else self.head.bias[tokens])
        if self._least_packed is not None:
            part.head.for_few_rows(self._least_packed)
        return part

    def _copied(self) -> LlamaDecoder:
        """Another decoder with these weights."""
        part = copy(self)
        part.spare, part._growing, part._replaced = {}, threading.Lock(), []
        return part

    def allocate(self, entries: int) -> Tensor:
        """Uninitialised memory for keys and values, [layers, 2, groups, entries, head_size]."""
        return self.embedding.new_empty(len(self.layers), 2, self.groups, entries, self.head_size)

    def forward(
        self,
        tokens: Tensor,
        positions: Tensor,
        memory: Tensor,
        slots: slice | Tensor,
        mask: Tensor | None,
        keep: int,
        states: list[Tensor] | None = None,
    ) -> Tensor:
        """Score new entries.

        Args:
            tokens, positions: int64 [n].
            memory: keys and values from `allocate`, filled up to the new entries.
            slots: where the new entries are stored.
            mask: additive [n, m] over the first m entries of the memory; None: a single entry that attends to all up to itself.
            keep: return logits of the last N entries only.
            states: gets the hidden states [n, width] of every layer, as transformers' `hidden_states`.

        Returns:
            Logits [keep, width].
        """
        filled = memory.shape[3] if isinstance(slots, Tensor) else slots.stop
        end = filled if mask is None else mask.shape[1]
        # grouped queries: queries that share keys are stacked as if they were more entries
        share = self.heads // self.groups
        mask = mask if mask is None or share == 1 else mask.repeat(share, 1)
        rotation = self.rotations[0][positions], self.rotations[1][positions]
        hidden, n = self.embedding[tokens], tokens.shape[0]
        for layer, stored in zip(self.layers, memory.unbind(), strict=True):
            if states is not None:
                states.append(hidden)
            query = self._store(layer, stored, layer.attention_norm(hidden), rotation, slots)
            keys, values = stored[:, None, :, :end].unbind()
            mixed = F.scaled_dot_product_attention(query, keys, values, attn_mask=mask)
            mixed = mixed.view(self.heads, n, self.head_size).transpose(0, 1).flatten(1)
            hidden = hidden + layer.out(mixed)
            gate, up = layer.gate_up(layer.mlp_norm(hidden)).chunk(2, dim=-1)
            hidden = hidden + layer.down(F.silu(gate) * up)
        if states is not None:
            states.append(self.last_norm(hidden))
        return self.head(self.last_norm(hidden[-keep:]))

    def _store(self, layer: _Layer, stored: Tensor, hidden: Tensor, rotation: tuple[Tensor, Tensor], slots: slice | Tensor) -> Tensor:
        """Store the keys and values of `hidden` in their slots; returns its queries [1, groups, heads / groups * n, head_size]."""
        heads, groups, size = self.heads, self.groups, self.head_size
        n = hidden.shape[0]
        joined = layer.qkv(hidden).view(n, heads + 2 * groups, size)
        rotated, value = joined[:, : heads + groups], joined[:, heads + groups :]
        if layer.q_norm is not None and layer.k_norm is not None:
            query, key = rotated.split([heads, groups], dim=1)
            rotated = torch.cat([layer.q_norm(query), layer.k_norm(key)], 1)
        halves = rotated.view(n, heads + groups, 2, size // 2)
        cosine, sine = rotation
        # (x, y) -> (x cos - y sin, y cos + x sin), for q and k together
        rotated = torch.addcmul(halves * cosine, halves.flip(-2), sine).flatten(-2).transpose(0, 1)
        stored[0, :, slots] = rotated[heads:]
        stored[1, :, slots] = value.transpose(0, 1)
        return rotated[:heads].reshape(1, groups, -1, size)

    def reserve(self, positions: int) -> None:
        """Compute the rotations of all positions below this one, if they are not there yet. They never become fewer."""
        if positions > self.rotations[0].shape[0]:
            with self._growing:  # another run may have computed more of them meanwhile
                if positions > self.rotations[0].shape[0]:
                    self._replaced.append(self.rotations)
                    self.rotations = self._rotations(2 * positions)

    def _rotations(self, positions: int) -> tuple[Tensor, Tensor]:
        angles = torch.outer(torch.arange(positions, device=self._frequencies.device).float(), self._frequencies)[:, None, None]
        cosine, sine = angles.cos() * self._rotary_scale, angles.sin() * self._rotary_scale
        return cosine.to(self.embedding.dtype), torch.cat([-sine, sine], -2).to(self.embedding.dtype)


class LlamaCache(DecoderCache):
    """Scores token trees with a LlamaDecoder. The text's keys and values are copied only when the memory is full and doubled."""

    def __init__(self, decoder: LlamaDecoder, layers: Sequence[int] = ()) -> None:
        super().__init__(decoder.embedding.device, layers)
        self.decoder = decoder
        self._memory = decoder.allocate(FIRST_ENTRIES)

    def _forward(self, tokens: list[int], before: int, logits_to_keep: int) -> Tensor:
        n, start, device = len(tokens), self.committed + before, self.device
        self._make_room(start + n)
        ids, positions = torch.tensor(tokens, device=device), torch.tensor(self._positions[before:], device=device)
        # one entry that attends to all others, the next one of a chain, needs no mask
        mask = None if n == 1 and self._ancestors[before].all() else self._mask(before)
        states: list[Tensor] | None = [] if self.layers else None
        logits = self.decoder.forward(ids, positions, self._memory, slice(start, start + n), mask, logits_to_keep or n, states)
        if states:
            self._open_states.append(torch.stack([states[layer] for layer in self.layers]))
        return logits

    @torch.inference_mode()
    def commit(self, entries: Sequence[int]) -> None:
        """As `DecoderCache.commit`."""
        start, end = self.committed, self.committed + len(entries)
        moved = self._moved(entries)
        if moved is not None:
            self._memory[:, :, :, start:end] = self._memory.index_select(3, moved.to(self.device))
        self._close(entries)

    def _mask(self, before: int) -> Tensor:
        """Additive mask [new, all]."""
        attended = self._attended(before)
        return torch.zeros(attended.shape, dtype=self._memory.dtype).masked_fill_(~attended, -torch.inf).to(self.device)

    def _make_room(self, entries: int) -> None:
        self.decoder.reserve(entries)
        room = self._memory.shape[3]
        if entries > room:
            memory = self.decoder.allocate(max(entries, 2 * room))
            memory[:, :, :, :room] = self._memory
            self._memory = memory


def _check(model: PreTrainedModel) -> None:
    """UnsupportedModelError unless the model's layers are the ones written out here."""
    config = model.config
    if config.model_type not in FAMILY or not hasattr(model, "model"):
        raise UnsupportedModelError(f"{config.model_type} is not one of {', '.join(FAMILY)}")
    if config.hidden_act != "silu" or getattr(config, "mlp_bias", False):
        raise UnsupportedModelError("its feed-forward part is not a plain SwiGLU")
    windowed = "sliding_attention" in (getattr(config, "layer_types", None) or ())
    if windowed or (config.model_type == "mistral" and config.sliding_window is not None):
        raise UnsupportedModelError("its layers see only a window of the text")
    if config.rope_parameters.get("rope_type", "default") in ("dynamic", "longrope"):
        raise UnsupportedModelError("its rotary positions depend on the length of the text")
    for layer in model.model.layers:
        attention = {name for name, _ in layer.self_attn.named_children()} - {"q_norm", "k_norm", "rotary_fn"}
        if {name for name, _ in layer.named_children()} != _PARTS or attention != _ATTENTION:
            raise UnsupportedModelError("its layers have other parts")
    if any(name.endswith("_proj") and type(part) is not nn.Linear for name, part in model.model.layers.named_modules()):
        raise UnsupportedModelError("its projections are not plain linear layers")
    weights = {(weight.device, weight.dtype) for weight in model.parameters()}
    if len(weights) > 1:
        raise UnsupportedModelError("its weights are not all of one precision on one device")
    device, dtype = weights.pop()
    if device.type == "cpu" and dtype != torch.float32:
        raise UnsupportedModelError("it runs in half precision on a CPU")


def _layer(layer: Any, epsilon: float, least_packed: int | None) -> _Layer:
    attention, mlp = layer.self_attn, layer.mlp

    def norm(part: nn.Module, name: str) -> RMSNorm | None:
        return RMSNorm(getattr(part, name).weight.detach(), epsilon) if hasattr(part, name) else None

    return _Layer(
        attention_norm=RMSNorm(layer.input_layernorm.weight.detach(), epsilon),
        qkv=_joined([attention.q_proj, attention.k_proj, attention.v_proj], least_packed),
        q_norm=norm(attention, "q_norm"),
        k_norm=norm(attention, "k_norm"),
        out=_joined([attention.o_proj], least_packed),
        mlp_norm=RMSNorm(layer.post_attention_layernorm.weight.detach(), epsilon),
        gate_up=_joined([mlp.gate_proj, mlp.up_proj], least_packed),
        down=_joined([mlp.down_proj], least_packed),
    )


def _joined(projections: list[nn.Linear], least_packed: int | None) -> Linear:
    """Several projections of one input as one. Their own weights and biases become views of its, so nothing is stored twice.

    `least_packed`: as in `Linear.for_few_rows`; None for no copies.
    """
    weights = [projection.weight.detach() for projection in projections]
    biases = [projection.bias.detach() for projection in projections if projection.bias is not None]
    joined = Linear(_concatenated(weights), _concatenated(biases) if biases else None)
    if least_packed is not None:
        joined.for_few_rows(least_packed)
    start = 0
    for projection in projections:
        end = start + projection.out_features
        projection.weight.data = joined.weight[start:end]
        if joined.bias is not None:
            projection.bias.data = joined.bias[start:end]
        start = end
    return joined


def _concatenated(parts: list[Tensor]) -> Tensor:
    return parts[0] if len(parts) == 1 else torch.cat(parts)
