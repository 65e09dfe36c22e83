"""From logits to probabilities, sampling by inversion, and distances between two distributions. float64 throughout."""

from __future__ import annotations

import torch
from torch import Tensor

_MIN_TEMPERATURE = torch.finfo(torch.float64).tiny
"""Used in place of a smaller temperature: a GPU multiplies by 1 / temperature, which would be infinite, and 0 times it undefined."""


def probabilities(logits: Tensor, temperature: float = 1.0, top_k: int = 0, top_p: float = 1.0) -> Tensor:
    """The distribution sampled from: temperature, then top-k, then top-p, each renormalised.

    Args:
        logits: [..., vocab], any float dtype, finite or -inf.
        temperature: 0 puts all probability on the likeliest token; among equals on that with the lowest id.
        top_k: keep the k likeliest tokens; 0 keeps all, 1 is temperature 0.
        top_p: keep the likeliest tokens up to and including the one that reaches this mass; 1 keeps all.

    Returns:
        float64 [..., vocab] that sums to 1.
    """
    if temperature == 0 or top_k == 1:
        return torch.zeros_like(logits, dtype=torch.float64).scatter_(-1, logits.argmax(-1, keepdim=True), 1.0)
    if 0 < top_k < logits.shape[-1]:
        kept = logits.topk(top_k, dim=-1)
        logits = torch.full_like(logits, -torch.inf).scatter_(-1, kept.indices, kept.values)
    if temperature != 1:
        logits = divided(logits.to(torch.float64), temperature)
    probs = logits.softmax(-1, dtype=torch.float64)
    if top_p < 1:
        probs = probs * _likeliest(probs, top_p)
        probs = probs / probs.sum(-1, keepdim=True)
    return probs


def divided(logits: Tensor, temperature: float) -> Tensor:
    """Logits less their largest, over a temperature above 0: the largest becomes 0, so a temperature near 0 cannot overflow."""
    return (logits - logits.amax(-1, keepdim=True)) / max(temperature, _MIN_TEMPERATURE)


def _likeliest(probs: Tensor, mass: float) -> Tensor:
    """bool [..., vocab]: the likeliest tokens up to and including the one that reaches the mass; among equals those with lower ids."""
    falling = _falling(probs, mass)
    reaching = (falling.cumsum(-1) < mass).sum(-1, keepdim=True).clamp_max(falling.shape[-1] - 1)
    least = falling.gather(-1, reaching)
    above, equal = probs > least, probs == least
    room = reaching + 1 - above.sum(-1, keepdim=True)
    return above | (equal & (equal.cumsum(-1) <= room))


_FEW = 256
"""Tokens that hold nearly all the mass of most distributions: finding them takes a tenth of sorting a vocabulary of 152,000."""


def _falling(probs: Tensor, mass: float) -> Tensor:
    """The largest probabilities in falling order: a few if they reach the mass, else all. (On a GPU the check would cost a wait.)"""
    if not probs.is_cuda and probs.shape[-1] > _FEW:
        few = probs.topk(_FEW).values
        if bool((few.cumsum(-1)[..., -1] >= mass).all()):
            return few
    return probs.sort(dim=-1, descending=True).values


def sample(probs: Tensor, uniform: Tensor) -> Tensor:
    """The tokens at which the cumulative distribution passes `uniform`.

    Args:
        probs: float64 [n, vocab], non-negative, sum above 0.
        uniform: float64 [n, m] in [0, 1).

    Returns:
        int64 [n, m]; never a token of probability 0.
    """
    cumulative = probs.cumsum(-1)
    total = cumulative[:, -1:]
    # rounding may lift uniform * total onto total, beyond the last token
    below = torch.minimum(uniform.to(probs.device) * total, torch.nextafter(total, torch.zeros_like(total)))
    return torch.searchsorted(cumulative, below, right=True)


def entropy(p: Tensor) -> Tensor:
    """H(P) in nats, over the last dimension."""
    return -torch.linalg.vecdot(p, _finite_log(p))


def total_variation(p: Tensor, q: Tensor) -> Tensor:
    """TV(P, Q) = 1/2 sum |p - q|, over the last dimension."""
    return (p - q).abs().sum(-1) / 2


def kl(p: Tensor, q: Tensor) -> Tensor:
    """KL(P || Q) in nats, over the last dimension; inf where P has mass that Q has not."""
    kl = torch.linalg.vecdot(p, _finite_log(p) - _finite_log(q))
    return torch.where(((p > 0) & (q == 0)).any(-1), torch.inf, kl)


def harmonic_distance(p: Tensor, q: Tensor) -> Tensor:
    """D_HM(P, Q) = 1 - sum 2pq / (p + q), over the last dimension (arXiv 2504.15475)."""
    both = p + q
    return 1 - (2 * p * q / both.where(both > 0, 1.0)).sum(-1)


def _finite_log(p: Tensor) -> Tensor:
    """log p, finite where p is 0 so that 0 log 0 is 0: half the time of xlogy."""
    return p.log().clamp_min(torch.finfo(p.dtype).min)
