"""Guesses from the draft model's head on its most frequent tokens alone (FR-Spec, arXiv 2502.14856).

The head of a large vocabulary is a large part of a small model, and most of a text are a few frequent tokens. What is left is the draft's
distribution given that the token is one of them, q'(x) = q(x) / q(frequent): fixed before the run, so guesses drawn from it are judged by
it, and every rule stays exact. A token outside is never guessed; the target still writes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ..models.llama import LlamaCache, LlamaDecoder
from .source import ModelSource

if TYPE_CHECKING:
    from ..models.pair import ModelPair


class Frequent(ModelSource):
    """The draft model with fewer rows in its head. Where transformers or CUDA graphs run it, the rows are computed and left out."""

    def __init__(self, pair: ModelPair, count: int) -> None:
        """`pair`: one with a draft model. `count`: V', tokens that can be guessed."""
        assert pair.draft is not None
        known = pair.draft_vocab_size
        self.kept = torch.tensor(sorted([token for token in pair.by_frequency if token < known][:count]))
        decoder: LlamaDecoder | None = getattr(pair.draft, "decoder", None)
        self._is_cut = decoder is not None and decoder.embedding.device.type == "cpu"
        cache = LlamaCache(decoder.with_head(self.kept)) if decoder is not None and self._is_cut else pair.open_draft()
        self.kept = self.kept.to(cache.device)
        if isinstance(cache, LlamaCache):
            cache.role = "draft"
        super().__init__(cache, known, pair.vocab_size, pair.draft.context)

    def _padded(self, logits: Tensor) -> Tensor:
        found = logits.new_full((len(logits), self.vocab_size), -torch.inf)
        found[:, self.kept] = logits if self._is_cut else logits[:, self.kept]
        return found
