"""Block verification: a drafted sequence is decided as a whole (Sun et al., arXiv 2403.10444, algorithm 2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ..randomness import Noise
from ..sampling import sample
from .base import Chosen, Verdict
from .gsd import RecursiveRejection, residual
from .registry import TRAITS

if TYPE_CHECKING:
    from ..walk import ScoredTree


@dataclass(frozen=True)
class BlockVerdict:
    """What was decided about n sequences of k drafted tokens."""

    kept: Tensor
    """int64 [n]: how many tokens are kept, from the first on"""
    own: Tensor
    """int64 [n]: the target's own token behind them"""
    own_law: Tensor
    """float64 [n, vocab]: what that one was drawn from"""
    tokens: Tensor
    """int64 [n, k]: the drafted sequences"""
    ratios: Tensor
    """float64 [n, k]: p / q of every token"""
    joint: Tensor
    """float64 [n, k]: the joint acceptance min(1, previous * p / q)"""
    keep: Tensor
    """float64 [n, k]: what the coin at each token is compared with; the last coin that falls below decides how many are kept"""
    coins: Tensor
    """float64 [n, k]"""

    def at(self, place: int) -> Verdict:
        """The same as a verdict at the vertex behind `place` drafted tokens."""
        if place == self.tokens.shape[-1]:
            none = torch.zeros_like(self.kept)
            return Verdict(tokens=self.own, accepted=none - 1, tried=none, block=self)
        kept = self.kept > place
        chosen = torch.where(kept, self.tokens[:, place], self.own)
        return Verdict(
            tokens=chosen,
            accepted=kept.long() - 1,
            tried=torch.ones_like(self.kept),
            ratios=self.keep[:, place : place + 1],
            coins=self.coins[:, place : place + 1],
            predicted=self._passing(place) / self._passing(place - 1),
            block=self,
            left=self.own_law,
        )

    def _passing(self, place: int) -> Tensor:
        """Chance over the coins that one at or behind this place passes, so that more than `place` tokens are kept: float64 [n]."""
        if place < 0:
            return torch.ones_like(self.keep[:, 0])
        return 1 - (1 - self.keep[:, place:]).prod(-1)


class BlockVerification(RecursiveRejection):
    """One sequence; the tokens are kept up to the last one whose coin falls below its keep probability."""

    name = "block"
    traits = TRAITS["block"]

    def deciding(self, scored: ScoredTree) -> Callable[[int, int], Chosen]:
        tokens = scored.tree.tokens
        if not tokens:
            return super().deciding(scored)
        drafts = torch.stack([scored.tree.q(vertex) for vertex in range(-1, len(tokens) - 1)])
        children = torch.tensor([tokens], device=drafts.device)
        block = self.verify_sequence(scored.every_p().unsqueeze(0), drafts.unsqueeze(0), children, scored.noise(0))
        return lambda vertex, depth: Chosen.by(block.at(depth))

    def trial(self, p: Tensor, q: Tensor, k: int, noise: Noise) -> Verdict:
        """A sequence of k tokens in which every distribution is p or q again; the verdict is about its first token."""
        drawn = [self.draft(q, 1, noise, [place]) for place in range(k)]
        every_p, every_q = (law.unsqueeze(1).expand(-1, count, -1) for law, count in ((p, k + 1), (q, k)))
        return self.verify_sequence(every_p, every_q, torch.cat(drawn, dim=1), noise).at(0)

    def verify_sequence(self, p: Tensor, q: Tensor, children: Tensor, noise: Noise) -> BlockVerdict:
        """Decide about n sequences.

        Args:
            p: float64 [n, k + 1, vocab], the target's distributions at the root and behind each drafted token.
            q: float64 [n, k, vocab], the distributions the tokens were drawn from.
            children: int64 [n, k].
            noise: the randomness of the root's position; one coin per token and one draw.
        """
        n, k = children.shape
        coins = noise.coins(k).to(p.device).expand(n, k)
        ratios, joint, keep = (torch.ones(n, k, dtype=p.dtype, device=p.device) for _ in range(3))
        reached = torch.ones(n, dtype=p.dtype, device=p.device)
        kept = torch.zeros(n, dtype=torch.int64, device=p.device)
        scale = reached.clone()  # the joint acceptance where the sequence is cut
        for i in range(k):
            child = children[:, i : i + 1]
            ratios[:, i] = (p[:, i].gather(-1, child) / q[:, i].gather(-1, child)).squeeze(-1)
            reached = (reached * ratios[:, i]).clamp_max(1)
            joint[:, i] = keep[:, i] = reached
            if i + 1 < k:
                rest = (reached.unsqueeze(-1) * p[:, i + 1] - q[:, i + 1]).clamp_min(0).sum(-1)
                total = rest + 1 - reached
                # nothing left and no chance to fail: kept
                keep[:, i] = torch.where(total > 0, rest / total.where(total > 0, 1.0), 1.0).clamp_max(1)
            passed = coins[:, i] < keep[:, i]
            kept = torch.where(passed, i + 1, kept)
            scale = torch.where(passed, reached, scale)
        law = self._own_law(p, q, kept, scale)
        own = sample(law, noise.residual().to(p.device).expand(n).unsqueeze(-1)).squeeze(-1)
        return BlockVerdict(kept, own, law, children, ratios, joint, keep, coins)

    def _own_law(self, p: Tensor, q: Tensor, kept: Tensor, scale: Tensor) -> Tensor:
        """(joint P - Q)+ where the sequence was cut, P behind a whole one."""
        n, k, vocab = q.shape
        at = kept.view(n, 1, 1).expand(n, 1, vocab)
        here = p.gather(1, at).squeeze(1)
        if k:
            drafted = q.gather(1, at.clamp_max(k - 1)).squeeze(1)
            left = residual(scale.unsqueeze(-1) * here, drafted)
            here = torch.where((kept < k).unsqueeze(-1), left, here)
        return here

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return None  # it hangs on the whole sequence: `BlockVerdict.at` tells it
