"""Rules in which the target alone picks the next token, the one of the largest score; it is accepted if it was drafted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import torch
from torch import Tensor

from ..randomness import Noise
from ..walk import Decision
from .base import Rule


class ArgmaxRule(Rule):
    """Children: the draft's largest scores. Decision: the target's own largest score, accepted if it is a child."""

    @abstractmethod
    def scores(self, p: Tensor, noise: Noise) -> Tensor:
        """As `Rule.scores`, never None."""

    def draft(self, q: Tensor, k: int, noise: Noise, slots: Sequence[int]) -> Tensor:
        first = self.scores(q, noise).topk(min(k, q.shape[-1])).indices
        return first.masked_fill(q.gather(-1, first) == 0, -1)

    def verify(self, p: Tensor, q: Tensor | None, children: Tensor, noise: Noise) -> Decision:
        return accept_if_drafted(self.scores(p, noise).argmax(-1), children)


def accept_if_drafted(tokens: Tensor, children: Tensor) -> Decision:
    """The decision at n nodes where the next tokens, [n], do not depend on the children, [n, k]."""
    n, k = children.shape
    tried = tokens.new_full((n,), k)
    if not k:
        return Decision(tokens, tried - 1, tried)
    found, first = (children == tokens.unsqueeze(-1)).max(-1)
    return Decision(tokens, torch.where(found, first, -1), tried)
