"""A draft model with another tokenizer than the target's, of which only the strings that both know can be guessed."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor
from transformers import PreTrainedTokenizerBase

from ..text.detokenizer import Detokenizer
from ..text.shared_strings import shared_strings
from .selfcheck import PairError
from .target import LoadedModel, Target

MIN_SHARED = 100
"""With fewer shared strings hardly any text could be guessed."""
SAMPLE = (
    "One day a little girl went to the park with her dog. The sun was warm and they played with a big red ball. "
    '"Look at the birds!" she said. When it was time to go home they were tired but very happy.'
)
"""Plain English, for measuring how much of a draft's probability is lost."""


@dataclass(frozen=True)
class ForeignDraft:
    """The draft model, its tokenizer, and what it shares with the target's."""

    model: LoadedModel
    tokenizer: PreTrainedTokenizerBase = field(repr=False)
    texts: Detokenizer = field(repr=False)
    """of the target's tokenizer"""
    target_ids: Tensor = field(repr=False)
    """int64 [shared]: ids of the shared strings for the target"""
    draft_ids: Tensor = field(repr=False)
    """int64 [shared]: the same for the draft"""
    lost: float = 0.0
    """probability of the strings that only the draft knows, averaged over the tokens of SAMPLE"""

    @property
    def loss(self) -> str:
        """What is lost, as one clause."""
        shared, known = len(self.target_ids), self.model.vocab_size
        return (
            f"it has another tokenizer, and {shared:,} of its {known:,} strings are tokens of the target too; the others, which it "
            f"cannot guess, have {self.lost:.0%} of its probability on a sample text"
        )

    def ids_of(self, sequence: list[int]) -> list[int]:
        """A text of the target's tokens as the draft reads it, from its own beginning."""
        start = next((place for place, token in enumerate(sequence) if token not in self.texts.silent), len(sequence))
        ids: list[int] = self.tokenizer(self.texts.decode(sequence[start:]), verbose=False)["input_ids"]
        return [token if token < self.model.vocab_size else 0 for token in ids]


def foreign_draft(target: Target, draft: LoadedModel, texts: Detokenizer, tokenizer: PreTrainedTokenizerBase, why: str) -> ForeignDraft:
    """A draft for this target, after counting what both share.

    Args:
        texts: of the target's tokenizer.
        tokenizer: the draft's.
        why: the first difference of the two tokenizers, for the message.

    Raises:
        PairError: they share fewer than MIN_SHARED strings.
    """
    named = set(tokenizer.get_vocab().values())
    theirs = Detokenizer(tokenizer, frozenset(range(draft.vocab_size)) - named)
    shared = shared_strings(texts, theirs, target.vocab_size, draft.vocab_size)
    if len(shared) < MIN_SHARED:
        raise PairError(f"target and draft must share at least {MIN_SHARED} strings if their tokenizers differ, got {len(shared)}: {why}")
    end = tokenizer.eos_token_id
    if target.eos_ids and end is not None and end < draft.vocab_size:
        shared.append((min(target.eos_ids), end))  # the end of a text has another name in every vocabulary
    device = draft.model.device
    target_ids, draft_ids = torch.tensor(shared, device=device).T.contiguous()
    foreign = ForeignDraft(draft, tokenizer, texts, target_ids, draft_ids)
    return ForeignDraft(draft, tokenizer, texts, target_ids, draft_ids, _lost(foreign))


@torch.inference_mode()
def _lost(foreign: ForeignDraft) -> float:
    """`ForeignDraft.lost`."""
    ids = foreign.tokenizer(SAMPLE, verbose=False)["input_ids"][: foreign.model.context]
    cache = foreign.model.open_cache()
    logits, _ = cache.extend(ids, range(-1, len(ids) - 1))
    q = logits[:, : foreign.model.vocab_size].float().softmax(-1)
    return float(1 - q[:, foreign.draft_ids].sum(-1).mean())
