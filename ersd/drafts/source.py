"""Where the laws come from that drafts are drawn from: a draft model, or anything else that can score the vertices of a tree."""

from __future__ import annotations

from abc import ABC, abstractmethod

from torch import Tensor

from ..models.tree_cache import ROOT, DecoderCache
from .tree import DraftTree


class Source(ABC):
    """Scores what may come next, at the root of a tree and behind its vertices. Logits are float [n, at least vocab]."""

    @abstractmethod
    def root(self, sequence: list[int]) -> Tensor:
        """Logits [n, width] after `sequence`, the whole text so far, in the last row; those before it, if any, are behind as many tokens
        less of its end, for a source that reads them only now. A new tree begins."""

    @abstractmethod
    def behind(self, tree: DraftTree, vertices: list[int]) -> Tensor:
        """Logits [n, width] behind these vertices; each one's parent has been asked for before."""

    @abstractmethod
    def commit(self, path: list[int]) -> None:
        """The tree is decided: these vertices, from the root down, are text now; the others are gone."""


class ModelSource(Source):
    """A draft model with a key/value cache over the text and the tree. The deepest level is never asked for, so never forwarded."""

    def __init__(self, cache: DecoderCache) -> None:
        """`cache`: the draft model's, fresh."""
        self.cache = cache
        self._entries: dict[int, int] = {}
        """vertex -> its open entry in the cache"""

    def root(self, sequence: list[int]) -> Tensor:
        if not self.cache.committed:
            self.cache.prefill(sequence[:-1])
        # what the draft has not read: the target's own token, before it perhaps a leaf that was accepted
        unread = sequence[self.cache.committed :]
        logits, entries = self.cache.extend(unread, range(ROOT, len(unread) - 1))
        self._entries = {ROOT: entries[-1]}
        return logits

    def behind(self, tree: DraftTree, vertices: list[int]) -> Tensor:
        parents = [self._entries[tree.parents[vertex]] for vertex in vertices]
        logits, entries = self.cache.extend([tree.tokens[vertex] for vertex in vertices], parents)
        self._entries.update(zip(vertices, entries, strict=True))
        return logits

    def commit(self, path: list[int]) -> None:
        if self._entries:
            self.cache.commit([*range(self._entries[ROOT] + 1), *(self._entries[vertex] for vertex in path if vertex in self._entries)])
            self._entries = {}
