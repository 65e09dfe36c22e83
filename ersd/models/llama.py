"""A lean decoder for the Llama family: the forward pass written out, over keys and values that lie where they are.

Knows the layers that Llama, Mistral, Qwen2, Qwen3 and SmolLM share: RMSNorm, rotary positions, grouped queries, SwiGLU; with biases on
q, k and v (Qwen2) or norms on q and k (Qwen3), tied or untied head. A model of another kind runs through transformers, as `cache` has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers import PreTrainedModel

from .inference import inferring
from .product import Product, halved
from .rms_norm import RMSNorm
from .soonest import MOST_COPIED, take_soonest
from .tree_cache import DecoderCache, of_bits

FAMILY = ("llama", "mistral", "qwen2", "qwen3")
"""Model types whose layers may be like this. Whether they are is looked at, and the result is probed against transformers."""
FIRST_ENTRIES = 256
"""Entries that there is room for at first; doubled when they are full."""
_PARTS = {"input_layernorm", "self_attn", "post_attention_layernorm", "mlp"}
_ATTENTION = {"q_proj", "k_proj", "v_proj", "o_proj"}


class UnknownLayersError(ValueError):
    """The model is not of the kind that is written out here; the message says what differs."""


@dataclass(frozen=True)
class _Layer:
    """The weights of a layer."""

    before_attention: RMSNorm
    qkv: Product
    q_norm: RMSNorm | None
    k_norm: RMSNorm | None
    out: Product
    before_mlp: RMSNorm
    gate_up: Product
    down: Product


class LeanDecoder:
    """The weights of a model and its forward pass. Weights are shared with the model: its projections become views of the joined ones."""

    def __init__(self, model: PreTrainedModel) -> None:
        """Raises UnknownLayersError if the model is of another kind; it is left as it was then."""
        _check(model)
        config, body = model.config, model.model
        self.heads, self.groups = config.num_attention_heads, config.num_key_value_heads
        self.head_size = getattr(config, "head_dim", None) or config.hidden_size // self.heads
        self.embedding: Tensor = body.embed_tokens.weight.detach()
        self.layers = [_layer(layer, config.rms_norm_eps) for layer in body.layers]
        self.last_norm = RMSNorm(body.norm.weight.detach(), config.rms_norm_eps)
        self.head = Product(model.get_output_embeddings().weight.detach())
        self._frequencies: Tensor = body.rotary_emb.inv_freq.float()
        self._turn_scale: float = body.rotary_emb.attention_scaling
        self.turns = self._turned(FIRST_ENTRIES)
        """cos [positions, 1, 1, head_size / 2] and (-sin, sin) [positions, 1, 2, head_size / 2], in the model's precision"""
        self.is_halved = False
        """Are weights read in half precision?"""
        self.ways: dict[int, str] = {}
        """how so many rows are multiplied, where it was tried what is soonest (`soonest.ROWS`)"""

    @property
    def products(self) -> list[Product]:
        """All of a forward pass."""
        return [*(each for layer in self.layers for each in (layer.qkv, layer.out, layer.gate_up, layer.down)), self.head]

    def halve(self) -> None:
        """Weights are read in half precision from now on, unless it does not hold them, they are too many, or it cannot be done here."""
        if 2 * sum(product.weight.numel() for product in self.products) > MOST_COPIED:
            return
        try:
            for product in self.products:
                product.take((), halved(product.weight, product.bias))
            self.is_halved = True
        except (AttributeError, RuntimeError, ValueError):
            for product in self.products:
                product.restore()

    def take_soonest(self) -> None:
        """Several entries are scored as is soonest on this machine from now on; on a GPU as before."""
        if self.embedding.device.type == "cpu":
            self.ways = take_soonest(self.products)

    def allocate(self, entries: int) -> Tensor:
        """Memory for keys and values, [layers, 2, groups, entries, head_size]. Nothing stands in it: only what was written may be read."""
        return self.embedding.new_empty(len(self.layers), 2, self.groups, entries, self.head_size)

    def forward(self, tokens: Tensor, positions: Tensor, memory: Tensor, places: slice | Tensor, seen: Tensor | None, keep: int) -> Tensor:
        """Score new entries.

        Args:
            tokens, positions: int64 [n].
            memory: as `allocate` made it, filled up to the new entries.
            places: where the new entries go.
            seen: additive mask [n, m] over the memory's first m entries; None: one entry that sees all up to itself.
            keep: score only the last so many.

        Returns:
            logits [keep, width].
        """
        filled = memory.shape[3] if isinstance(places, Tensor) else places.stop
        end = filled if seen is None else seen.shape[1]
        # grouped queries: the queries that share keys stand below one another, as if they were more entries
        share = self.heads // self.groups
        seen = seen if seen is None or share == 1 else seen.repeat(share, 1)
        rotation = self.turns[0][positions], self.turns[1][positions]
        hidden, n = self.embedding[tokens], tokens.shape[0]
        for layer, kept in zip(self.layers, memory.unbind(), strict=True):
            query = self._remember(layer, kept, layer.before_attention(hidden), rotation, places)
            keys, values = kept[:, None, :, :end].unbind()
            mixed = F.scaled_dot_product_attention(query, keys, values, attn_mask=seen)
            mixed = mixed.view(self.heads, n, self.head_size).transpose(0, 1).flatten(1)
            hidden = hidden + layer.out(mixed)
            gate, up = layer.gate_up(layer.before_mlp(hidden)).chunk(2, dim=-1)
            hidden = hidden + layer.down(F.silu(gate) * up)
        return self.head(self.last_norm(hidden[-keep:]))

    def _remember(self, layer: _Layer, kept: Tensor, hidden: Tensor, rotation: tuple[Tensor, Tensor], places: slice | Tensor) -> Tensor:
        """The queries [1, groups, heads / groups * n, head_size] of `hidden`; its keys and values go to their places in memory."""
        heads, groups, size = self.heads, self.groups, self.head_size
        n = hidden.shape[0]
        joined = layer.qkv(hidden).view(n, heads + 2 * groups, size)
        turned, value = joined[:, : heads + groups], joined[:, heads + groups :]
        if layer.q_norm is not None and layer.k_norm is not None:
            query, key = turned.split([heads, groups], dim=1)
            turned = torch.cat([layer.q_norm(query), layer.k_norm(key)], 1)
        halves = turned.view(n, heads + groups, 2, size // 2)
        cosine, sine = rotation
        # (x, y) -> (x cos - y sin, y cos + x sin), of q and k at once
        turned = torch.addcmul(halves * cosine, halves.flip(-2), sine).flatten(-2).transpose(0, 1)
        kept[0, :, places] = turned[heads:]
        kept[1, :, places] = value.transpose(0, 1)
        return turned[:heads].reshape(1, groups, -1, size)

    def reach(self, positions: int) -> None:
        """Have rotations at hand for positions below this one."""
        if positions > self.turns[0].shape[0]:
            self.turns = self._turned(2 * positions)

    def _turned(self, positions: int) -> tuple[Tensor, Tensor]:
        angles = torch.outer(torch.arange(positions, device=self._frequencies.device).float(), self._frequencies)[:, None, None]
        cosine, sine = angles.cos() * self._turn_scale, angles.sin() * self._turn_scale
        return cosine.to(self.embedding.dtype), torch.cat([-sine, sine], -2).to(self.embedding.dtype)


class LeanCache(DecoderCache):
    """Scores token trees with a LeanDecoder. The prefix is never copied but when its memory is full and doubled."""

    def __init__(self, decoder: LeanDecoder) -> None:
        super().__init__(decoder.embedding.device)
        self.decoder = decoder
        self._memory = decoder.allocate(FIRST_ENTRIES)

    @inferring
    def extend(self, tokens: Sequence[int], parents: Sequence[int], logits_to_keep: int = 0) -> tuple[Tensor, list[int]]:
        """As `DecoderCache.extend`."""
        n, before = len(tokens), self._open(parents)
        start = self.committed + before
        self._make_room(start + n)
        ids, positions = self._numbers(tokens), self._numbers(self._positions[before:])
        # one entry that sees all others, as the next of a chain, needs no mask
        seen = None if n == 1 and self._sees_all(before) else self._mask(before)
        logits = self.decoder.forward(ids, positions, self._memory, slice(start, start + n), seen, logits_to_keep or n)
        return logits, list(range(before, before + n))

    @inferring
    def commit(self, entries: Sequence[int]) -> None:
        """As `DecoderCache.commit`."""
        start, end = self.committed, self.committed + len(entries)
        moved = self._moved(entries)
        if moved is not None:
            self._memory[:, :, :, start:end] = self._memory.index_select(3, moved.to(self._memory.device))
        self._close(end)

    def _mask(self, before: int) -> Tensor:
        """Additive, [new, all]."""
        among_open = _additive(tuple(self._visible[before:]), len(self._positions))
        mask = np.zeros((len(among_open), self.committed + among_open.shape[1]), np.float32)
        mask[:, self.committed :] = among_open
        return torch.from_numpy(mask).to(self._memory)

    def _numbers(self, numbers: Sequence[int]) -> Tensor:
        """As a tensor, in half of the time in which torch makes one of a list."""
        return torch.from_numpy(np.array(numbers, np.int64)).to(self._memory.device)

    def _make_room(self, entries: int) -> None:
        self.decoder.reach(entries)
        room = self._memory.shape[3]
        if entries > room:
            memory = self.decoder.allocate(max(entries, 2 * room))
            memory[:, :, :, :room] = self._memory
            self._memory = memory


@lru_cache(maxsize=8)
def _additive(visible: tuple[int, ...], count: int) -> np.ndarray:
    """What is added for each of the open entries, [visible, count], where it sees these (`DecoderCache._visible`). It is only read: trees
    of one shape come again and again."""
    return np.where(of_bits(visible, count), np.float32(0), np.float32(-np.inf))


def _check(model: PreTrainedModel) -> None:
    """UnknownLayersError unless the model's layers are those that are written out here."""
    config = model.config
    if config.model_type not in FAMILY or not hasattr(model, "model"):
        raise UnknownLayersError(f"{config.model_type} is not one of {', '.join(FAMILY)}")
    if config.hidden_act != "silu" or getattr(config, "mlp_bias", False):
        raise UnknownLayersError("its feed-forward part is not a plain SwiGLU")
    windowed = "sliding_attention" in (getattr(config, "layer_types", None) or ())
    if windowed or (config.model_type == "mistral" and config.sliding_window is not None):
        raise UnknownLayersError("its layers see only a window of the text")
    if config.rope_parameters.get("rope_type", "default") in ("dynamic", "longrope"):
        raise UnknownLayersError("its rotary positions depend on the length of the text")
    for layer in model.model.layers:
        attention = {name for name, _ in layer.self_attn.named_children()} - {"q_norm", "k_norm", "rotary_fn"}
        if {name for name, _ in layer.named_children()} != _PARTS or attention != _ATTENTION:
            raise UnknownLayersError("its layers have other parts")
    if any(name.endswith("_proj") and type(part) is not nn.Linear for name, part in model.model.layers.named_modules()):
        raise UnknownLayersError("its products are not plain ones")
    weights = {(weight.device, weight.dtype) for weight in model.parameters()}
    if len(weights) > 1:
        raise UnknownLayersError("its weights are not all of one precision on one device")
    device, dtype = weights.pop()
    if device.type == "cpu" and dtype != torch.float32:
        raise UnknownLayersError("it runs in half precision on a CPU")


def _layer(layer: Any, epsilon: float) -> _Layer:
    attention, mlp = layer.self_attn, layer.mlp

    def norm(part: nn.Module, name: str) -> RMSNorm | None:
        return RMSNorm(getattr(part, name).weight.detach(), epsilon) if hasattr(part, name) else None

    return _Layer(
        before_attention=RMSNorm(layer.input_layernorm.weight.detach(), epsilon),
        qkv=_joined([attention.q_proj, attention.k_proj, attention.v_proj]),
        q_norm=norm(attention, "q_norm"),
        k_norm=norm(attention, "k_norm"),
        out=_joined([attention.o_proj]),
        before_mlp=RMSNorm(layer.post_attention_layernorm.weight.detach(), epsilon),
        gate_up=_joined([mlp.gate_proj, mlp.up_proj]),
        down=_joined([mlp.down_proj]),
    )


def _joined(products: list[nn.Linear]) -> Product:
    """Several products of one input as one; their own weights and biases become views of its, so nothing is kept twice."""
    if len(products) == 1:
        (only,) = products
        return Product(only.weight.detach(), None if only.bias is None else only.bias.detach())
    weight = torch.cat([product.weight.detach() for product in products])
    bias = None if products[0].bias is None else torch.cat([product.bias.detach() for product in products])
    start = 0
    for product in products:
        end = start + product.out_features
        product.weight.data = weight[start:end]
        if bias is not None:
            product.bias.data = bias[start:end]
        start = end
    return Product(weight, bias)
