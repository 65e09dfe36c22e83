"""The Drafter interface: whoever drafts the trees of a run, one per step."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from ..draft_tree import DraftTree
from ..walk import VisitedNode
from .rank_distribution import RankDistribution
from .source import Source


class Drafter(ABC):
    """Drafts the trees of one run. It keeps what it needs of the text by itself (a cache, counts) and learns from the decisions."""

    source: Source | None = None
    """what guesses; None where nothing is drafted"""
    ranks: RankDistribution | None = None
    """the run's rank distribution, if the drafter chooses its shapes by one and so learns it"""

    @abstractmethod
    def grow(self, sequence: list[int], max_depth: int) -> DraftTree:
        """The tree after `sequence`, the whole text so far, no deeper than `max_depth`, which may be 0."""

    @abstractmethod
    def learn(self, visited: Sequence[VisitedNode]) -> None:
        """Learn from the decisions in the tree grown last, in the order decided."""

    @abstractmethod
    def commit(self, path: list[int]) -> None:
        """Append the nodes `path` of the tree grown last to the text, followed by one token of the target's own; drop all others."""


class NoDraft(Drafter):
    """Drafts nothing: one token per target call."""

    def grow(self, sequence: list[int], max_depth: int) -> DraftTree:
        return DraftTree()

    def learn(self, visited: Sequence[VisitedNode]) -> None:
        return

    def commit(self, path: list[int]) -> None:
        return
