"""How each source of guesses is made, anew for every run. A new one is entered here and in `settings.SOURCES`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..formatting import quoted
from ..rules.builtin import RULES
from .early_exit import EarlyExit, obstacle
from .foreign import Foreign
from .frequent import Frequent
from .ngrams import NGrams
from .routed import Routed
from .source import ModelSource, Source

if TYPE_CHECKING:
    from ..models.pair import ModelPair
    from ..settings import Settings

Maker = Callable[["ModelPair", "Settings"], Source]
"""Makes a source for a run, of a pair that has what it needs."""


def _model(pair: ModelPair, settings: Settings) -> Source:
    assert pair.draft is not None
    return ModelSource(pair.open_draft(), pair.draft_vocab_size, pair.vocab_size, pair.draft.context)


def _foreign(pair: ModelPair, settings: Settings) -> Source:
    assert pair.foreign is not None
    return Foreign(pair.foreign, pair.vocab_size)


def _routed(pair: ModelPair, settings: Settings) -> Source:
    """Among all sources but the draft's head on fewer tokens, which guesses as the draft does."""
    among = {name: MAKERS[name](pair, settings) for name in sources_of(pair) if name not in ("frequent", "routed")}
    return Routed(among, RULES[settings.algorithm].with_settings(settings), settings, pair.vocab_size)


def _draft_obstacle(pair: ModelPair) -> str:
    if pair.draft:
        return ""
    return "has a draft with another tokenizer (source foreign)" if pair.foreign else "has no draft model"


MAKERS: dict[str, Maker] = {
    "model": _model,
    "ngram": lambda pair, settings: NGrams(pair.vocab_size, pair.ngrams, pair.made_with.get("device", "cpu")),
    "exit": lambda pair, settings: EarlyExit(pair),
    "frequent": lambda pair, settings: Frequent(pair, settings.frequent_tokens),
    "foreign": _foreign,
    "routed": _routed,
}
"""`Settings.source` -> its maker"""
OBSTACLES: dict[str, Callable[[ModelPair], str]] = {
    "model": _draft_obstacle,
    "exit": obstacle,
    "frequent": _draft_obstacle,
    "foreign": lambda pair: "" if pair.foreign else "has no draft with another tokenizer",
    "routed": lambda pair: "" if pair.draft or pair.foreign or not obstacle(pair) else "has n-grams alone, nothing to choose from",
}
"""why a pair cannot have a source, or nothing"""


def sources_of(pair: ModelPair) -> list[str]:
    """The sources that a pair has."""
    return [name for name in MAKERS if name not in OBSTACLES or not OBSTACLES[name](pair)]


def usual_source(pair: ModelPair) -> str:
    """The source to begin with where none was chosen: a draft model if the pair has one."""
    return next(name for name in ("model", "foreign", "ngram") if name in sources_of(pair))


def make_source(pair: ModelPair, settings: Settings) -> Source:
    """The source of one run. ValueError with the reason if the pair does not have it."""
    possible, name = sources_of(pair), settings.source
    if name not in possible:
        raise ValueError(f"source must be one of {', '.join(possible)} for {pair.name}, which {OBSTACLES[name](pair)}, got {quoted(name)}")
    return MAKERS[name](pair, settings)
