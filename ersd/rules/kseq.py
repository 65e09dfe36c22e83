"""K-SEQ: SpecTr's rule for i.i.d. children (Sun et al., arXiv 2310.15141, section 4)."""

from __future__ import annotations

from collections.abc import Iterator

from torch import Tensor

from ..theory import kseq_acceptance, rho_star
from .gsd import RecursiveRejection, residual


class KSequential(RecursiveRejection):
    """Every child is tried against the same P scaled down by ρ*; if all fail, the token comes from (P - ρ* Q)+."""

    name = "kseq"
    description = "SpecTr's K-SEQ: i.i.d. children, each tried against the target over ρ*"
    keeps_agreeing = True

    def contests(self, p: Tensor, q: Tensor, children: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
        k = children.shape[-1]
        if k:
            scaled = q * rho_star(p, q, k)
            for _ in range(k):
                yield p, scaled
            # at ρ* the paper's residual, p - min(p/ρ, q) (1 - (1-β)^k) / β, is (p - ρ q)+
            p = residual(p, scaled)
        yield p, q

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return kseq_acceptance(p, q, k)


RULE = KSequential()
