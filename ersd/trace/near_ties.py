"""Near ties: how far logits would have to move for another token to be chosen.

Forward passes of different shapes round differently, so the logits at a node of a tree differ a little from those of the same text scored
token by token. Everything here is in units of logits, before the temperature: dividing by a small temperature enlarges the rounding with
them. If no difference of two logits moves by as much as `margin`, the choice is the same, and ERSD's text is that of plain decoding. Logits
that are each off by at most `noise`, apart from one shift common to all, move a difference by at most 2 noise.
"""

from __future__ import annotations

import math
from typing import Protocol

import torch
from torch import Tensor

from ..sampling import divided

_SORTED = 256
"""Likeliest tokens sorted at first to find the edge of top-k and top-p; more where these do not settle it."""

_LOWEST = -1e30
"""In place of a logit of -inf, where inf - inf would be undefined."""

_MASS_ROUNDING = 1e-15
"""Masses this close to 0 or 1 are rounding: their log-odds are clamped to those of this mass."""


class Sampling(Protocol):
    """How logits become the distribution that is sampled from, as in `sampling.probabilities`."""

    @property
    def temperature(self) -> float:
        """Divides the logits; 0 leaves only the likeliest token."""

    @property
    def top_k(self) -> int:
        """The likeliest tokens that are kept; 0 keeps all."""

    @property
    def top_p(self) -> float:
        """The mass of likeliest tokens that are kept; 1 keeps all."""


@torch.inference_mode()
def margin(logits: Tensor, settings: Sampling, log_clocks: Tensor | None) -> float | None:
    """The smallest move of a difference of two logits with which another token could have won at a node.

    Through the race itself, or over the edge of top-k or top-p: a token outside comes in and would be first, or the winner falls out. A
    lower bound: with less the winner is certain, while a move of this size need not be one that changes it.

    Args:
        logits: the target's own, [vocab], any float dtype, cut to the vocabulary; finite or -inf.
        settings: temperature, top_k and top_p.
        log_clocks: log E of the race, float64 [vocab] (-`Noise.gumbels`); None for greedy, which takes the likeliest token whatever
            the settings.

    Returns:
        The move in units of logits, at least 0; None if there is no other token that could win.
    """
    logits = logits.to(torch.float64)
    if log_clocks is None or settings.temperature == 0:
        return _finite(_gap(logits))
    lead = logits - settings.temperature * log_clocks.to(logits.device)  # the winner's is the largest
    vocab = logits.shape[-1]
    kept = settings.top_k if 0 < settings.top_k < vocab else vocab
    if kept == vocab and settings.top_p >= 1:
        return _finite(_gap(lead))
    logits = logits.clamp_min(_LOWEST)
    size = min(vocab, max(_SORTED, kept + 1 if kept < vocab else 0))
    while True:
        found, certain = _over_the_edge(logits, lead, size, kept, settings)
        if found <= certain or size == vocab:
            return _finite(found)
        size = min(vocab, 8 * size)


def _gap(values: Tensor) -> float:
    """The largest value less the second largest; inf if there is no second."""
    if values.shape[-1] < 2:
        return math.inf
    first, second = values.topk(2).values.tolist()
    return first - second if second > -math.inf else math.inf


def _finite(value: float) -> float | None:
    return max(value, 0.0) if value < -_LOWEST / 2 else None


def _over_the_edge(logits: Tensor, lead: Tensor, size: int, kept: int, settings: Sampling) -> tuple[float, float]:
    """The margin where top-k or top-p cut, looking at the `size` likeliest tokens only.

    Sorted, likeliest first, token m (from 0) is kept while the mass of the m tokens before it is below top-p. If no difference of two
    logits moves by more than d, then the log-odds of a mass move by at most d / T, and only tokens at most d apart change places.

    Args:
        logits: float64 [vocab], finite.
        lead: logits - T log E, float64 [vocab].
        size: how many to sort; more than `kept`, or all.
        kept: the most tokens that top-k keeps.

    Returns:
        The margin, and up to where it is certain: below that no token beyond the `size` likeliest plays a part.
    """
    z, order = logits.topk(size)
    lead = lead[order]
    mass = _mass(logits, z, kept, settings.temperature)
    over = _over(mass, kept, settings)
    inside = int((over[:size] < 0).sum())
    if inside == size < logits.shape[-1]:
        return math.inf, -math.inf
    winner = int(lead[:inside].argmax())
    moves = [_gap(lead[:inside]), _fall(z, mass, winner, kept, settings)]
    certain = math.inf
    if inside < size:
        # d lets token s in if the mass of the m tokens still before it, those with z > z_s + d, falls below top-p: the smallest d
        # lies where, over the m, "m may stay before" and "their mass is low enough" cross
        m = torch.searchsorted(over[:size] - z, -z[inside:])
        come_in = torch.minimum(over[m], z[m - 1] - z[inside:])
        moves.append(torch.maximum(come_in, lead[winner] - lead[inside:]).min().item())
        if size < logits.shape[-1]:
            certain = min(come_in[-1].item(), (z[winner] - z[-1]).item())
    return min(moves), certain


def _mass(logits: Tensor, z: Tensor, kept: int, temperature: float) -> Tensor:
    """Probability of the m likeliest tokens after top-k, for m = 0 .. size: float64 [size + 1]."""
    every = z[:kept] if kept < logits.shape[-1] else logits
    total = divided(every, temperature).exp().sum()
    sums = (divided(z, temperature).exp() / total).cumsum(-1)
    return torch.cat([sums.new_zeros(1), sums])


def _over(mass: Tensor, kept: int, settings: Sampling, first: int = 0) -> Tensor:
    """How far logits have to move until `mass` of tokens reaches top-p, [...]; negative: it is less, so the next token is kept.

    `mass[i]` is that of first + i tokens. After none of them the next token is always kept, after all that top-k keeps never.
    """
    if settings.top_p < 1:
        edge = math.log(settings.top_p) - math.log1p(-settings.top_p)
        over = settings.temperature * (mass.logit(_MASS_ROUNDING) - edge)
        over[: 1 if first == 0 else 0] = -torch.inf
    else:
        over = torch.full_like(mass, -torch.inf)
    over[max(0, kept - first) :] = torch.inf
    return over


def _fall(z: Tensor, mass: Tensor, winner: int, kept: int, settings: Sampling) -> float:
    """The smallest move with which the winner falls out: less likely tokens overtake it until the mass before it reaches top-p."""
    before = mass[winner + 1 :] - (mass[winner + 1] - mass[winner])  # of the first m tokens without the winner, m > winner
    reach = -_over(before, kept, settings, first=winner)
    return torch.maximum(reach, z[winner] - z[winner:]).min().item()
