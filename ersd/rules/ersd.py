"""ERSD: draft and target race with the same clocks (Kobus & Gündüz, arXiv 2504.15475, section 4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from .. import ties
from ..algorithms import TRAITS
from ..randomness import Noise, prepare_clocks
from ..theory import race_acceptance, race_match
from .base import Rule, Verdict

if TYPE_CHECKING:
    from ..settings import Settings


class ExponentialRace(Rule):
    """Children: the first arrivals E/q. Verdict: the target's own first arrival E/p, accepted if it is a child."""

    name = "ersd"
    traits = TRAITS["ersd"]

    def prepare(self, seed: int, positions: Iterable[int], vocab_size: int, device: torch.device) -> None:
        prepare_clocks(seed, positions, vocab_size, device)

    def order(self, q: Tensor, noise: Noise) -> Tensor:
        """log(E / q): +inf for a token of probability 0, which never arrives."""
        return noise.log_clocks(q) - q.log()

    def draft(self, q: Tensor, k: int, noise: Noise, slots: Tensor) -> Tensor:
        times = self.order(q, noise)
        first = times.topk(min(k, q.shape[-1]), largest=False)
        return first.indices.masked_fill(first.values.isinf(), -1)

    def verify(self, p: Tensor, q: Tensor | None, children: Tensor, noise: Noise) -> Verdict:
        return choose(self.order(p, noise).argmin(-1), children)

    def log_clocks(self, p: Tensor, noise: Noise) -> Tensor:
        return noise.log_clocks(p)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return race_acceptance(p, q, k)

    def figures(self, p: Tensor, q: Tensor, k: int) -> dict[str, float | None]:
        match = race_match(p, q)
        # with one child the same number; not worked out twice, it costs as much as the rest of the record
        return {"match": match, "predicted": match if k == 1 else race_acceptance(p, q, k)}

    def margin(self, logits: Tensor, settings: Settings, noise: Noise) -> float | None:
        return ties.margin(logits, settings, noise.log_clocks(logits)[0])


def choose(winners: Tensor, children: Tensor) -> Verdict:
    """The verdict of a rule that knows the next token beforehand: accepted if it was drafted."""
    same = children == winners.unsqueeze(-1)
    index = torch.where(same.any(-1), same.long().argmax(-1) if children.shape[-1] else -1, -1)
    count = torch.full_like(index, children.shape[-1])
    return Verdict(tokens=winners, accepted=index, tried=count)
