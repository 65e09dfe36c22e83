"""ERSD: draft and target race with the same clocks (Kobus & Gündüz, arXiv 2504.15475, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from .. import ties
from ..algorithms import TRAITS
from ..randomness import Noise
from ..theory import race_acceptance, race_acceptances
from .foreseen import Foreseen

if TYPE_CHECKING:
    from ..settings import Settings


class ExponentialRace(Foreseen):
    """Children: the first arrivals E/q. Verdict: the target's own first arrival E/p, accepted if it is a child."""

    name = "ersd"
    traits = TRAITS["ersd"]

    def speeds(self, q: Tensor, noise: Noise) -> Tensor:
        """q / E: a token arrives at the time E / q, so the fastest first, and never if its probability is 0."""
        return q / noise.clocks(q)

    def draft(self, q: Tensor, k: int, noise: Noise, slots: Sequence[int]) -> Tensor:
        speeds = self.speeds(q, noise)
        if k == 1:  # one always arrives
            return _fastest(speeds).unsqueeze(-1)
        first = speeds.topk(min(k, q.shape[-1]))
        return first.indices.masked_fill(first.values == 0, -1)

    def winners(self, p: Tensor, noise: Noise) -> Tensor:
        return _fastest(self.speeds(p, noise))

    def clocks(self, p: Tensor, noise: Noise) -> Tensor:
        return noise.clocks(p)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return race_acceptance(p, q, k)

    def figures(self, p: Tensor, q: Tensor, k: int) -> dict[str, float | None]:
        match, predicted = race_acceptances(p, q, (1, k))
        return {"match": match, "predicted": predicted}

    def margin(self, logits: Tensor, settings: Settings, noise: Noise) -> float | None:
        return ties.margin(logits, settings, noise.clocks(logits)[0].log())


def _fastest(speeds: Tensor) -> Tensor:
    """The tokens, int64 [n], of the largest speed in each row; numpy finds them in a tenth of torch's time."""
    return torch.from_numpy(speeds.numpy().argmax(-1)) if speeds.is_cpu else speeds.argmax(-1)
