"""Speed against quality: standard speculative decoding with a lenient coin (Yin et al., arXiv 2411.00841, section 4). Biased."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor

from ..theory import pareto
from ..theory.compress import Tokens
from .gsd import RecursiveRejection
from .registry import TRAITS

if TYPE_CHECKING:
    from ..settings import Settings


class Lenient(RecursiveRejection):
    """One child, accepted with b = r + λ (1 - r), r = min(1, p/q); rejected: a token from (P - Q b)+, which is (P - Q)+.

    Rejections fall to (1 - λ) TV(P, Q), and the output is off by TV(output, P) = λ TV(P, Q).
    """

    name = "lossy"
    traits = TRAITS["lossy"]

    def __init__(self, leniency: float = 0.0) -> None:
        self.leniency = leniency

    def with_settings(self, settings: Settings) -> Lenient:
        return Lenient(settings.leniency)

    def ratio(self, p: Tensor, q: Tensor) -> Tensor:
        exact = (p / q).clamp_max(1)
        return exact + self.leniency * (1 - exact)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return 1 - pareto(p, q, self.leniency)[0]

    def figures(self, p: Tensor, q: Tensor, k: int, tokens: Tokens | None = None) -> dict[str, float | None]:
        return {**super().figures(p, q, k), "bias": pareto(p, q, self.leniency)[1]}
