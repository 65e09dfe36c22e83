"""K-SEQ: SpecTr's rule for i.i.d. children (Sun et al., arXiv 2310.15141, section 4)."""

from __future__ import annotations

from collections.abc import Iterator

from torch import Tensor

from ..theory import kseq_acceptance, kseq_rho, kseq_taken, rho_star
from .base import Contest
from .gsd import RecursiveRejection, residual
from .registry import TRAITS


class KSequential(RecursiveRejection):
    """Every child is tried against the same P scaled down by ρ*; if all fail, the token comes from what K-SEQ still owes of P.

    At ρ* that is (P - ρ* Q)+. Written as what is owed, the output is P for every ρ >= ρ*, whatever the last digits of ρ*.
    """

    name = "kseq"
    traits = TRAITS["kseq"]
    follows_every_draw = True

    def contests(self, p: Tensor, q: Tensor, children: Tensor) -> Iterator[Contest]:
        k = children.shape[-1]
        if k:
            rho = rho_star(p, q, k)
            for _ in range(k):
                yield Contest(p, q, rho)
            p = residual(p, kseq_taken(p, q, rho, k))
        yield Contest(p, q)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return kseq_acceptance(p, q, k)

    def figures(self, p: Tensor, q: Tensor, k: int) -> dict[str, float | None]:
        return {**super().figures(p, q, k), "rho": kseq_rho(p, q, k)}
