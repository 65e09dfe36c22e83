"""Rules that know the next token before they look at the children: it is accepted if it was drafted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ..randomness import Noise
from .base import Chosen, Rule, Verdict
from .law import Law

if TYPE_CHECKING:
    from ..walk import ScoredTree


class Foreseen(Rule):
    """The target alone names the next token."""

    @abstractmethod
    def leads(self, logs: Tensor, noise: Noise) -> Tensor:
        """As `Rule.leads`, which it always has."""

    def first(self, logs: Tensor, noise: Noise) -> Tensor:
        """The first tokens in the order of this rule at n vertices, int64 [n]; logs as for `leads`."""
        leads = self.leads(logs, noise)
        # numpy finds the largest in a tenth of torch's time
        return torch.from_numpy(leads.numpy().argmax(-1)) if leads.is_cpu else leads.argmax(-1)

    def draft(self, q: Tensor, k: int, noise: Noise, slots: Sequence[int]) -> Tensor:
        return self._first_ones(q.log(), lambda: q, k, noise)

    def draft_from(self, q: Law, k: int, noise: Noise, slots: Sequence[int]) -> Tensor:
        return self._first_ones(q.logs, lambda: q.probabilities, k, noise)

    def _first_ones(self, logs: Tensor, probabilities: Callable[[], Tensor], k: int, noise: Noise) -> Tensor:
        if k == 1:  # there always is one
            return self.first(logs, noise).unsqueeze(-1)
        first = self.leads(logs, noise).topk(min(k, logs.shape[-1])).indices
        return first.masked_fill(probabilities().gather(-1, first) == 0, -1)

    def verify(self, p: Tensor, q: Tensor | None, children: Tensor, noise: Noise) -> Verdict:
        return choose(self.first(p.log(), noise), children)

    def deciding(self, scored: ScoredTree) -> Callable[[int, int], Chosen]:
        if scored.logits.device.type == "cuda":
            return super().deciding(scored)
        tree = scored.tree

        def decide(vertex: int, depth: int) -> Chosen:
            # in plain numbers: a tensor for each would cost ten times as much
            winner = int(self.first(scored.law(vertex).logs, scored.noise(depth)))
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
