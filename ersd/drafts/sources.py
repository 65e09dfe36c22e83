"""How each source of guesses is made, anew for every run. A new one is entered here and in `settings.SOURCES`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..formatting import quoted
from .early_exit import EarlyExit, obstacle
from .ngrams import NGrams
from .source import ModelSource, Source

if TYPE_CHECKING:
    from ..models.pair import ModelPair


def _model(pair: ModelPair) -> Source:
    assert pair.draft is not None
    return ModelSource(pair.open_draft(), pair.draft_vocab_size, pair.vocab_size, pair.draft.context)


MAKERS: dict[str, Callable[[ModelPair], Source]] = {
    "model": _model,
    "ngram": lambda pair: NGrams(pair.vocab_size, pair.ngrams, pair.made_with.get("device", "cpu")),
    "exit": EarlyExit,
}
"""`Settings.source` -> its maker, for a pair that has what it needs"""
OBSTACLES: dict[str, Callable[[ModelPair], str]] = {"model": lambda pair: "" if pair.draft else "has no draft model", "exit": obstacle}
"""why a pair cannot have a source, or nothing"""


def sources_of(pair: ModelPair) -> list[str]:
    """The sources that a pair has."""
    return [name for name in MAKERS if name not in OBSTACLES or not OBSTACLES[name](pair)]


def make_source(pair: ModelPair, name: str) -> Source:
    """A source for one run. ValueError with the reason if the pair does not have it."""
    possible = sources_of(pair)
    if name not in possible:
        raise ValueError(f"source must be one of {', '.join(possible)} for {pair.name}, which {OBSTACLES[name](pair)}, got {quoted(name)}")
    return MAKERS[name](pair)
