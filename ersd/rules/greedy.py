"""Greedy: the target's most likely token at every position, the draft's most likely tokens as children."""

from __future__ import annotations

from torch import Tensor

from ..randomness import Noise
from .argmax import ArgmaxRule
from .registry import TRAITS


class Greedy(ArgmaxRule):
    """Accepts the child that is argmax P. The text equals the target's own greedy text."""

    name = "greedy"
    traits = TRAITS["greedy"]

    def scores(self, p: Tensor, noise: Noise) -> Tensor:
        return p.log()

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        best = q.topk(min(k, q.shape[-1]))
        return float((best.indices[best.values > 0] == p.argmax()).any())
