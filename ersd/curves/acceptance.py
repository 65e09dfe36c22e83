"""How a pair agrees at one temperature: the ranks of a race, and what recursive rejection accepts, measured while a text is written."""

from __future__ import annotations

import itertools
import math
from collections.abc import Generator
from contextlib import closing

from ..decoding import decode
from ..draft_tree import ROOT
from ..drafts.rank_distribution import RankDistribution
from ..models.pair import ModelPair
from ..settings import Settings
from ..text.detokenizer import TextStream
from ..theory import gsd_acceptances
from ..walk import VisitedNode
from .results import MAX_DRAFTED

DRAFTED = 4
"""Tokens of the sequences that are drafted meanwhile; their number has no influence on the text."""
TOKENS = 96
"""Tokens of each text."""
PRIOR_VISITS = 1
"""Weight of the usual hazards: they count at ranks that were hardly ever reached."""


class Acceptance:
    """Adds up what is seen at every node of the texts."""

    def __init__(self, temperature: float, source: str = "model") -> None:
        """`source`: of the guesses, as in Settings."""
        self.temperature, self.source = temperature, source
        self.ranks = RankDistribution(prior_visits=PRIOR_VISITS)
        self.decisions = 0
        self.beginnings: list[str] = []
        """a prefix of each text, cut at a different point; direct runs continue from it, since acceptance changes along a text"""
        self._gsd = [0.0] * MAX_DRAFTED

    def add(self, pair: ModelPair, prompt: str, seed: int, place: float) -> Generator[int, None, None]:
        """Write a text and count its decisions; yields the tokens of every step. `place`: from 0 to 1, where in it direct runs begin."""
        settings = Settings("ersd", "sequence", DRAFTED, self.temperature, max_new_tokens=TOKENS, seed=seed, source=self.source)
        stream, written = TextStream(pair.texts, pair.encode(prompt)), 0
        with closing(decode(pair, prompt, settings)) as steps:
            for step in steps:
                for visited in step.walk.visited:
                    self._count(visited)
                    if written < place * TOKENS and not step.is_last:
                        stream.push(visited.token)
                    written += 1
                yield len(step.walk.visited)
        self.beginnings.append(prompt + stream.text)

    def _count(self, visited: VisitedNode) -> None:
        p, q = visited.scored.p(visited.node), visited.scored.q(visited.node)
        if q is None:
            if visited.node == ROOT and visited.scored.tree.calls:  # the source had no guess, so none was right
                self.decisions += 1
                self.ranks.observe(None, RankDistribution.LAST_RANK)
            return  # elsewhere a leaf: the draft was not asked
        self.decisions += 1
        self.ranks.observe(visited.rank, RankDistribution.LAST_RANK)
        self._gsd = [total + one for total, one in zip(self._gsd, gsd_acceptances(p[0], q[0], MAX_DRAFTED), strict=True)]

    def hazards(self) -> list[float]:
        """The hazards of a race's ranks, as in `ModelPair.hazards`."""
        return self.ranks.hazards(MAX_DRAFTED, PRIOR_VISITS)

    def race_ranks(self) -> list[float]:
        """P(R = 1) … P(R = MAX_DRAFTED), then the rest: the rank of the target's winner in the draft's order of arrival."""
        return self.ranks.probabilities(MAX_DRAFTED)

    def gsd_ranks(self) -> list[float]:
        """The same of the accepted try of recursive rejection with replacement: the mean over all nodes of what theory says there."""
        acceptances = self.gsd_acceptances()
        steps = [max(0.0, after - before) for before, after in itertools.pairwise([0.0, *acceptances])]
        return [*steps, max(0.0, 1 - math.fsum(steps))]

    def gsd_acceptances(self) -> list[float]:
        """Probability that one of 1, 2, … MAX_DRAFTED tries is accepted."""
        return [total / self.decisions for total in self._gsd]
