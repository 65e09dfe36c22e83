"""Replay an ERSD text with other trees, from the ranks of its tokens alone. Plain data, no models.

ERSD writes the same text whatever is drafted, so the rank of each of its tokens in the draft's order of arrival is the same for every tree
too. A step starts at the root and goes on while the path of ranks is a path of the tree; one token more, and the next step starts
(arXiv 2504.15475). The browser does the same (`visual/web/what_if/static_trees.js`), and both must do it exactly as the engine does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..draft_tree import ROOT, depths_of
from ..drafts.rank_distribution import RankDistribution
from ..drafts.shapes import shape_of
from ..drafts.topologies import TREES
from ..rules.registry import TRAITS
from ..settings import Settings
from .model import RankSequence
from .step import Step


@dataclass(frozen=True)
class ReplayedStep:
    """One step of another tree on the same text."""

    tokens: int
    accepted: int
    levels: int
    """depth of the tree: its cost in draft calls"""


def is_known_for(settings: Settings) -> bool:
    """Do the ranks of a run with these settings fix the steps of other trees? Only for ERSD, whose text depends on no tree; and not where
    a source is chosen before each step, since the steps of another tree are others."""
    return TRAITS[settings.algorithm].shares_clocks and settings.source != "routed"


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


def replayed_steps(sequence: RankSequence, settings: Settings) -> list[ReplayedStep]:
    """The steps of a run that writes the same text with another tree; `settings` differ from the run's only in the tree.

    As in the engine, a step's tree is no deeper than the remaining tokens but one, and the rank distribution learns from every visit to a
    node with children once the step is over.
    """
    distribution = RankDistribution(sequence.prior, sequence.prior_visits)
    settings = replace(settings, max_new_tokens=sequence.room)
    steps: list[ReplayedStep] = []
    at, count = 0, len(sequence.ranks)
    while at < count:
        shape = shape_of(settings, distribution, sequence.room - at - 1)
        children = shape.children()
        start, node, visits, goes_on = at, ROOT, [], True
        while goes_on and at < count:
            rank, below = sequence.ranks[at], children.get(node, [])
            at += 1
            if below:
                visits.append((rank, len(below)))
            goes_on = 1 <= rank <= len(below)
            if goes_on:
                node = below[rank - 1]
        for rank, drafted in visits:
            # a draft that reaches fewer tokens than there is room for has fewer children
            distribution.observe(rank if rank > 0 else None, drafted if rank > 0 else min(drafted, -rank))
        tokens = at - start
        steps.append(ReplayedStep(tokens, tokens if goes_on else tokens - 1, max(depths_of(shape.parents), default=0)))
    return steps
