"""Block verification: a drafted sequence is decided as a whole (Sun et al., arXiv 2403.10444, algorithm 2)."""

from __future__ import annotations

import torch
from torch import Tensor

from ..randomness import Noise
from ..sampling import sample
from ..walk import Decision
from .gsd import RecursiveRejection, residual
from .joint import JointRule
from .registry import TRAITS


class BlockVerification(JointRule, RecursiveRejection):
    """One sequence; its tokens are kept up to the last one whose coin falls below its keep probability."""

    name = "block"
    traits = TRAITS["block"]

    def verify_chain(self, p: Tensor, q: Tensor, children: Tensor, noise: Noise) -> list[Decision]:
        n, k = children.shape
        coins = noise.coins(k).to(p.device).expand(n, k)
        joint, keep = self.limits(p, q, children)
        kept = self.kept(coins < keep)
        left, share = _residual(p, q, kept, joint)
        own = sample(left, noise.residual().to(p.device).expand(n).unsqueeze(-1)).squeeze(-1)
        # over the coins: probability that one at or after each token passes, so that more tokens are kept than stand before it
        passing = 1 - (1 - keep).flip(-1).cumprod(-1).flip(-1)
        before = torch.cat([torch.ones_like(keep[:, :1]), passing[:, :-1]], -1)
        decisions = []
        for i in range(k):
            is_kept = kept > i
            decisions.append(
                Decision(
                    tokens=torch.where(is_kept, children[:, i], own),
                    accepted=is_kept.long() - 1,
                    tried=torch.ones_like(kept),
                    ratios=keep[:, i : i + 1],
                    coins=coins[:, i : i + 1],
                    predicted=passing[:, i] / before[:, i],
                    joint=joint[:, i],
                    residual=left,
                    share=share,
                )
            )
        none = torch.zeros_like(kept)
        return [*decisions, Decision(own, none - 1, none)]

    def limits(self, p: Tensor, q: Tensor, children: Tensor) -> tuple[Tensor, Tensor]:
        """The joint acceptance of every token, and what its coin is compared with: float64 [n, k] each."""
        return _acceptance(p, q, children)

    def kept(self, passed: Tensor) -> Tensor:
        """How many tokens stay of each sequence, int64 [n]; `passed`: bool [n, k], whose coins are below the keep probability."""
        return (passed * torch.arange(1, passed.shape[-1] + 1, device=passed.device)).amax(-1)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return None  # it depends on the whole sequence: `Decision.predicted`


def _acceptance(p: Tensor, q: Tensor, children: Tensor) -> tuple[Tensor, Tensor]:
    """The joint acceptance min(1, previous * p / q) of every token, and its keep probability: float64 [n, k] each."""
    n, k = children.shape
    joint, keep = (torch.ones(n, k, dtype=p.dtype, device=p.device) for _ in range(2))
    reached = torch.ones(n, dtype=p.dtype, device=p.device)
    for i in range(k):
        child = children[:, i : i + 1]
        reached = (reached * (p[:, i].gather(-1, child) / q[:, i].gather(-1, child)).squeeze(-1)).clamp_max(1)
        joint[:, i] = keep[:, i] = reached
        if i + 1 < k:
            rest = (reached.unsqueeze(-1) * p[:, i + 1] - q[:, i + 1]).clamp_min(0).sum(-1)
            total = rest + 1 - reached
            # nothing remains and no way to fail: kept
            keep[:, i] = torch.where(total > 0, rest / total.where(total > 0, 1.0), 1.0).clamp_max(1)
    return joint, keep


def _residual(p: Tensor, q: Tensor, kept: Tensor, joint: Tensor) -> tuple[Tensor, Tensor]:
    """What the target's own token is drawn from after `kept` tokens: (joint P - Q)+ where the sequence is cut, P after a whole one.

    The sum of (joint P - Q)+, [n], comes with it.
    """
    n, k, vocab = q.shape
    at = kept.view(n, 1, 1).expand(n, 1, vocab)
    after = p.gather(1, at).squeeze(1)
    drafted = q.gather(1, at.clamp_max(k - 1)).squeeze(1)
    scale = torch.cat([torch.ones_like(joint[:, :1]), joint], -1).gather(-1, kept.unsqueeze(-1))
    left, share = residual(scale * after, drafted)
    return torch.where((kept < k).unsqueeze(-1), left, after), share.squeeze(-1)
