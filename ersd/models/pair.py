"""ModelPair: a target and a draft with the same tokens, checked before they are used. `load` reads them from disk or the hub."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from transformers import PreTrainedModel, PreTrainedTokenizerBase

from ..costs import Costs
from ..formatting import quoted
from ..isolation import isolated
from ..text.detokenizer import Detokenizer
from ..text.prompt import check_prompt, plain_ids, turn_ids
from .foreign import ForeignDraft, foreign_draft
from .llama import UnsupportedModelError
from .logit_noise import logit_noise
from .selfcheck import MAX_OPEN, checked_llama_decoder, probe
from .target import Cache, LoadedModel, Target, left_out
from .windows import NO_END, context_of

if TYPE_CHECKING:
    from ..settings import Settings
    from ..text.ngram_table import NGramTable


@dataclass(frozen=True)
class ModelPair:
    """A target and a draft, ready to generate."""

    target: Target
    draft: Target | None
    """None for a pair whose drafts come from another source, or that never drafts"""
    tokenizer: PreTrainedTokenizerBase
    logit_noise: float
    """upper bound, measured when the pair was made, of how far rounding moves a logit of the target apart from a shift common to all; a
    choice whose margin (`trace.near_ties`) is below twice the noise is a near tie"""
    name: str = "pair"
    context_reason: str = ""
    """why the context ends there; empty if that is the longest sequence of the target"""
    nameless: frozenset[int] = frozenset()
    """ids below vocab_size that are no token of the tokenizer: a model may choose them, but they have no text"""
    hazards: Mapping[str, Mapping[str, Sequence[float]]] = field(default_factory=dict)
    """source of drafts -> rule -> probability that its j-th child is accepted if those before were not, measured for this pair"""
    ngrams: NGramTable | None = None
    """counts of a training text, for the source `ngram`; None: it counts the text so far alone"""
    decoding: str = ""
    """one line about how target and draft run"""
    notices: tuple[str, ...] = ()
    """what a user should know about these models, one sentence each"""
    left_out: tuple[str, ...] = ()
    """options of the target's generation_config that are not applied, so that its text can differ from transformers' own"""
    costs: Mapping[str, Costs] = field(default_factory=dict)
    """source of drafts -> what the parts of a step cost here, for a pair that was loaded; empty for one made of models in memory"""
    foreign: ForeignDraft | None = None
    """a draft model with another tokenizer, for the source `foreign`"""

    def prior(self, settings: Settings) -> Sequence[float]:
        """The hazards that the rank distribution of a run begins with; empty where none were measured."""
        return self.hazards.get(settings.source, {}).get(settings.algorithm, ())

    @property
    def target_name(self) -> str:
        """As in `Trace.models`."""
        return self.target.name

    @property
    def draft_name(self) -> str:
        """As in `Trace.models`; "none" without a draft model."""
        draft = self.draft or (self.foreign.model if self.foreign else None)
        return draft.name if draft else "none"

    @property
    def vocab_size(self) -> int:
        """Ids from 0 that may be written; for models the largest id that the target and the tokenizer have, + 1."""
        return self.target.vocab_size

    @property
    def context(self) -> int:
        """Longest sequence the target takes, tokens."""
        return self.target.context

    @property
    def eos_ids(self) -> frozenset[int]:
        """Ids that end a text."""
        return self.target.eos_ids

    @property
    def draft_context(self) -> int:
        """Longest sequence the draft model takes, tokens; beyond it nothing is drafted."""
        return self.draft.context if self.draft else NO_END

    @property
    def draft_vocab_size(self) -> int:
        """Ids that the draft model knows, from 0; it gives all others probability 0."""
        return self.draft.vocab_size if self.draft else 0

    def open_target(self, layers: Sequence[int] = ()) -> Cache:
        """A fresh cache of the target; `layers` as in `Target.open_cache`."""
        return self.target.open_cache(layers)

    def open_draft(self) -> Cache:
        """A fresh cache of the draft model, of a pair that has one."""
        assert self.draft is not None
        return self.draft.open_cache()

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
        found = dict(self.target.made_with)
        if "weights" in found:
            found["target"] = found.pop("weights")
        if self.draft and "weights" in self.draft.made_with:
            found["draft"] = self.draft.made_with["weights"]
        if self.foreign:
            found["foreign" if self.draft else "draft"] = self.foreign.model.made_with["weights"]
        return found

    @cached_property
    def by_frequency(self) -> list[int]:
        """All tokens, the most frequent first: by the counts of `ngrams`. Without them those that end a text, then by id, since tokenizers
        that merge pairs number the frequent ones first."""
        if self.ngrams is None:
            return sorted(range(self.vocab_size), key=lambda token: (token not in self.eos_ids, token))
        counts = dict(zip(self.ngrams.keys[0].tolist(), self.ngrams.counts[0].tolist(), strict=True))
        return sorted(range(self.vocab_size), key=lambda token: -counts.get(token, 0.0))

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
    """A pair of models already in memory, after all checks. A draft whose tokens differ from the target's becomes a `ForeignDraft`.

    Args:
        draft: None for a pair without a draft model.
        names: of the target, of the draft ("none" if there is none) and of the pair.
        use_llama_decoder: run models of the Llama family through our LlamaDecoder; False: all through transformers.

    Raises:
        PairError: the tokenizers share too few strings, or a model does not score trees correctly.
    """
    known = set(tokenizer.get_vocab().values())
    vocab_size = min(max(known) + 1, _width(target))
    context, reason = context_of(target.config, "target", MAX_OPEN)
    loaded = LoadedModel(target, names[0], vocab_size, context, _eos_ids(target, tokenizer))
    loaded_draft, difference = None, ""
    if draft is not None:
        draft_known = set((draft_tokenizer or tokenizer).get_vocab().values())
        draft_vocab_size = min(vocab_size, max(draft_known) + 1, _width(draft))
        if draft_tokenizer is not None:
            difference = _first_difference(tokenizer, draft_tokenizer, draft_vocab_size)
        if not difference:
            draft_context, _ = context_of(draft.config, "draft", MAX_OPEN)
            loaded_draft = LoadedModel(draft, names[1], draft_vocab_size, draft_context, role="draft")
    loaded, how = _with_decoder(loaded, use_llama_decoder)
    if loaded_draft is not None:
        loaded_draft, draft_how = _with_decoder(loaded_draft, use_llama_decoder)
        how = f"{how}, {draft_how}"
    omitted = left_out(target.generation_config)
    notices = [f"target: not applied of its generation_config: {', '.join(omitted)}"] if omitted else []
    if loaded_draft is not None and loaded_draft.vocab_size < vocab_size:
        notices.append(f"draft: knows {loaded_draft.vocab_size:,} of the target's {vocab_size:,} tokens, and never drafts the others")
    if loaded_draft is not None and loaded_draft.context < context:
        end = f"its context is {loaded_draft.context:,} tokens, and nothing is drafted beyond them"
        notices.append(f"draft: {end} (the target's is {context:,})")
    pair = ModelPair(
        target=loaded,
        draft=loaded_draft,
        tokenizer=tokenizer,
        logit_noise=logit_noise(loaded.open_cache, tokenizer, vocab_size, context),
        name=names[2],
        context_reason=reason,
        nameless=frozenset(range(vocab_size)) - known,
        decoding=how,
        notices=tuple(notices),
        left_out=omitted,
    )
    if draft is None or draft_tokenizer is None or not difference:
        return pair
    pair = with_foreign_draft(pair, draft, draft_tokenizer, names[1], use_llama_decoder, difference)
    assert pair.foreign is not None
    return replace(pair, notices=(*pair.notices, f"draft: {pair.foreign.loss}"))


@isolated
def with_foreign_draft(
    pair: ModelPair,
    draft: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    name: str,
    use_llama_decoder: bool = True,
    difference: str = "",
) -> ModelPair:
    """The pair with a draft model that has another tokenizer, in addition to its own. `difference`: of the two tokenizers, for a message.

    Raises:
        PairError: they share too few strings, or the model does not score trees correctly.
    """
    context, _ = context_of(draft.config, "draft", MAX_OPEN)
    size = min(max(tokenizer.get_vocab().values()) + 1, _width(draft))
    loaded, how = _with_decoder(LoadedModel(draft, name, size, context, role="draft"), use_llama_decoder)
    foreign = foreign_draft(pair.target, loaded, pair.texts, tokenizer, difference)
    return replace(pair, foreign=foreign, decoding=pair.decoding if pair.draft else f"{pair.decoding}, {how}")


def _with_decoder(loaded: LoadedModel, use_llama_decoder: bool) -> tuple[LoadedModel, str]:
    """The model with its LlamaDecoder, or probed to run through transformers, and one line about which. PairError as `make_pair`."""
    try:
        if not use_llama_decoder:
            raise UnsupportedModelError("the Llama decoder is switched off")
        decoder = checked_llama_decoder(loaded.model, loaded.vocab_size)
        return replace(loaded, decoder=decoder), f"{loaded.role}: Llama decoder"
    except UnsupportedModelError as error:
        probe(loaded.model, loaded.role, loaded.vocab_size)
        return loaded, f"{loaded.role}: through transformers ({error})"


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


def _first_difference(first: PreTrainedTokenizerBase, second: PreTrainedTokenizerBase, vocab_size: int) -> str:
    """Empty if every id below vocab_size is the same token in both, or a token in neither; else how many differ, and the first one."""
    ours, theirs = ({i: token for token, i in each.get_vocab().items() if i < vocab_size} for each in (first, second))
    different = [i for i in range(vocab_size) if ours.get(i) != theirs.get(i)]
    if not different:
        return ""
    i = different[0]
    return (
        f"{len(different)} of {vocab_size} tokens differ, token {i} is {_quoted(ours.get(i))} for the target and "
        f"{_quoted(theirs.get(i))} for the draft"
    )


def _quoted(token: str | None) -> str:
    return "no token" if token is None else quoted(token)
