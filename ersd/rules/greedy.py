"""Greedy: the target's most likely token at every position, the draft's most likely tokens as children."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor

from ..randomness import Noise
from ..trace import near_ties as ties
from .argmax import Foreseen
from .registry import TRAITS

if TYPE_CHECKING:
    from ..settings import Settings


class Greedy(Foreseen):
    """Accepts the child that is argmax P. The text equals the target's own greedy text."""

    name = "greedy"
    traits = TRAITS["greedy"]

    def leads(self, logs: Tensor, noise: Noise) -> Tensor:
        return logs

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        best = q.topk(min(k, q.shape[-1]))
        return float((best.indices[best.values > 0] == p.argmax()).any())

    def margin(self, logits: Tensor, settings: Settings, noise: Noise) -> float | None:
        return ties.margin(logits, settings, None)
