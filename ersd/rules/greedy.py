"""Greedy: the target's most likely token at every position, the draft's most likely tokens as children."""

from __future__ import annotations

from torch import Tensor

from ..randomness import Noise
from .base import Rule, Verdict
from .ersd import choose


class Greedy(Rule):
    """Accepts the child that is argmax P. The text equals the target's own greedy text."""

    name = "greedy"
    description = "temperature 0: the target's most likely token is accepted if it was drafted"
    ordered = True
    uses_sampling = False
    shape_from_tokens = True

    def order(self, q: Tensor, noise: Noise) -> Tensor:
        return -q.log()

    def draft(self, q: Tensor, k: int, noise: Noise, slots: Tensor) -> Tensor:
        best = q.topk(min(k, q.shape[-1]))
        return best.indices.masked_fill(best.values == 0, -1)

    def verify(self, p: Tensor, q: Tensor | None, children: Tensor, noise: Noise) -> Verdict:
        return choose(p.argmax(-1), children)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return float((q.topk(min(k, q.shape[-1])).indices == p.argmax()).any())


RULE = Greedy()
