"""The steps of other trees on the same ERSD text, from its ranks alone: what `visual/web/what_if/static_trees.js` must find.

ERSD writes the same text whatever is drafted, so the rank of each of its tokens in the draft's order of arrival is the same for every tree
too. A step starts at the root and goes on while the path of ranks is a path of the tree; one token more, and the next step starts
(arXiv 2504.15475).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ersd.draft_tree import ROOT, depths_of
from ersd.drafts.rank_distribution import RankDistribution
from ersd.drafts.shapes import shape_of
from ersd.settings import Settings
from ersd.trace.model import RankSequence


@dataclass(frozen=True)
class ReplayedStep:
    """One step of another tree on the same text."""

    tokens: int
    accepted: int
    levels: int
    """depth of the tree: its cost in draft calls"""


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
