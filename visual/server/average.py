"""What a method is expected to give on average, by the rank distribution measured for the pair; a run is one text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from ersd.draft_tree import Shape
from ersd.drafts.rank_distribution import RankDistribution
from ersd.drafts.shapes import expected_tokens, shape_of
from ersd.drafts.topologies import TREES
from ersd.rules.registry import TRAITS
from ersd.settings import FREQUENT_TOKENS, Settings
from visual.payload.average import Average
from visual.payload.sentences.exactness import is_biased, is_certain
from visual.payload.theory import is_least

Prior = Callable[[Settings], Sequence[float] | None]
"""The rank distribution measured for such runs on a pair, as `ModelPair.prior`; None while the pair is not in memory."""


def average(settings: Settings, prior: Prior) -> Average | None:
    """Expected tokens per call of a run with these settings, before anything is known of its text.

    None where it is not known: nothing was measured for the pair and rule, the tree depends on the text, or the rule is biased. None
    without a draft, too: such a call always gives one token.
    """
    if not settings.vertices or TREES[settings.topology].while_drafting or is_biased(settings):
        return None
    if TRAITS[settings.algorithm].counts_siblings or settings.frequent_tokens != FREQUENT_TOKENS:
        return None  # one rank distribution does not predict it, or it is that of other guesses
    hazards, measured = prior(settings), prior(measured_as(settings))
    if not hazards or not measured:
        return None
    return Average(shape_before(settings, hazards, measured).expected, is_least(settings))


def measured_as(settings: Settings) -> Settings:
    """Settings whose rank distribution says how often guesses are accepted.

    Where one token is possible, it is accepted as often as a greedy rule accepts it.
    """
    return replace(settings, algorithm="greedy") if is_certain(settings) else settings


def shape_before(settings: Settings, hazards: Sequence[float], measured: Sequence[float]) -> Shape:
    """The tree of step 1 with its expected yield; not for trees that are shaped while they are drafted.

    Args:
        settings: of the run.
        hazards: what the tree is built from; empty for those of a typical pair.
        measured: what its yield is estimated from, those of `measured_as`.
    """
    shape = shape_of(settings, RankDistribution(hazards))
    return _first_children(shape, RankDistribution(measured)) if is_certain(settings) else shape


def _first_children(shape: Shape, ranks: RankDistribution) -> Shape:
    """The chain of first children of a tree: all of it that can be drafted where one token only is possible."""
    length, node = 0, -1
    while (node := next((child for child in shape.children().get(node, ()) if shape.ranks[child] == 1), -1)) >= 0:
        length += 1
    chain = Shape(tuple(range(-1, length - 1)), (1,) * length)
    return replace(chain, expected=expected_tokens(chain, ranks))


def of_embedded(settings: Settings) -> Average | None:
    """The average of a recorded run of the embedded pair, which need not be in memory."""
    return average(settings, lambda each: _hazards().get(each.source, {}).get(each.algorithm))


@cache
def _hazards() -> dict[str, dict[str, list[float]]]:
    from ersd.load import read_hazards

    return read_hazards()
