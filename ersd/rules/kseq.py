"""K-SEQ: SpecTr's rule for i.i.d. children (Sun et al., arXiv 2310.15141, section 4)."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from ..theory import kseq_acceptance, kseq_rho, kseq_taken, rho_star
from ..theory.compress import Tokens
from .base import Contest
from .gsd import RecursiveRejection, residual
from .registry import TRAITS


class KSequential(RecursiveRejection):
    """Every child is tried against the same P scaled down by ρ*; if all fail, the token comes from the residual.

    At ρ* the residual is (P - ρ* Q)+. Computed as P minus what K-SEQ accepts, it makes the output P for every ρ >= ρ*, whatever its
    rounding.
    """

    name = "kseq"
    traits = TRAITS["kseq"]
    follows_every_draw = True

    def contests(self, p: Tensor, q: Tensor, children: Tensor) -> Iterator[Contest]:
        k, share = children.shape[-1], None
        if k:
            target, draft = p.cpu().numpy(), q.cpu().numpy()
            scale = rho_star(target, draft, k)
            rho = torch.from_numpy(scale).to(p.device)
            for _ in range(k):
                yield Contest(p, q, rho)
            p, share = residual(p, torch.from_numpy(kseq_taken(target, draft, scale, k)).to(p.device))
        yield Contest(p, q, share=share)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return kseq_acceptance(p, q, k)

    def acceptance_by_try(self, p: Tensor, q: Tensor, k: int) -> list[float]:
        once = 1 - (1 - kseq_acceptance(p, q, k)) ** (1 / k)  # all children are compared with the same ratios, whose ρ* depends on k
        return [once * (1 - once) ** earlier for earlier in range(k)]

    def figures(self, p: Tensor, q: Tensor, k: int, tokens: Tokens | None = None) -> dict[str, float | None]:
        rho = kseq_rho(p, q, k)
        return {"predicted": kseq_acceptance(p, q, k, rho), "rho": rho}
