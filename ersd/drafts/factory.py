"""Where drafts come from. A Drafter grows a tree after the text; the two here fill it from a Source, level by level or best first.

A new source of drafts (n-grams of the text, a second cache, a server) is a `Source` entered in SOURCES, or a `Drafter` of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..rules.builtin import Rule
from ..settings import Settings
from .dynamic import BestFirst
from .source import ModelSource, Source
from .static import LevelByLevel
from .topologies import TREES
from .tree import Drafter, DraftTree, NoDraft

if TYPE_CHECKING:
    from ..models.pair import ModelPair


def _model(pair: ModelPair) -> Source:
    return ModelSource(pair.open_draft())


SOURCES: dict[str, Callable[[ModelPair], Source]] = {"model": _model}
"""`ModelPair.draft_source` -> how its source is made, anew for every run"""


def drafter_for(pair: ModelPair, rule: Rule, settings: Settings) -> Drafter:
    """The drafter of one run. ValueError if this pair cannot draft for the rule."""
    if not rule.traits.drafts:
        return NoDraft()
    source = SOURCES[pair.draft_source](pair)
    if TREES[settings.topology].while_drafting:
        return BestFirst(source, rule, settings, pair.vocab_size)
    return LevelByLevel(source, rule, settings, pair.vocab_size, pair.hazards.get(rule.name, ()))


__all__ = ["SOURCES", "BestFirst", "DraftTree", "Drafter", "LevelByLevel", "ModelSource", "NoDraft", "Source", "drafter_for"]
