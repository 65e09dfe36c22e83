"""What a model's configuration says about how far its layers see, and how long a text they take.

transformers writes a layer's reach down in many places. Those it cuts by a mask (sliding windows, chunks) are cut here by position in
the text, because in a tree the entries between two tokens are more than the tokens between them. What a layer cuts by itself cannot be
helped by a mask: `lengths` names every number that may be such a reach, so that the probe can try the model beyond it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor
from transformers import PretrainedConfig

NO_END = 1 << 30
"""Context of a model that names no longest sequence, tokens."""

_REACH = re.compile(r"window|chunk|local_att|index_topk|block_size")
_NO_REACH = re.compile(r"pattern|layers|feed_forward|mamba|num_|scale")


@dataclass(frozen=True)
class Window:
    """The keys near enough for a layer to see, by position in the text."""

    size: int
    """tokens, the query's own included"""
    chunked: bool = False
    """the text is cut into pieces of `size`, and a query sees its own piece; else the window slides along with the query"""

    def near(self, queries: Tensor, keys: Tensor) -> Tensor:
        """bool, of the broadcast shape of the two int64 tensors of positions; order is not looked at."""
        if self.chunked:
            return queries // self.size == keys // self.size
        return queries - keys < self.size


def windows_of(config: PretrainedConfig) -> Window | dict[str, Window | None] | None:
    """The window of the layers, or of every kind of layer where there are kinds; None where a layer sees the whole text.

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

    By name, whether or not this package knows the mechanism behind it: a mechanism it does not know has to be tried.
    """
    found = {}
    for name, value in vars(config.get_text_config()).items():
        if isinstance(value, int) and not isinstance(value, bool) and value > 0 and _REACH.search(name) and not _NO_REACH.search(name):
            found[name] = value
    return found


def context_of(config: PretrainedConfig, role: str, most_open: int) -> tuple[int, str]:
    """The longest text this model scores as transformers would, and why it ends there.

    Args:
        role: what to call the model in the reason.
        most_open: the most entries that wait in the cache beside the text: the root and the drafted tokens.

    Returns:
        Tokens, and a reason in words; the reason is empty where it is simply the model's longest sequence.
    """
    config = config.get_text_config()
    context, reason = getattr(config, "max_position_embeddings", None) or NO_END, ""
    name = f"the {role} ({config.model_type})"
    for rope in _ropes(config):
        kind = str(rope.get("rope_type", "default"))
        # "longrope" changes all its factors there and "dynamic" with every token beyond, but cached keys keep those they were made with
        if kind == "longrope":
            end = rope.get("original_max_position_embeddings") or getattr(config, "original_max_position_embeddings", None) or context
        elif "dynamic" in kind and not rope.get("alpha"):
            end = context
        else:
            continue
        if end <= context and end < NO_END:
            context, reason = end, f"beyond them {name} turns positions by other factors ({kind} rope), and cached tokens would keep theirs"
    if getattr(config, "attn_temperature_tuning", False) and getattr(config, "floor_scale", None):
        # Llama 4 takes the entry of the cache for the position here, and siblings use up entries
        end = int(config.floor_scale) - most_open
        if end < context:
            context, reason = (
                end,
                f"beyond them {name} scales its attention by the entries of its cache, more than positions in a tree",
            )
    return context, reason


def _ropes(config: PretrainedConfig) -> list[Mapping[str, Any]]:
    """The rope parameters of the model, one set for all layers or one per kind of layer."""
    parameters = getattr(config, "rope_parameters", None) or {}
    if parameters and all(isinstance(each, Mapping) for each in parameters.values()):
        return list(parameters.values())
    return [parameters]
