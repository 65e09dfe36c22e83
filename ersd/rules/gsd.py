"""GSD: recursive rejection with i.i.d. children (SpecInfer's multi-step sampling, arXiv 2305.09781).

With one child it is standard speculative decoding (Leviathan et al. 2211.17192, Chen et al. 2302.01318).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from ..randomness import Noise
from ..sampling import sample
from ..theory import gsd_acceptance
from ..walk import Decision
from .base import Contest, Rule
from .registry import TRAITS


class RecursiveRejection(Rule):
    """Children i.i.d. from Q, tried in turn against the remaining target probability."""

    name = "gsd"
    traits = TRAITS["gsd"]

    def draft(self, q: Tensor, k: int, noise: Noise, slots: Sequence[int]) -> Tensor:
        return sample(q, noise.draws(slots, k))

    def contests(self, p: Tensor, q: Tensor, children: Tensor) -> Iterator[Contest]:
        share: float | Tensor = 1.0
        for _ in range(children.shape[-1] + 1):
            yield Contest(p, q, share=share)
            p, rest = residual(p, q)
            share = share * rest

    def ratio(self, p: Tensor, q: Tensor) -> Tensor:
        """What the coin is compared with, from the child's two probabilities."""
        return p / q

    def verify(self, p: Tensor, q: Tensor | None, children: Tensor, noise: Noise) -> Decision:
        n, k = children.shape
        coins = noise.coins(k).to(p.device).expand(n, k)
        ratios = torch.zeros(n, k, dtype=torch.float64, device=p.device)
        accepted = torch.full((n,), -1, device=p.device)
        tried = torch.zeros(n, dtype=torch.int64, device=p.device)
        tokens = torch.zeros(n, dtype=torch.int64, device=p.device)
        contests = self.contests(p, p if q is None else q, children)
        for j in range(k):
            contest, child = next(contests), children[:, j : j + 1]
            undecided = accepted < 0
            ratios[:, j] = self.ratio(contest.target.gather(-1, child), contest.scale * contest.draft.gather(-1, child)).squeeze(-1)
            tried += undecided
            # strictly below: a token of target probability 0 is never accepted
            passed = undecided & (coins[:, j] < ratios[:, j])
            accepted[passed] = j
            tokens = torch.where(passed, children[:, j], tokens)
            if (accepted >= 0).all():
                return Decision(tokens, accepted, tried, ratios, coins)
        own = sample(next(contests).target, noise.residual().to(p.device).expand(n).unsqueeze(-1)).squeeze(-1)
        return Decision(torch.where(accepted < 0, own, tokens), accepted, tried, ratios, coins)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return gsd_acceptance(p, q, k)


def residual(p: Tensor, q: Tensor) -> tuple[Tensor, Tensor]:
    """The distribution proportional to (P - Q)+, and the sum of (P - Q)+, [n, 1].

    P itself where nothing remains, since a rejection then was impossible.
    """
    left = (p - q).clamp_min(0)
    total = left.sum(-1, keepdim=True)
    return torch.where(total > 0, left / total.where(total > 0, 1.0), p), total
