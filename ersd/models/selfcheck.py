"""The probe of a model before it is used: does it score a tree as it scores each path of the tree?"""

from __future__ import annotations

import copy
from collections.abc import Sequence

import torch
from torch import Tensor
from transformers import AutoModelForCausalLM, PretrainedConfig, PreTrainedModel

from ..draft_tree import ROOT
from ..formatting import truncated
from ..settings import RANGES
from .cuda_graphs import open_cache
from .llama import LlamaDecoder, UnsupportedModelError
from .transformers_cache import TransformersCache
from .tree_cache import DecoderCache
from .windows import context_of, lengths

MAX_OPEN = int(RANGES["draft_tokens"].high) + 1
"""The most open entries of a cache: the root and the drafted tokens."""
TOLERANCE = 1e-4
"""Difference of log-probabilities that is rounding in float32."""

_PARENTS = (ROOT, ROOT, 0, 0, 1, 3)
_LONGEST = 40
"""Maximum tokens of the probe's prefix. Windows longer than that are tried on a small copy of the model."""
_BEYOND = 14
"""Tokens by which the prefix exceeds a window: with windows of _SHORT the tree lies across the border of two chunks."""
_SHORT = 8
"""Window of the small copy, tokens."""
_COPY_WEIGHTS = 100_000_000
"""Maximum weights of a small copy."""
_COPY_TOLERANCE = 1e-2
"""Difference of a copy's log-probabilities, in units of their spread; rounding makes 1e-4, a mistake at least 1e-1."""
_LONGEST_TRIED = 2048
"""Longest window, in tokens, beyond which the model itself is tried if no copy can be made."""


class PairError(ValueError):
    """These models cannot be used as a pair here; the message says why."""


def probe(model: PreTrainedModel, role: str, vocab_size: int) -> float:
    """Score a tree of 6 nodes through the cache and each of its paths separately, then once more after a committed path.

    Models whose layers carry a state along the sequence (linear attention, convolutions) accept tree masks and are silently wrong; the
    probe detects them. Models with windows are tried beyond them too.

    Args:
        role: "target" or "draft", for the message.
        vocab_size: tokens that are compared.

    Returns:
        The largest difference of log-probabilities.

    Raises:
        PairError: it is above the rounding noise, or the model cannot score a tree at all.
    """
    name = f"the {role} ({model.config.model_type})"
    reach = _reach(model.config)
    near = [size for size in reach.values() if size + _BEYOND <= _LONGEST]
    context = context_of(model.config, role, MAX_OPEN)[0]
    length = max(1, min(max(near, default=_LONGEST - _BEYOND) + _BEYOND, context - len(_PARENTS)))
    try:
        difference, _ = _difference(model, vocab_size, length)
    except Exception as error:  # every kind of model fails in its own way
        raise PairError(f"{name} cannot score a draft tree through a key/value cache: {truncated(error)}") from error
    allowed = _allowed(model)
    if not difference <= allowed:
        raise PairError(
            f"{name} scores a draft tree differently from its separate paths (by {difference:.2g}, allowed {allowed:.2g}): "
            "its layers do not follow a tree mask, so it cannot be used here"
        )
    far = {key: size for key, size in reach.items() if size + _BEYOND > _LONGEST}
    if far:
        _probe_beyond(model, name, far, vocab_size, allowed)
    return difference


def checked_llama_decoder(model: PreTrainedModel, vocab_size: int) -> LlamaDecoder:
    """The LlamaDecoder of a model, after the same probe: its tree against transformers' own forward of every path.

    Raises:
        UnsupportedModelError: the model has other layers, or its Llama decoder disagrees with it.
    """
    decoder = LlamaDecoder(model)
    context = context_of(model.config, "model", MAX_OPEN)[0]
    length = max(1, min(_LONGEST - _BEYOND, context - len(_PARENTS)))
    difference, _ = _difference(model, vocab_size, length, open_cache(decoder))
    if not difference <= _allowed(model):
        raise UnsupportedModelError(f"the Llama decoder differs from it by {difference:.2g}, allowed {_allowed(model):.2g}")
    return decoder


def _allowed(model: PreTrainedModel) -> float:
    """Difference of log-probabilities that is rounding: half precision rounds at 2^-8 or 2^-11 of the logits' size, float32 at 2^-24."""
    return TOLERANCE if model.dtype == torch.float32 else 64 * torch.finfo(model.dtype).eps


def _reach(config: PretrainedConfig) -> dict[str, int]:
    """The numbers that may bound how far a layer sees, if a text can be that long."""
    longest = getattr(config.get_text_config(), "max_position_embeddings", None)
    return {name: size for name, size in lengths(config).items() if not longest or size < longest + MAX_OPEN}


def _probe_beyond(model: PreTrainedModel, name: str, far: dict[str, int], vocab_size: int, allowed: float) -> None:
    """Probe beyond long windows: on a copy of the model with short windows, or else on the model itself.

    Raises:
        PairError: trees are scored wrongly there, or it cannot be tried.
    """
    sizes = " and ".join(f"{key} = {size}" for key, size in far.items())
    try:
        small = _shortened(model)
        width = next(small.get_input_embeddings().parameters()).shape[0]
        # twice, because rounding may send a token to another expert now and then; a mistake shows every time
        tries = [_difference(small, width, _SHORT + _BEYOND + more) for more in (0, 1)]
        holds = any(difference <= _COPY_TOLERANCE * spread for difference, spread in tries)
    except Exception as error:
        if max(far.values()) > _LONGEST_TRIED:
            raise PairError(
                f"{name} sees only part of a long text ({sizes} tokens), and whether it scores trees correctly there cannot be tried: "
                f"{truncated(error)}"
            ) from error
        tries = [_difference(model, vocab_size, max(far.values()) + _BEYOND)]
        holds = tries[0][0] <= allowed
    if not holds:
        raise PairError(
            f"{name} scores a draft tree differently from its separate paths where the text is longer than its layers see ({sizes} "
            f"tokens; by {tries[0][0]:.2g}): they cut their window themselves, not by the tree mask, so it cannot be used here"
        )


def _shortened(model: PreTrainedModel) -> PreTrainedModel:
    """A model of the same kind with random weights, tiny sizes and windows of a few tokens, on the CPU in float32."""
    whole = copy.deepcopy(model.config)
    config = whole.get_text_config()
    _make_tiny(config)

    def make() -> PreTrainedModel:
        return type(model)(config) if config is whole else AutoModelForCausalLM.from_config(config, dtype=torch.float32)

    with torch.device("meta"):
        weights = sum(parameter.numel() for parameter in make().parameters())
    if weights > _COPY_WEIGHTS:
        raise ValueError(f"a small copy would still have {weights:,} weights")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        small = make().eval().float()
        for parameter in small.parameters():
            if parameter.ndim > 1:  # large enough for every layer to affect the logits
                torch.nn.init.normal_(parameter, std=parameter.shape[-1] ** -0.5)
    return small


def _make_tiny(config: PretrainedConfig) -> None:
    """Shrink sizes and windows, but keep the order and kinds of the layers."""
    own, alias = vars(config), config.attribute_map
    heads, groups = getattr(config, "num_attention_heads", None), getattr(config, "num_key_value_heads", None)
    sizes = {"hidden_size": 32, "num_attention_heads": 4, "head_dim": 8, "word_embed_proj_dim": 32, "vocab_size": 64}
    sizes |= {"vocab_size_per_layer_input": 64, "pad_token_id": 0, "bos_token_id": 0, "num_key_value_heads": 4 if groups == heads else 2}
    sizes |= {name: 32 for name in own if name.endswith(("intermediate_size", "ffn_dim", "ffn_hidden_size"))}
    sizes |= {name: 2 if "blocks" in name else _SHORT for name, size in lengths(config).items() if size > _SHORT}
    for name, size in sizes.items():
        if isinstance(own.get(alias.get(name, name)), int):
            setattr(config, name, size)
    if own.get("eos_token_id") is not None:
        config.eos_token_id = 0
    rope = own.get("rope_parameters") or {}
    if any(isinstance(value, (list, tuple)) for value in rope.values()):  # factors for every dimension
        config.rope_parameters = {"rope_type": "default", "rope_theta": rope.get("rope_theta", 10000.0)}
    if hasattr(config, "quantization_config"):
        del config.quantization_config


@torch.inference_mode()
def _difference(model: PreTrainedModel, vocab_size: int, length: int, cache: DecoderCache | None = None) -> tuple[float, float]:
    """Largest difference of log-probabilities between a tree after `length` tokens and its paths, and their standard deviation.

    The tree is scored through `cache`, by default a TransformersCache.
    """
    generator = torch.Generator().manual_seed(0)
    tokens = torch.randint(vocab_size, (length + len(_PARENTS) + 1,), generator=generator).tolist()
    prefix, tree, after = tokens[:length], tokens[length:-1], tokens[-1]
    cache = cache or TransformersCache(model)
    cache.prefill(prefix)
    logits, entries = cache.extend(tree, _PARENTS)
    path = _path(_PARENTS, len(tree) - 1)
    cache.commit([entries[v] for v in path])
    last, _ = cache.extend([after], [ROOT])
    texts = [prefix + [tree[v] for v in _path(_PARENTS, leaf)] for leaf in range(len(tree))]
    texts.append([*prefix, *(tree[v] for v in path), after])
    expected = torch.stack([_last_logits(model, text) for text in texts])[:, :vocab_size].float().log_softmax(-1)
    scored = torch.cat([logits, last])[:, :vocab_size].float().log_softmax(-1)
    return (scored - expected).abs().max().item(), expected.std().item()


def _path(parents: Sequence[int], node: int) -> list[int]:
    path = [node]
    while parents[path[0]] != ROOT:
        path.insert(0, parents[path[0]])
    return path


def _last_logits(model: PreTrainedModel, tokens: list[int]) -> Tensor:
    return model(input_ids=torch.tensor([tokens], device=model.device), use_cache=False).logits[0, -1]
