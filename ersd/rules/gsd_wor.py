"""Recursive rejection without replacement (Yang et al. 2401.06706, multi-candidate; Jeon et al. 2402.14160, RSD)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from ..randomness import Noise
from ..sampling import sample
from ..theory import gsd_acceptance
from ..theory.compress import Tokens
from .base import Contest
from .gsd import RecursiveRejection, residual
from .registry import TRAITS


class WithoutReplacement(RecursiveRejection):
    """The j-th child comes from Q without the earlier ones, and is tried against that distribution."""

    name = "gsd_wor"
    traits = TRAITS["gsd_wor"]

    def draft(self, q: Tensor, k: int, noise: Noise, slots: Sequence[int]) -> Tensor:
        uniform = noise.draws(slots, k).to(q.device)
        left, children = q, []
        for j in range(k):
            child = sample(left, uniform[:, j : j + 1])
            # once every token of Q is drawn there is nothing to draw from
            empty = left.sum(-1, keepdim=True) <= 0
            children.append(child.masked_fill(empty, -1))
            left = without(left, child.clamp_max(q.shape[-1] - 1))
        return torch.cat(children, dim=-1)

    def contests(self, p: Tensor, q: Tensor, children: Tensor) -> Iterator[Contest]:
        share: float | Tensor = 1.0
        for j in range(children.shape[-1]):
            yield Contest(p, q, share=share)
            p, rest = residual(p, q)
            share = share * rest
            q = without(q, children[:, j : j + 1])
        yield Contest(p, q, share=share)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return gsd_acceptance(p, q, k, replacement=False)

    def figures(self, p: Tensor, q: Tensor, k: int, tokens: Tokens | None = None) -> dict[str, float | None]:
        return {"predicted": gsd_acceptance(p, q, k, replacement=False, tokens=tokens)}


def without(q: Tensor, drawn: Tensor) -> Tensor:
    """The distribution of the next child once `drawn` [n, 1] is out, [n, vocab]; zeros where nothing remains.

    Normalised, since the remaining mass may be so small that a share of it rounds badly.
    """
    left = q.scatter(-1, drawn, 0.0)
    total = left.sum(-1, keepdim=True)
    return left / total.where(total > 0, 1.0)
