"""Rules that know the next token before they look at the children: it is accepted if it was drafted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ..randomness import Noise
from .base import Chosen, Rule, Verdict

if TYPE_CHECKING:
    from ..walk import ScoredTree


class Foreseen(Rule):
    """The target alone names the next token."""

    @abstractmethod
    def winners(self, p: Tensor, noise: Noise) -> Tensor:
        """The next tokens at n vertices, int64 [n], by the target's distributions p, float64 [n, vocab]."""

    def verify(self, p: Tensor, q: Tensor | None, children: Tensor, noise: Noise) -> Verdict:
        return choose(self.winners(p, noise), children)

    def deciding(self, scored: ScoredTree) -> Callable[[int, int], Chosen]:
        if scored.logits.device.type == "cuda":
            return super().deciding(scored)
        tree = scored.tree

        def decide(vertex: int, depth: int) -> Chosen:
            # in plain numbers: a tensor for each would cost ten times as much
            winner = int(self.winners(scored.p(vertex), scored.noise(depth)))
            children = [tree.tokens[child] for child in tree.tries.get(vertex, ())]
            return Chosen(winner, children.index(winner) if winner in children else -1, len(children))

        return decide


def choose(winners: Tensor, children: Tensor) -> Verdict:
    """The verdict at n vertices where the next tokens, [n], are known beforehand; children [n, k]."""
    n, k = children.shape
    tried = winners.new_full((n,), k)
    if not k:
        return Verdict(tokens=winners, accepted=tried - 1, tried=tried)
    found, first = (children == winners.unsqueeze(-1)).max(-1)
    return Verdict(tokens=winners, accepted=torch.where(found, first, -1), tried=tried)
