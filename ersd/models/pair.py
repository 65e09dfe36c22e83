"""ModelPair: a target and a draft with the same tokens, checked before they are used. `load` reads them from disk or the hub."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from transformers import PreTrainedModel, PreTrainedTokenizerBase

from ..formatting import brief, quoted
from ..settings import MOST_CHARACTERS
from .costs import Costs
from .cuda_graphs import open_cache
from .detokenizer import Detokenizer
from .llama import LlamaDecoder, UnsupportedModelError
from .logit_noise import logit_noise
from .selfcheck import MAX_OPEN, PairError, checked_llama_decoder, probe
from .transformers_cache import TransformersCache
from .tree_cache import DecoderCache
from .windows import context_of


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
    """the largest id that both models and the tokenizer have, + 1; logits beyond are ignored"""
    context: int
    """longest sequence both models take, tokens"""
    eos_ids: frozenset[int]
    logit_noise: float
    """upper bound, measured when the pair was made, of how far rounding moves a logit of the target apart from a shift common to all; a
    choice whose margin (`trace.near_ties`) is below twice the noise is a near tie"""
    name: str = "pair"
    context_reason: str = ""
    """why the context ends there; empty if that is the longest sequence of a model"""
    nameless: frozenset[int] = frozenset()
    """ids below vocab_size that are no token of the tokenizer: a model may choose them, but they have no text"""
    draft_source: str = "model"
    """where drafts come from, a name of `drafts.factory.SOURCES`"""
    hazards: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """rule -> probability that its j-th child is accepted if those before were not, measured for this pair; the prior of its rank
    distribution"""
    llama_decoders: Mapping[str, LlamaDecoder] = field(default_factory=dict, repr=False)
    """"target", "draft" -> its LlamaDecoder; a model without one runs through transformers"""
    decoding: str = ""
    """one line about how target and draft run"""
    notices: tuple[str, ...] = ()
    """what a user should know about the files that were loaded"""
    costs: Costs | None = None
    """what the forward passes cost here, for a pair that was loaded; None for one made of models in memory"""

    def open_target(self) -> DecoderCache:
        """A fresh cache of the target."""
        return open_cache(self.llama_decoders["target"]) if "target" in self.llama_decoders else TransformersCache(self.target)

    def open_draft(self) -> DecoderCache:
        """A fresh cache of the draft. ValueError if there is no draft model."""
        if self.draft is None:
            raise ValueError(f"algorithm must be autoregressive for {self.name}, which has no draft model")
        return open_cache(self.llama_decoders["draft"]) if "draft" in self.llama_decoders else TransformersCache(self.draft)

    def encode(self, prompt: str, chat: bool = False) -> list[int]:
        """Token ids of a prompt, with one BOS if the tokenizer has one; with `chat` as a user's turn in the target's chat template.

        ValueError if the prompt is empty or too long for the context, or there is no chat template.
        """
        if not isinstance(prompt, str):
            raise ValueError(f"prompt must be some text, got {quoted(prompt)}")
        if len(prompt) > MOST_CHARACTERS:
            raise ValueError(f"prompt must have at most {MOST_CHARACTERS:,} characters, got {len(prompt):,}")
        if not prompt.strip():
            raise ValueError(f"prompt must be some text, got {quoted(prompt)}")
        try:
            prompt.encode()
        except UnicodeEncodeError as error:  # JSON can carry half a character, tokenizers cannot
            raise ValueError(f"prompt must be whole characters, got {prompt[error.start]!a} at {error.start}") from None
        text, special = (self._turn(prompt), False) if chat else (prompt, True)
        ids = list(self.tokenizer(text, add_special_tokens=special, verbose=False)["input_ids"])  # the length is checked below
        bos = self.tokenizer.bos_token_id
        if bos is not None:
            # it may be typed in the prompt, added by the tokenizer, both or neither
            typed = next((i for i, token in enumerate(ids) if token != bos), len(ids))
            ids = [bos, *ids[typed:]]
        if len(ids) >= self.context:
            why = f" ({self.context_reason})" if self.context_reason else ""
            raise ValueError(f"prompt must leave room in the context of {self.context} tokens{why}, got {len(ids)} tokens")
        outside = [i for i in ids if i >= self.vocab_size]
        if outside:
            raise ValueError(f"prompt must use the {self.vocab_size} tokens both models know, got token {outside[0]}")
        return ids

    def _turn(self, prompt: str) -> str:
        """The prompt in the chat template, up to where the answer begins, with thinking switched off."""
        if not getattr(self.tokenizer, "chat_template", None):
            raise ValueError(f"chat must be false for {self.name}, whose tokenizer has no chat template")
        turns = [{"role": "user", "content": prompt}]
        try:
            return str(self.tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True, enable_thinking=False))
        except Exception as error:  # a template is a program of the model's author and may raise anything
            why = brief(error) or type(error).__name__
            raise ValueError(f"chat must be false for {self.name}, whose chat template refuses a single user turn: {why}") from error

    def fed(self, prompt: str, chat: bool = False) -> tuple[str, int]:
        """The prompt as the models read it, special tokens included, and its number of tokens. Raises as `encode`."""
        ids = self.encode(prompt, chat)
        return self.texts.decode(ids), len(ids)

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
    vocab_size = min(max(known) + 1, *(_width(model) for model in models.values()))
    if draft_tokenizer is not None:
        _check_same_tokens(tokenizer, draft_tokenizer, vocab_size)
    decoders, how = {}, []
    for role, model in models.items():
        try:
            if not use_llama_decoder:
                raise UnsupportedModelError("the Llama decoder is switched off")
            decoders[role] = checked_llama_decoder(model, vocab_size)
            how.append(f"{role}: Llama decoder")
        except UnsupportedModelError as error:
            probe(model, role, vocab_size)
            how.append(f"{role}: through transformers ({error})")
    context, reason = min((context_of(model.config, role, MAX_OPEN) for role, model in models.items()), key=lambda each: each[0])
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
        eos_ids=_eos_ids(target, tokenizer),
        nameless=frozenset(range(vocab_size)) - known,
        logit_noise=0.0,
        llama_decoders=decoders,
        decoding=", ".join(how),
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
    return "no token" if token is None else brief(repr(token))
