"""Exponential races: how often the target's winner is among the draft's first arrivals (arXiv 2504.15475, section 3)."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor

from . import checks
from .checks import Law


def race_match(p: Law, q: Law) -> float:
    """Probability that draft and target have the same first arrival under shared clocks: sum_i 1 / sum_j max(p_j / p_i, q_j / q_i).

    In O(n log n): the maximum is p_j / p_i exactly for the tokens j whose ratio p/q is at least token i's.

    Args:
        p, q: distributions [vocab]; ValueError naming the one that is not.
    """
    return race_acceptance(p, q, 1)


def race_bounds(p: Law, q: Law) -> tuple[float, float]:
    """(1 - TV) / (1 + TV) and 1 - TV: the match probability lies between them."""
    target, draft = checks.pair(p, q)
    tv = (target - draft).abs().sum().item() / 2
    return (1 - tv) / (1 + tv), 1 - tv


def race_acceptance(p: Law, q: Law, k: int) -> float:
    """Probability that the target's winner is among the draft's first k arrivals, P(R <= k).

    The target's winner i arrives at a time W ~ Exp(1) independent of i ~ P. Given both, token j is ahead of i in the draft's race with
    probability 1 - exp(-W a_j), a_j = (q_j p_i / q_i - p_j)+, independently; the winner is drafted if fewer than k are ahead. k = 1 is
    the closed form 1 / (1 + sum_j a_j). For k > 1 the integral over W is a sum over log W (error below 1e-4), the winners beyond the
    likeliest are taken in groups of like p/q, and the tokens beyond the draft's likeliest count as a Poisson number. For up to 40 tokens
    nothing is grouped; beyond, the error measured on the embedded pair is below 0.002.

    Args:
        p, q: distributions [vocab].
        k: the draft's arrivals that become children, at least 1.
    """
    target, draft = checks.pair(p, q)
    ratio, ahead, weight = _winners(target, draft)
    if checks.count(k) == 1 or not len(ratio):
        return float((weight / (1 + ahead)).sum())
    if k >= int((draft > 0).sum()):
        return float(weight.sum())
    return _drafted(target, draft, k, *_grouped(ratio.numpy(), ahead.numpy(), weight.numpy()))


def _winners(p: Tensor, q: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """For the tokens i that both can reach, by rising p_i / q_i: that ratio, sum_j (q_j p_i / q_i - p_j)+, and p_i."""
    ratio = p / q
    # what only one can reach has ratio 0 or inf, what neither can has none
    rising, order = ratio.masked_fill(q == 0, torch.inf).sort()
    first, last = (int(torch.searchsorted(rising, edge, right=True)) for edge in (0.0, torch.finfo(torch.float64).max))
    p, q = p[order], q[order]
    ahead = rising * q.cumsum(0) - p.cumsum(0)
    return rising[first:last], ahead[first:last].clamp_min(0), p[first:last]


MOST_WINNERS = 40
"""Winners looked at one by one, or as so many groups."""
MOST_RIVALS = 40
"""Tokens ahead that are counted one by one, at most; the others together are a Poisson number."""
POISSON = 2e-5
"""A rival is not counted one by one if it is ahead with a mean squared probability below this: that is twice the error made."""
_TIMES = np.exp(np.arange(math.log(1e-5), math.log(45), 0.5))
"""Times of the winner's arrival for the integral over Exp(1), even in the logarithm: rivals may be 1,000 times as fast."""
_WEIGHTS = _TIMES * np.exp(-_TIMES) / (_TIMES * np.exp(-_TIMES)).sum()


def _grouped(ratio: np.ndarray, ahead: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """At most MOST_WINNERS winners: the likeliest half alone, the others in groups of like ratio and like weight."""
    if len(ratio) <= MOST_WINNERS:
        return ratio, ahead, weight
    alone = np.zeros(len(ratio), dtype=bool)
    alone[np.argpartition(-weight, MOST_WINNERS // 2)[: MOST_WINNERS // 2]] = True
    rest = weight * ~alone
    cumulative = rest.cumsum()
    group = np.minimum((cumulative - rest / 2) * (MOST_WINNERS // 2) / max(cumulative[-1], 1e-300), MOST_WINNERS // 2 - 1).astype(int)
    sums = [np.bincount(group, rest * values, MOST_WINNERS // 2) for values in (ratio, ahead, np.ones(len(ratio)))]
    held = sums[2] > 0
    means = [values[held] / sums[2][held] for values in sums[:2]]
    return (
        np.concatenate([ratio[alone], means[0]]),
        np.concatenate([ahead[alone], means[1]]),
        np.concatenate([weight[alone], sums[2][held]]),
    )


def _drafted(p: Tensor, q: Tensor, k: int, ratio: np.ndarray, ahead: np.ndarray, weight: np.ndarray) -> float:
    """Sum over winners and times of the chance that fewer than k tokens are ahead, a Poisson-binomial law up to k - 1."""
    rivals = q.topk(min(MOST_RIVALS, len(q))).indices
    hazards = np.maximum(ratio[:, None] * q[rivals].numpy() - p[rivals].numpy(), 0)
    hazards[hazards < 1e-14] = 0
    if len(q) > MOST_RIVALS:
        hazards = hazards[:, weight @ np.minimum(hazards, 1) ** 2 > POISSON]
        others = np.maximum(ahead - hazards.sum(1), 0)[:, None] * _TIMES
    else:
        others = np.zeros((len(weight), len(_TIMES)))
    law = np.empty((k, *others.shape))
    law[0] = np.exp(-others)
    for n in range(1, k):
        law[n] = law[n - 1] * others / n
    stays = np.exp(-hazards[:, :, None] * _TIMES)
    for j in range(hazards.shape[1]):
        # in place from the top: n are ahead if n - 1 were and j is too
        moved = law[:-1] * (1 - stays[:, j])
        law *= stays[:, j]
        law[1:] += moved
    return min(1.0, float((weight[:, None] * _WEIGHTS * law.sum(0)).sum()))


def length_bound(vocab_size: int, k: int, rank_entropy: float) -> float:
    """Upper bound on the expected tokens per target call of a τ* tree, (log |Ω| + log(k + 1)) / H[R] (arXiv 2504.15475).

    Args:
        vocab_size: |Ω|, at least 1.
        k: drafted tokens, at least 1.
        rank_entropy: H[R] in nats, not negative; 0 gives inf.
    """
    checks.count(vocab_size, "vocab_size")
    checks.count(k)
    if not rank_entropy >= 0:
        raise ValueError(f"rank_entropy must be a number from 0, got {rank_entropy!r}")
    if rank_entropy == 0:
        return math.inf
    return (math.log(vocab_size) + math.log(k + 1)) / rank_entropy
