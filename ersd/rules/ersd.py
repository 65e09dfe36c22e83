"""ERSD: draft and target race with the same clocks (Kobus & Gündüz, arXiv 2504.15475, section 4)."""

from __future__ import annotations

from torch import Tensor

from ..randomness import Noise
from ..theory import race_acceptance, race_acceptances
from ..theory.compress import Tokens
from .argmax import ArgmaxRule
from .registry import TRAITS


class ExponentialRace(ArgmaxRule):
    """Children: the draft's first arrivals E/q. Decision: the target's own first arrival E/p, accepted if it is a child."""

    name = "ersd"
    traits = TRAITS["ersd"]

    def scores(self, p: Tensor, noise: Noise) -> Tensor:
        """log p - log E: the arrival time E / p is smallest where this is largest. So the race is the Gumbel-max trick."""
        return p.log() + noise.gumbels(p)

    def clocks(self, p: Tensor, noise: Noise) -> Tensor:
        return noise.clocks(p)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return race_acceptance(p, q, k)

    def figures(self, p: Tensor, q: Tensor, k: int, tokens: Tokens | None = None) -> dict[str, float | None]:
        match, predicted = race_acceptances(p, q, (1, k), tokens)
        return {"match": match, "predicted": predicted}
