"""Where draft distributions come from: a draft model, or anything else that can score the nodes of a tree."""

from __future__ import annotations

from abc import ABC, abstractmethod

from torch import Tensor

from ..models.tree_cache import ROOT, DecoderCache
from .tree import DraftTree


class Source(ABC):
    """Scores what may come next, at the root of a tree and after its nodes. Logits are float [n, at least vocab]."""

    @abstractmethod
    def root(self, sequence: list[int]) -> Tensor:
        """Begin a new tree: logits [n, width] of which the last row comes after `sequence`, the whole text so far.

        The rows before it, if any, come after as many tokens less of the text, for a source that reads them only now.
        """

    @abstractmethod
    def after(self, tree: DraftTree, nodes: list[int]) -> Tensor:
        """Logits [n, width] after these nodes; each one's parent was scored before."""

    @abstractmethod
    def commit(self, path: list[int]) -> None:
        """End the tree: these nodes, from the root down, are text now; drop the others."""


class ModelSource(Source):
    """A draft model with a key/value cache over the text and the tree. The deepest level is never forwarded."""

    def __init__(self, cache: DecoderCache) -> None:
        """`cache`: the draft model's, fresh."""
        self.cache = cache
        self._entries: dict[int, int] = {}
        """node -> its open entry in the cache"""

    def root(self, sequence: list[int]) -> Tensor:
        if not self.cache.committed:
            self.cache.prefill(sequence[:-1])
        # what the draft has not read: the target's own token, before it perhaps a leaf that was accepted
        unread = sequence[self.cache.committed :]
        logits, entries = self.cache.extend(unread, range(ROOT, len(unread) - 1))
        self._entries = {ROOT: entries[-1]}
        return logits

    def after(self, tree: DraftTree, nodes: list[int]) -> Tensor:
        parents = [self._entries[tree.parents[node]] for node in nodes]
        logits, entries = self.cache.extend([tree.tokens[node] for node in nodes], parents)
        self._entries.update(zip(nodes, entries, strict=True))
        return logits

    def commit(self, path: list[int]) -> None:
        if self._entries:
            self.cache.commit([*range(self._entries[ROOT] + 1), *(self._entries[node] for node in path if node in self._entries)])
            self._entries = {}


def split_root(logits: Tensor, vocab_size: int) -> tuple[Tensor, Tensor | None]:
    """From `Source.root`: the logits after the text, [1, vocab], and those for `DraftTree.leaf`."""
    logits = logits[..., :vocab_size]
    return logits[-1:], logits[-2] if len(logits) > 1 else None
