"""How far the layers of a model see, and how long a text it takes, read from its configuration.

transformers configures a layer's window in many ways. Windows that it applies by a mask (sliding windows, chunks) are applied here by
position in the text, because in a tree there are more entries between two tokens than tokens of the text. A window that a layer applies
itself cannot be corrected by a mask: `lengths` lists every number that may be such a window, so that the probe can try the model beyond it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor
from transformers import PretrainedConfig

NO_END = 1 << 30
"""Context, in tokens, of a model whose configuration sets no limit."""

_REACH = re.compile(r"window|chunk|local_att|index_topk|block_size")
_NO_REACH = re.compile(r"pattern|layers|feed_forward|mamba|num_|scale")


@dataclass(frozen=True)
class Window:
    """Which keys a layer may attend to, by position in the text."""

    size: int
    """tokens, including the query's own"""
    chunked: bool = False
    """whether the text is cut into chunks of `size` and a query sees its own chunk; otherwise the window slides with the query"""

    def near(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Boolean mask of the broadcast shape of the two int64 tensors of positions; it does not depend on their order."""
        if self.chunked:
            return queries // self.size == keys // self.size
        return queries - keys < self.size


def windows_of(config: PretrainedConfig) -> Window | dict[str, Window | None] | None:
    """The window of all layers, or of each kind of layer if there are kinds; None for layers that see the whole text.

    Follows `transformers.masking_utils.create_masks_for_generate`: a model with kinds of layers takes one mask per kind, the others one
    mask for all layers.
    """
    config = config.get_text_config()
    kinds = list(getattr(config, "layer_types", None) or ())
    sliding = _window(config, "sliding_window")
    chunks = _window(config, "attention_chunk_size", chunked=True)
    if "sliding_attention" in kinds or "chunked_attention" in kinds:
        own = {"sliding_attention": sliding, "chunked_attention": chunks}
        return {kind: own.get(kind) for kind in dict.fromkeys([*kinds, "full_attention"])}
    if kinds or not getattr(config, "use_sliding_window", True):
        return None
    return sliding or chunks


def _window(config: PretrainedConfig, name: str, chunked: bool = False) -> Window | None:
    size = getattr(config, name, None)
    return Window(size, chunked) if isinstance(size, int) and size > 0 else None


def lengths(config: PretrainedConfig) -> dict[str, int]:
    """Every number in the configuration that may bound how far a layer sees: name -> tokens.

    Chosen by name, so that mechanisms unknown to this package are included: they have to be tried.
    """
    found = {}
    for name, value in vars(config.get_text_config()).items():
        if isinstance(value, int) and not isinstance(value, bool) and value > 0 and _REACH.search(name) and not _NO_REACH.search(name):
            found[name] = value
    return found


def context_of(config: PretrainedConfig, role: str, max_open: int) -> tuple[int, str]:
    """The longest text this model scores as transformers does, and why it ends there.

    Args:
        role: name of the model in the reason.
        max_open: the most open entries of the cache: the root and the drafted tokens.

    Returns:
        Tokens, and the reason; empty if the limit is the model's own longest sequence.
    """
    config = config.get_text_config()
    context, reason = getattr(config, "max_position_embeddings", None) or NO_END, ""
    name = f"the {role} ({config.model_type})"
    for rope in _ropes(config):
        kind = str(rope.get("rope_type", "default"))
        # "longrope" changes its factors there, "dynamic" with every token beyond, but cached keys keep the factors they were made with
        if kind == "longrope":
            end = rope.get("original_max_position_embeddings") or getattr(config, "original_max_position_embeddings", None) or context
        elif "dynamic" in kind and not rope.get("alpha"):
            end = context
        else:
            continue
        if end <= context and end < NO_END:
            context, reason = (
                end,
                f"beyond them {name} rotates positions by other factors ({kind} rope), and cached tokens would keep theirs",
            )
    if getattr(config, "attn_temperature_tuning", False) and getattr(config, "floor_scale", None):
        # Llama 4 uses the index in the cache as the position here, and siblings take up entries
        end = int(config.floor_scale) - max_open
        if end < context:
            context = end
            reason = f"beyond them {name} scales its attention by the entries of its cache, which a tree has more of than positions"
    return context, reason


def _ropes(config: PretrainedConfig) -> list[Mapping[str, Any]]:
    """The rope parameters of the model, one set for all layers or one per kind of layer."""
    parameters = getattr(config, "rope_parameters", None) or {}
    if parameters and all(isinstance(each, Mapping) for each in parameters.values()):
        return list(parameters.values())
    return [parameters]
