"""How each source of guesses is made, anew for every run. A new one is entered here and in `settings.SOURCES`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..formatting import quoted
from ..settings import SOURCES
from .early_exit import early_exit
from .ngrams import NGrams
from .source import ModelSource, Source

if TYPE_CHECKING:
    from ..models.pair import ModelPair


def _model(pair: ModelPair) -> Source:
    if pair.draft is None:
        others = ", ".join(name for name in SOURCES if name != "model")
        raise ValueError(f"source must be one of {others} for {pair.name}, which has no draft model, got {quoted('model')}")
    return ModelSource(pair.open_draft(), pair.draft_vocab_size, pair.vocab_size, pair.draft.context)


def _ngram(pair: ModelPair) -> Source:
    return NGrams(pair.vocab_size, pair.ngrams, pair.made_with.get("device", "cpu"))


MAKERS: dict[str, Callable[[ModelPair], Source]] = {"model": _model, "ngram": _ngram, "exit": early_exit}
"""`Settings.source` -> its maker. ValueError from it if the pair lacks what the source needs."""
