"""Guesses from a draft model with another tokenizer: token-level intersection, TLI (arXiv 2502.05202).

The draft reads the text in its own tokens and gives a distribution of its own. Of that the strings remain that are also tokens of the
target, renormalised: q'(x) = q(x) / q(shared). This is a distribution over the target's tokens that depends on the path alone, so guesses
drawn from it are judged by it, and every rule stays exact.
"""

from __future__ import annotations

import torch
from torch import Tensor

from ..draft_tree import ROOT, DraftTree
from ..models.foreign import ForeignDraft
from .source import Source

REREAD = 6
"""Tokens at the end of the text that the draft reads anew with every tree: what comes next may change how the last word is split."""


class Foreign(Source):
    """A draft model behind its own tokenizer. A guessed token is one token of the draft, so within a tree nothing is split anew."""

    def __init__(self, draft: ForeignDraft, vocab_size: int) -> None:
        self.draft, self.vocab_size = draft, vocab_size
        self._id_of = dict(zip(draft.target_ids.tolist(), draft.draft_ids.tolist(), strict=True))
        self._cache = draft.model.open_cache()
        self._read: list[int] = []
        """the draft's tokens that are committed in the cache"""
        self._unread: list[int] = []
        """those after them, which the tree grows from"""
        self._entries: dict[int, int] = {}
        """node -> its open entry in the cache"""

    def root(self, sequence: list[int]) -> Tensor:
        ids = self.draft.ids_of(sequence)
        if ids[: len(self._read)] != self._read:  # what was added changed more than the last word
            self._cache, self._read = self.draft.model.open_cache(), []
        self._unread, self._entries = ids[len(self._read) :], {}
        if not self._unread or self._room(0) < 0:
            return self._silence(1)
        if not self._read:
            self._commit(len(ids) - REREAD)
        logits, entries = self._cache.extend(self._unread, range(ROOT, len(self._unread) - 1))
        self._entries[ROOT] = entries[-1]
        return self._shared(logits[-1:])

    def after(self, tree: DraftTree, nodes: list[int]) -> Tensor:
        rows = [row for row, node in enumerate(nodes) if self._room(tree.depths[node]) >= 0]
        found = self._silence(len(nodes))
        if rows:
            fit = [nodes[row] for row in rows]
            parents = [self._entries[tree.parents[node]] for node in fit]
            logits, entries = self._cache.extend([self._id_of[tree.tokens[node]] for node in fit], parents)
            self._entries.update(zip(fit, entries, strict=True))
            found[rows] = self._shared(logits)
        return found

    def commit(self, path: list[int]) -> None:
        kept = max(0, len(self._unread) - REREAD) if self._entries else 0
        self._cache.commit(range(kept))
        self._read, self._unread, self._entries = self._read + self._unread[:kept], self._unread[kept:], {}

    def _commit(self, count: int) -> None:
        """Read the first tokens of the text, which will not change."""
        if count > 0:
            self._cache.prefill(self._unread[:count])
            self._read, self._unread = self._unread[:count], self._unread[count:]

    def _room(self, depth: int) -> int:
        """Tokens that the draft's context has left after a node of this depth."""
        return self.draft.model.context - len(self._read) - len(self._unread) - depth

    def _silence(self, rows: int) -> Tensor:
        """Logits [rows, vocab] without a guess."""
        return torch.full((rows, self.vocab_size), -torch.inf, device=self.draft.target_ids.device)

    def _shared(self, logits: Tensor) -> Tensor:
        """The draft's logits [n, width] as logits [n, vocab] of the target's tokens."""
        found = self._silence(len(logits))
        found[:, self.draft.target_ids] = logits[:, self.draft.draft_ids].float()
        return found
