"""The key/value cache of one text and of the token tree that grows from it: its entries, positions and ancestors.

The first entries are committed: they are the text. The open entries follow, each with a parent among them. `extend` appends open entries
and scores them in one forward pass under a tree mask; `commit` keeps the entries of one path and drops the others. `TransformersCache`
does so with any decoder of transformers, `LlamaCache` faster with those of the Llama family.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from ..draft_tree import ROOT
from ..formatting import truncated

PREFILL_CHUNK = 512
"""Tokens of a prompt that are scored in one call: limits the memory that masks and logits take."""


class ModelError(ValueError):
    """A forward pass failed, or its logits are not numbers; the message says which model and where in the text."""


class DecoderCache(ABC):
    """Committed and open entries of one sequence (batch size 1), without their keys and values."""

    role = "model"
    """of the model in its pair, for messages: "target" or "draft\""""

    def __init__(self, device: torch.device, layers: Sequence[int] = ()) -> None:
        """`device`: where logits are returned. `layers`: as in `Target.open_cache`."""
        self.device = device
        self.layers = tuple(layers)
        self.committed = 0
        self._positions: list[int] = []
        """of the open entries, in the text"""
        self._ancestors = np.zeros((0, 0), dtype=bool)
        """[open, open]: row i marks the open entries that entry i may attend to, its ancestors and itself"""
        self._open_states: list[Tensor] = []
        """[layers, n, width] of the open entries, call by call; empty where no layers are asked for, as the next one"""
        self._committed_states: list[Tensor] = []
        """the same of the entries committed since `take_states`"""

    def prefill(self, tokens: Sequence[int]) -> None:
        """Commit `tokens` after the text so far. There must be no open entries."""
        for start in range(0, len(tokens), PREFILL_CHUNK):
            chunk = tokens[start : start + PREFILL_CHUNK]
            _, entries = self.extend(chunk, range(ROOT, len(chunk) - 1), logits_to_keep=1)
            self.commit(entries)

    @torch.inference_mode()
    def extend(self, tokens: Sequence[int], parents: Sequence[int], logits_to_keep: int = 0) -> tuple[Tensor, list[int]]:
        """Append open entries and score them.

        Args:
            tokens: their token ids.
            parents: for each token the open entry that it follows, or ROOT. A parent may be an earlier token of the same call.
            logits_to_keep: return logits of the last N tokens only; 0 returns all.

        Returns:
            Logits [n, width] in the model's precision, and the numbers of the new open entries.

        Raises:
            ModelError: the forward pass fails, or the logits of a token are not numbers.
        """
        before = self._open(parents)
        try:
            logits = self._forward(list(tokens), before, logits_to_keep)
        except Exception as error:  # out of memory, a token without an embedding, anything a model may raise
            place = f"after {self.committed} tokens of the text"
            raise ModelError(f"the {self.role} failed {place}: {truncated(error) or type(error).__name__}") from error
        largest = logits.amax(-1)  # NaN if one logit is NaN, -inf if every token has probability 0
        if not largest.isfinite().all():
            rows = self._positions[len(self._positions) - len(logits) :]
            first = next(position for position, is_number in zip(rows, largest.isfinite().tolist(), strict=True) if not is_number)
            raise ModelError(
                f"the {self.role} gives logits that are not numbers after token {first + 1} of the text: "
                "dtype must be float32 if a smaller precision overflows here; otherwise its weights are damaged"
            )
        return logits, list(range(before, before + len(tokens)))

    @abstractmethod
    def _forward(self, tokens: list[int], before: int, logits_to_keep: int) -> Tensor:
        """Logits as `extend` returns them, for the open entries from `before` on, which have these tokens. Appends to `_open_states`."""

    @abstractmethod
    def commit(self, entries: Sequence[int]) -> None:
        """Keep the open entries of one path, given in its order from the text on, and drop all other open entries.

        Only the kept entries are moved; the committed ones stay in place.
        """

    def take_states(self) -> Tensor:
        """The target's hidden states [layers, n, width] of the n tokens committed since the last call."""
        taken, self._committed_states = torch.cat(self._committed_states, 1), []
        return taken

    def _open(self, parents: Sequence[int]) -> int:
        """Add an open entry for every parent; returns how many entries were open before."""
        before, after = len(self._positions), len(self._positions) + len(parents)
        ancestors = np.zeros((after, after), dtype=bool)
        ancestors[:before, :before] = self._ancestors
        for entry, parent in enumerate(parents, start=before):
            if parent == ROOT:
                self._positions.append(self.committed)
            else:
                self._positions.append(self._positions[parent] + 1)
                ancestors[entry] = ancestors[parent]
            ancestors[entry, entry] = True
        self._ancestors = ancestors
        return before

    def _close(self, entries: Sequence[int]) -> None:
        """The end of every `commit`: these entries are text now, all others are gone."""
        if self._open_states:
            self._committed_states.append(torch.cat(self._open_states, 1)[:, list(entries)])
            self._open_states = []
        self.committed += len(entries)
        self._positions, self._ancestors = [], np.zeros((0, 0), dtype=bool)

    def _attended(self, before: int) -> Tensor:
        """Boolean mask [new, all] of the entries that the open entries from `before` on may attend to."""
        among_open = self._ancestors[before:]
        mask = np.ones((among_open.shape[0], self.committed + among_open.shape[1]), dtype=bool)
        mask[:, self.committed :] = among_open
        return torch.from_numpy(mask)

    def _moved(self, entries: Sequence[int]) -> Tensor | None:
        """Indices in the cache of the entries of a path, int64 [entries]; None if they need not move."""
        return None if list(entries) == list(range(len(entries))) else torch.tensor(list(entries)) + self.committed
