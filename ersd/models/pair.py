"""ModelPair: a target and a draft with the same tokens, checked before they are used. `load` reads them from disk or the hub."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

import torch
import transformers
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from ..costs import Costs
from ..formatting import quoted
from ..isolation import isolated
from ..text.detokenizer import Detokenizer
from ..text.prompt import check_prompt, plain_ids, turn_ids
from .cuda_graphs import open_cache
from .generation_defaults import left_out
from .llama import LlamaDecoder, UnsupportedModelError
from .logit_noise import logit_noise
from .selfcheck import MAX_OPEN, PairError, checked_llama_decoder, probe
from .transformers_cache import TransformersCache
from .tree_cache import DecoderCache
from .windows import NO_END, context_of

if TYPE_CHECKING:
    from ..settings import Settings

SAMPLE = 64
"""Values of each parameter that are hashed for its name: enough to tell trainings apart, and little to fetch from a GPU."""
DIGITS = 16


@dataclass(frozen=True)
class ModelPair:
    """A target and a draft, ready to generate."""

    target: PreTrainedModel
    draft: PreTrainedModel | None
    """None for a pair whose drafts come from another source, or that never drafts"""
    tokenizer: PreTrainedTokenizerBase
    target_name: str
    draft_name: str
    vocab_size: int
    """the largest id that the target and the tokenizer have, + 1; logits beyond are ignored"""
    context: int
    """longest sequence the target takes, tokens"""
    eos_ids: frozenset[int]
    logit_noise: float
    """upper bound, measured when the pair was made, of how far rounding moves a logit of the target apart from a shift common to all; a
    choice whose margin (`trace.near_ties`) is below twice the noise is a near tie"""
    name: str = "pair"
    context_reason: str = ""
    """why the context ends there; empty if that is the longest sequence of the target"""
    draft_context: int = NO_END
    """longest sequence the draft model takes, tokens; beyond it nothing is drafted"""
    draft_vocab_size: int = 0
    """ids that the draft model knows, from 0; it gives all others probability 0"""
    nameless: frozenset[int] = frozenset()
    """ids below vocab_size that are no token of the tokenizer: a model may choose them, but they have no text"""
    hazards: Mapping[str, Mapping[str, Sequence[float]]] = field(default_factory=dict)
    """source of drafts -> rule -> probability that its j-th child is accepted if those before were not, measured for this pair"""
    llama_decoders: Mapping[str, LlamaDecoder] = field(default_factory=dict, repr=False)
    """"target", "draft" -> its LlamaDecoder; a model without one runs through transformers"""
    decoding: str = ""
    """one line about how target and draft run"""
    notices: tuple[str, ...] = ()
    """what a user should know about these models, one sentence each"""
    left_out: tuple[str, ...] = ()
    """options of the target's generation_config that are not applied, so that its text can differ from transformers' own"""
    costs: Costs | None = None
    """what the forward passes cost here, for a pair that was loaded; None for one made of models in memory"""

    def prior(self, settings: Settings) -> Sequence[float]:
        """The hazards that the rank distribution of a run begins with; empty where none were measured."""
        return self.hazards.get(settings.source, {}).get(settings.algorithm, ())

    def open_target(self) -> DecoderCache:
        """A fresh cache of the target."""
        return self._open("target", self.target)

    def open_draft(self) -> DecoderCache:
        """A fresh cache of the draft. ValueError if there is no draft model."""
        if self.draft is None:
            raise ValueError(f"algorithm must be autoregressive for {self.name}, which has no draft model")
        return self._open("draft", self.draft)

    def _open(self, role: str, model: PreTrainedModel) -> DecoderCache:
        decoder = self.llama_decoders.get(role)
        cache = open_cache(decoder) if decoder else TransformersCache(model)
        cache.role = role
        return cache

    def encode(self, prompt: str, chat: bool = False) -> list[int]:
        """Token ids of a prompt as the tokenizer gives them; with `chat` as a user's turn in the target's chat template.

        ValueError if the prompt is empty or too long for the context, or there is no chat template.
        """
        check_prompt(prompt)
        ids = turn_ids(self.tokenizer, self.name, prompt) if chat else plain_ids(self.tokenizer, prompt)
        if len(ids) >= self.context:
            why = f" ({self.context_reason})" if self.context_reason else ""
            raise ValueError(f"prompt must leave room in the target's context of {self.context} tokens{why}, got {len(ids)} tokens")
        outside = [i for i in ids if i >= self.vocab_size]
        if outside:
            raise ValueError(f"prompt must use the {self.vocab_size} tokens that the target knows, got token {outside[0]}")
        return ids

    def fed(self, prompt: str, chat: bool = False) -> tuple[str, int]:
        """The prompt as the models read it, special tokens included, and its number of tokens. Raises as `encode`."""
        ids = self.encode(prompt, chat)
        return self.texts.decode(ids), len(ids)

    @cached_property
    def made_with(self) -> dict[str, str]:
        """What a text depends on beside its settings: precision, device, versions, and of each model its revision on the hub, or a hash of
        samples of its weights. Two machines with the same values still may round differently."""
        found = {
            "precision": str(self.target.dtype).removeprefix("torch."),
            "device": self.target.device.type,
            "torch": torch.__version__,
            "transformers": transformers.__version__,
            "target": _weights_name(self.target),
        }
        return {**found, "draft": _weights_name(self.draft)} if self.draft else found

    @cached_property
    def texts(self) -> Detokenizer:
        """The text of single tokens and of token sequences."""
        return Detokenizer(self.tokenizer, self.nameless)

    def token_text(self, token: int) -> str:
        """The text of a token inside a text, its leading space included."""
        return self.texts.token_text(token)

    def text(self, tokens: list[int]) -> str:
        """The text of tokens, without special tokens."""
        return self.texts.decode(tokens, skip_special_tokens=True)


@isolated
def make_pair(
    target: PreTrainedModel,
    draft: PreTrainedModel | None,
    tokenizer: PreTrainedTokenizerBase,
    draft_tokenizer: PreTrainedTokenizerBase | None = None,
    names: tuple[str, str, str] = ("target", "draft", "pair"),
    use_llama_decoder: bool = True,
) -> ModelPair:
    """A pair of models already in memory, after all checks.

    Args:
        draft: None for a pair without a draft model.
        names: of the target, of the draft ("none" if there is none) and of the pair.
        use_llama_decoder: run models of the Llama family through our LlamaDecoder; False: all through transformers.

    Raises:
        PairError: the tokenizers differ, or a model does not score trees correctly.
    """
    models = {"target": target} if draft is None else {"target": target, "draft": draft}
    known = set(tokenizer.get_vocab().values())
    vocab_size = min(max(known) + 1, _width(target))
    draft_known = set((draft_tokenizer or tokenizer).get_vocab().values())
    draft_vocab_size = 0 if draft is None else min(vocab_size, max(draft_known) + 1, _width(draft))
    if draft_tokenizer is not None:
        _check_same_tokens(tokenizer, draft_tokenizer, draft_vocab_size)
    widths = {"target": vocab_size, "draft": draft_vocab_size}
    decoders, how = {}, []
    for role, model in models.items():
        try:
            if not use_llama_decoder:
                raise UnsupportedModelError("the Llama decoder is switched off")
            decoders[role] = checked_llama_decoder(model, widths[role])
            how.append(f"{role}: Llama decoder")
        except UnsupportedModelError as error:
            probe(model, role, widths[role])
            how.append(f"{role}: through transformers ({error})")
    context, reason = context_of(target.config, "target", MAX_OPEN)
    draft_context = NO_END if draft is None else context_of(draft.config, "draft", MAX_OPEN)[0]
    omitted = left_out(target.generation_config)
    notices = [f"target: not applied of its generation_config: {', '.join(omitted)}"] if omitted else []
    if draft is not None and draft_vocab_size < vocab_size:
        notices.append(f"draft: knows {draft_vocab_size:,} of the target's {vocab_size:,} tokens, and never drafts the others")
    if draft_context < context:
        notices.append(f"draft: its context is {draft_context:,} tokens, and nothing is drafted beyond them (the target's is {context:,})")
    pair = ModelPair(
        target=target,
        draft=draft,
        tokenizer=tokenizer,
        target_name=names[0],
        draft_name=names[1] if draft is not None else "none",
        name=names[2],
        vocab_size=vocab_size,
        context=context,
        context_reason=reason,
        draft_context=draft_context,
        draft_vocab_size=draft_vocab_size,
        eos_ids=_eos_ids(target, tokenizer),
        nameless=frozenset(range(vocab_size)) - known,
        logit_noise=0.0,
        llama_decoders=decoders,
        decoding=", ".join(how),
        notices=tuple(notices),
        left_out=omitted,
    )
    return replace(pair, logit_noise=logit_noise(pair.open_target, tokenizer, vocab_size, context))


def _width(model: PreTrainedModel) -> int:
    """Width of the logits; it may be padded beyond the tokenizer."""
    return model.get_output_embeddings().weight.shape[0]


def _eos_ids(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> frozenset[int]:
    """Every id that ends a text, from the configurations of model, generation and tokenizer."""
    found: set[int] = set()
    for source in (model.generation_config, model.config, tokenizer):
        ids = getattr(source, "eos_token_id", None)
        if ids is not None:
            found.update([ids] if isinstance(ids, int) else ids)
    return frozenset(found)


def _check_same_tokens(first: PreTrainedTokenizerBase, second: PreTrainedTokenizerBase, vocab_size: int) -> None:
    """PairError unless every id below vocab_size is the same token in both, or a token in neither."""
    ours, theirs = ({i: token for token, i in each.get_vocab().items() if i < vocab_size} for each in (first, second))
    different = [i for i in range(vocab_size) if ours.get(i) != theirs.get(i)]
    if different:
        i = different[0]
        raise PairError(
            f"target and draft must share one tokenizer, but {len(different)} of {vocab_size} tokens differ: "
            f"token {i} is {_quoted(ours.get(i))} for the target and {_quoted(theirs.get(i))} for the draft"
        )


def _quoted(token: str | None) -> str:
    return "no token" if token is None else quoted(token)


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
