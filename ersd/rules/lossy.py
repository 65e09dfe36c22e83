"""Speed against quality: standard speculative decoding with a lenient coin (Yin et al., arXiv 2411.00841, section 4). Biased."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor

from ..theory import pareto
from .gsd import RecursiveRejection

if TYPE_CHECKING:
    from ..settings import Settings


class Lenient(RecursiveRejection):
    """One child, accepted with b = r + λ (1 - r), r = min(1, p/q); rejected: a token from (P - Q b)+, which is (P - Q)+.

    Rejections fall to (1 - λ) TV(P, Q), and the output is off by TV(output, P) = λ TV(P, Q).
    """

    name = "lossy"
    description = "biased on purpose: accepts more than is exact, and pays for it in TV (leniency 0 is exact)"
    lossless = False
    one_child = True

    def __init__(self, leniency: float = 0.0) -> None:
        self.leniency = leniency

    def bound(self, settings: Settings) -> Lenient:
        return Lenient(settings.leniency)

    def ratio(self, p: Tensor, q: Tensor) -> Tensor:
        exact = (p / q).clamp_max(1)
        return exact + self.leniency * (1 - exact)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return 1 - pareto(p, q, self.leniency)[0]

    def bias(self, p: Tensor, q: Tensor) -> float:
        """TV(output, P) at this vertex, p and q [vocab]."""
        return pareto(p, q, self.leniency)[1]


RULE = Lenient()
