"""The ranks of an ERSD text, from which the page replays it with other trees (`visual/web/what_if/static_trees.js`). Plain data, no models.

ERSD writes the same text whatever is drafted, so the rank of each of its tokens in the draft's order of arrival is the same for every tree
too (arXiv 2504.15475).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..drafts.topologies import TREES
from ..rules.registry import TRAITS
from ..settings import Settings
from .step import Step

STEPWISE = {
    "ngram": "counts of the text are taken between steps",
    "exit": "its map is learned between steps",
    "foreign": "the text is split into the draft’s tokens anew between steps",
    "routed": "a source is chosen between steps",
}
"""Source whose guesses depend on where steps begin -> why."""


def is_known_for(settings: Settings) -> bool:
    """Do the ranks of a run with these settings fix the steps of other trees? Only for ERSD, whose text depends on no tree, and only with
    guesses that depend on the text alone: with STEPWISE sources another tree, whose steps begin elsewhere, has other ranks."""
    return TRAITS[settings.algorithm].shares_clocks and settings.source not in STEPWISE


def static_topologies() -> list[str]:
    """The topologies whose shape is fixed before their tokens are known."""
    return [name for name, tree in TREES.items() if not tree.while_drafting]


def recorded_ranks(steps: Iterable[Step]) -> list[tuple[int, int | None]]:
    """Every new token with its rank; None where it was not recorded: after a leaf the draft is asked only with the next step."""
    found: list[tuple[int, int | None]] = []
    for step in steps:
        if found:
            found[-1] = completed(found[-1], step.leaf_rank)
        found += [(visit.token, visit.rank) for visit in step.walk]
    return found


def completed(last: tuple[int, int | None], leaf_rank: int | None) -> tuple[int, int | None]:
    """The last token of a step; if its rank is missing it comes with the next step."""
    token, rank = last
    return token, leaf_rank if rank is None else rank
