"""Where draft distributions come from: a draft model, or anything else that can score the nodes of a tree.

A new source is one file with a `Source`, entered in `drafts.sources` and in `settings.SOURCES`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from ..draft_tree import ROOT, DraftTree, Routing
from ..models.target import Cache
from ..models.tree_cache import ModelError
from ..models.windows import NO_END
from ..randomness import Noise
from ..rules.base import Rule, rank_or_reach
from ..settings import Settings
from ..walk import VisitedNode


class Source(ABC):
    """Scores what may come next, at the root of a tree and after its nodes. Logits are float [n, at least vocab], finite or -inf.

    A row of -inf alone says that there is no guess after this node: then nothing is drafted there. Whether there is one must depend on the
    node's path alone, never on clocks or coins, or the rules with coins are no longer exact.
    """

    is_checked = False
    """whether whoever computes the logits checks already that they are numbers, and always guesses: on a GPU a check takes a wait"""
    context: int = NO_END
    """tokens of text beyond which it does not guess"""
    layers: Sequence[int] = ()
    """layers of the target whose hidden states it asks for (`Target.open_cache`); they are computed only then, and given to `observe`"""
    routing: Routing | None = None
    """of a source that chooses among others: the choice for the tree begun last"""

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

    def drop(self) -> None:
        """End the tree and keep nothing of it: the next one may grow from the same text."""
        self.commit([])

    def learn(self, visited: Sequence[VisitedNode]) -> None:
        """Before `commit`: the decisions in the tree."""
        return

    def observe(self, states: Tensor) -> None:
        """After `commit`: the target's hidden states [layers, n, width] of the n tokens that it has read for good since the last call.

        The first call begins with the prompt. The text's last token comes with the next step, which is the first to read it.
        """
        return


class ModelSource(Source):
    """A draft model with a key/value cache over the text and the tree. The deepest level is never forwarded.

    Its distribution after a node depends on the node's path alone, so guesses drawn from it are judged by it, and every rule is exact.
    """

    is_checked = True  # by `DecoderCache.extend`

    def __init__(self, cache: Cache, known: int, vocab_size: int, context: int = NO_END) -> None:
        """`cache`: the draft model's, fresh. `known`: ids that the draft knows, at most `vocab_size`."""
        self.cache, self.known, self.vocab_size, self.context = cache, known, vocab_size, context
        self._entries: dict[int, int] = {}
        """node -> its open entry in the cache"""

    def root(self, sequence: list[int]) -> Tensor:
        if not self.cache.committed:
            self.cache.prefill(self._readable(sequence[:-1]))
        # what the draft has not read: the target's own token, before it perhaps a leaf that was accepted
        unread = sequence[self.cache.committed :]
        logits, entries = self.cache.extend(self._readable(unread), range(ROOT, len(unread) - 1))
        self._entries = {ROOT: entries[-1]}
        return self._padded(logits)

    def after(self, tree: DraftTree, nodes: list[int]) -> Tensor:
        parents = [self._entries[tree.parents[node]] for node in nodes]
        logits, entries = self.cache.extend([tree.tokens[node] for node in nodes], parents)
        self._entries.update(zip(nodes, entries, strict=True))
        return self._padded(logits)

    def commit(self, path: list[int]) -> None:
        if self._entries:
            self.cache.commit([*range(self._entries[ROOT] + 1), *(self._entries[node] for node in path if node in self._entries)])
            self._entries = {}

    def drop(self) -> None:
        self.cache.commit([])
        self._entries = {}

    def _readable(self, tokens: list[int]) -> list[int]:
        """The text as the draft reads it: token 0 where it does not know one. That can cost acceptance, but not exactness."""
        return [token if token < self.known else 0 for token in tokens]

    def _padded(self, logits: Tensor) -> Tensor:
        """Logits [n, at least vocab], with probability 0 for what the draft does not know."""
        missing = self.vocab_size - self.known
        return F.pad(logits[:, : self.known], (0, missing), value=-torch.inf) if missing else logits


def checked(source: Source, logits: Tensor, vocab_size: int) -> tuple[Tensor, list[int]]:
    """The logits of this source, cut to [n, vocab], and the rows that hold a guess. ModelError if they are too few, or not numbers."""
    width = logits.shape[-1]
    if width < vocab_size:
        raise ModelError(f"the draft must give a logit for each of {vocab_size:,} tokens, got {width:,}")
    logits = logits[..., :vocab_size]
    if source.is_checked:
        return logits, list(range(len(logits)))
    best = logits.amax(-1)  # NaN if one is NaN
    if not (best < torch.inf).all():
        raise ModelError("the draft gives logits that are not numbers")
    return logits, (best > -torch.inf).nonzero().flatten().tolist()


def rank_after(rule: Rule, logits: Tensor, settings: Settings, noise: Noise, token: int) -> int | None:
    """The rank of a token among what draft logits [vocab] predict at the position of `noise`, as `rank_or_reach`; None without an order."""
    if not logits.amax() > -torch.inf:
        return 0  # no guess: nothing is reached
    scores = rule.scores(rule.distributions(logits.unsqueeze(0), settings), noise)
    return None if scores is None else rank_or_reach(scores[0], token)


def split_root(logits: Tensor, vocab_size: int) -> tuple[Tensor, Tensor | None]:
    """From `Source.root`: the logits after the text, [1, vocab], and those for `DraftTree.leaf`."""
    logits = logits[..., :vocab_size]
    return logits[-1:], logits[-2] if len(logits) > 1 else None
