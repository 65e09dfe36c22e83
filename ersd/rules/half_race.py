"""Half a race: the draft guesses its likeliest tokens, only the target has clocks (DFlash, arXiv 2602.06036, and keyed samplers)."""

from __future__ import annotations

from torch import Tensor

from ..randomness import Noise
from ..theory import likeliest_acceptance
from ..walk import Decision
from .argmax import accept_if_drafted
from .base import likeliest
from .greedy import Greedy
from .registry import TRAITS


class HalfRace(Greedy):
    """Children: the draft's likeliest tokens, as for `greedy`. Decision: the target's first arrival E/p, as for `ersd`.

    The text is that of ERSD, but the draft's guess is not lucky where the target is: a single one is right with probability p(argmax Q).
    """

    name = "half_race"
    traits = TRAITS["half_race"]

    def verify(self, p: Tensor, q: Tensor | None, children: Tensor, noise: Noise) -> Decision:
        return accept_if_drafted((p.log() + noise.gumbels(p)).argmax(-1), children)

    def clocks(self, p: Tensor, noise: Noise) -> Tensor:
        return noise.clocks(p)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return likeliest_acceptance(p, q, k, likeliest(q, k))
