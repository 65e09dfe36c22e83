"""What the loop of speculative decoding needs of a target, and the models of transformers that give it.

A server that scores text, a table of probabilities, anything that can open a `Cache` is a `Target`. A draft model is asked for the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any, Protocol

import torch
import transformers
from torch import Tensor
from transformers import PreTrainedModel

from .cuda_graphs import open_cache
from .llama import LlamaDecoder
from .transformers_cache import TransformersCache

SAMPLE = 64
"""Values of each parameter that are hashed for its name: enough to tell trainings apart, and little to fetch from a GPU."""
DIGITS = 16

NOT_APPLIED = {
    "repetition_penalty": 1,
    "encoder_repetition_penalty": 1,
    "no_repeat_ngram_size": 0,
    "encoder_no_repeat_ngram_size": 0,
    "bad_words_ids": None,
    "suppress_tokens": None,
    "begin_suppress_tokens": None,
    "forced_bos_token_id": None,
    "forced_eos_token_id": None,
    "sequence_bias": None,
    "exponential_decay_length_penalty": None,
    "min_length": 0,
    "min_new_tokens": 0,
    "guidance_scale": 1,
    "stop_strings": None,
    "watermarking_config": None,
    "num_beams": 1,
}
"""Option -> the value that changes nothing. These change the text of greedy decoding too."""
ONLY_SAMPLED = {"min_p": 0, "typical_p": 1, "epsilon_cutoff": 0, "eta_cutoff": 0, "top_h": None}
"""The same for options of sampling. Temperature, top-k and top-p are not among them: they are settings of a run."""


class Cache(Protocol):
    """One text as a target has read it, with the open entries of the token tree that grows from it. `DecoderCache` is one."""

    @property
    def device(self) -> torch.device:
        """Where logits are returned."""

    @property
    def committed(self) -> int:
        """Tokens of the text so far."""

    def prefill(self, tokens: Sequence[int]) -> None:
        """Commit `tokens` after the text so far. There are no open entries then."""

    def extend(self, tokens: Sequence[int], parents: Sequence[int]) -> tuple[Tensor, list[int]]:
        """Append open entries, each after an open one or ROOT: logits [n, at least vocab_size], finite or -inf, and numbers."""

    def commit(self, entries: Sequence[int]) -> None:
        """Keep the open entries of one path, in its order from the text on, and drop all other open entries."""

    def take_states(self) -> Tensor:
        """Hidden states [layers, n, width] of the n tokens committed since the last call, for the layers it was opened with."""


class Target(Protocol):
    """What is asked of a target."""

    @property
    def name(self) -> str:
        """How it is called on the page and in traces."""

    @property
    def vocab_size(self) -> int:
        """Ids from 0 that it may write; logits beyond are ignored."""

    @property
    def context(self) -> int:
        """Longest text it takes, tokens."""

    @property
    def eos_ids(self) -> frozenset[int]:
        """Ids that end a text."""

    @property
    def made_with(self) -> Mapping[str, str]:
        """What its text depends on beside the settings, for the trace: `weights` names the model itself. May be empty."""

    def open_cache(self, layers: Sequence[int] = ()) -> Cache:
        """A fresh cache, for one run.

        Args:
            layers: whose hidden states the cache keeps for `take_states`, numbered as in transformers' `hidden_states`: 0 is the
                embeddings, l what layer l returns, the last one normed. ValueError for layers that the target does not have.
        """


@dataclass(frozen=True)
class LoadedModel:
    """A model of transformers in memory, as a target or as a draft."""

    model: PreTrainedModel
    name: str
    vocab_size: int
    context: int
    eos_ids: frozenset[int] = frozenset()
    role: str = "target"
    """or "draft", for messages"""
    decoder: LlamaDecoder | None = field(default=None, repr=False)
    """runs it; None: it runs through transformers"""

    def open_cache(self, layers: Sequence[int] = ()) -> Cache:
        """A fresh cache of the model, as `Target.open_cache`."""
        last = self.model.config.get_text_config().num_hidden_layers if layers else 0
        for layer in layers:
            if not 0 <= layer <= last:
                raise ValueError(f"layers must be from 0 to {last} for {self.name}, got {layer}")
        cache = open_cache(self.decoder, layers) if self.decoder else TransformersCache(self.model, layers)
        cache.role = self.role
        return cache

    @cached_property
    def made_with(self) -> dict[str, str]:
        """Precision, device, versions, and `weights`: the model's revision on the hub, or a hash of samples of its weights."""
        return {
            "precision": str(self.model.dtype).removeprefix("torch."),
            "device": self.model.device.type,
            "torch": torch.__version__,
            "transformers": transformers.__version__,
            "weights": _weights_name(self.model),
        }


def left_out(generation_config: Any) -> tuple[str, ...]:
    """The options of a model's generation_config that a run here leaves out, such as "repetition_penalty"."""
    if generation_config is None:
        return ()
    options = NOT_APPLIED | (ONLY_SAMPLED if getattr(generation_config, "do_sample", None) else {})
    values = {name: getattr(generation_config, name, None) for name in options}
    return tuple(name for name, value in values.items() if value not in (None, [], options[name]))


def _weights_name(model: PreTrainedModel) -> str:
    """`revision 1a2b…` of a model of the hub, else `sample 1a2b…`, a hash of the first values of every parameter."""
    revision = getattr(model.config, "_commit_hash", None)
    if revision:
        return f"revision {revision}"
    digest = sha256()
    for name, parameter in model.named_parameters():
        digest.update(name.encode())
        if parameter.device.type != "meta":  # weights that are elsewhere until they are used
            digest.update(parameter.detach().flatten()[:SAMPLE].float().cpu().numpy().tobytes())
    return f"sample {digest.hexdigest()[:DIGITS]}"
