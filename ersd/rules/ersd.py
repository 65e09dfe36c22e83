"""ERSD: draft and target race with the same clocks (Kobus & Gündüz, arXiv 2504.15475, section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor

from ..randomness import Noise
from ..theory import race_acceptance, race_acceptances
from ..trace import near_ties as ties
from .argmax import Foreseen
from .registry import TRAITS

if TYPE_CHECKING:
    from ..settings import Settings


class ExponentialRace(Foreseen):
    """Children: the first arrivals E/q. Verdict: the target's own first arrival E/p, accepted if it is a child."""

    name = "ersd"
    traits = TRAITS["ersd"]

    def leads(self, logs: Tensor, noise: Noise) -> Tensor:
        """log p - log E: the time E / p is least where this is largest. So the race is the Gumbel-max trick."""
        return logs + noise.gumbels(logs)

    def clocks(self, p: Tensor, noise: Noise) -> Tensor:
        return noise.clocks(p)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return race_acceptance(p, q, k)

    def figures(self, p: Tensor, q: Tensor, k: int) -> dict[str, float | None]:
        match, predicted = race_acceptances(p, q, (1, k))
        return {"match": match, "predicted": predicted}

    def margin(self, logits: Tensor, settings: Settings, noise: Noise) -> float | None:
        return ties.margin(logits, settings, -noise.gumbels(logits)[0])
