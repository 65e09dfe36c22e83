"""Choose the drafter of a run. A new source of drafts (n-grams, a second cache, a server) is a `Source` entered in MAKERS, its name in
`sources.SOURCES`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..rules.base import Rule
from ..settings import Settings
from .drafter import Drafter, NoDraft
from .dynamic import DynamicDrafter
from .source import ModelSource, Source
from .static import StaticDrafter
from .topologies import TREES

if TYPE_CHECKING:
    from ..models.pair import ModelPair


def _model(pair: ModelPair) -> Source:
    return ModelSource(pair.open_draft(), pair.draft_vocab_size, pair.vocab_size)


MAKERS: dict[str, Callable[[ModelPair], Source]] = {"model": _model}
"""`Settings.source` -> how it is made, anew for every run"""


def drafter_for(pair: ModelPair, rule: Rule, settings: Settings) -> Drafter:
    """The drafter of one run. ValueError if this pair cannot draft for the rule."""
    if not rule.traits.drafts:
        return NoDraft()
    source = MAKERS[settings.source](pair)
    if TREES[settings.topology].while_drafting:
        return DynamicDrafter(source, rule, settings, pair.vocab_size)
    return StaticDrafter(source, rule, settings, pair.vocab_size, pair.prior(settings))
