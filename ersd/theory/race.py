"""Exponential races: how often the target's winner is among the draft's first arrivals (arXiv 2504.15475, section 3).

Also for races in laps, in which the draft's runners go on running (MPFR, arXiv 2609.21858).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from . import checks
from .checks import Distribution
from .compress import MIN_PROBABILITY, Tokens, compress

SINGLE_WINNERS, WINNER_GROUPS = 8, 8
"""The likeliest winners are evaluated one by one, the others in groups of similar ratio p/q with two points each."""
SINGLE_CLOCKS = 4
"""The fastest clocks, which `fewer_than` counts exactly."""
MAX_TIME, OCTAVES = 11.0, 13
"""Times integrated over: an Exp(1) clock rings after MAX_TIME with probability 2e-5, before MAX_TIME / 2^OCTAVES with 1e-3."""


def race_match(p: Distribution, q: Distribution) -> float:
    """Probability that draft and target have the same first arrival: sum_i 1 / sum_j max(p_j / p_i, q_j / q_i).

    Exact, in O(n log n) (arXiv 2504.15475, lemma 3.1): the inner sum is 1 / p_i times 1 + sum_j (q_j p_i / q_i - p_j)+, which is a prefix
    sum over the tokens by rising p/q.

    Args:
        p, q: distributions [vocab]; ValueError naming the one that is not.
    """
    target, draft = checks.pair(p, q)
    drawn = np.flatnonzero(draft > 0)
    target, draft = target[drawn], np.maximum(draft[drawn], MIN_PROBABILITY)
    ratio = target / draft
    order = ratio.argsort()
    return _first_arrival(Tokens(target[order], draft[order], np.ones(len(order)), ratio[order]))


def race_acceptance(p: Distribution, q: Distribution, k: int) -> float:
    """Probability that the target's winner is among the draft's first k arrivals, P(R <= k).

    Args:
        p, q: distributions [vocab].
        k: number of children, at least 1.
    """
    return race_match(p, q) if checks.count(k) == 1 else race_acceptances(p, q, [k])[0]


def race_acceptances(p: Distribution, q: Distribution, children: Sequence[int], tokens: Tokens | None = None) -> list[float]:
    """P(R <= k) for several k, error below 2e-3 (arXiv 2504.15475, section 3).

    The target's winner i arrives at a time W ~ Exp(1), independent of i ~ P. Given both, token j is ahead of i in the draft's race with
    probability 1 - exp(-W a_j), a_j = (q_j p_i / q_i - p_j)+, independently of the others; the winner is drafted if fewer than k are ahead.
    So it must ring, as a clock of rate 1, before k clocks of the rates a_j have. These depend on i through p_i / q_i only.

    Args:
        p, q: distributions [vocab].
        children: the numbers of children k, each at least 1.
        tokens: the pair as `compress` returns it, where several formulas share it.
    """
    tokens = tokens or compress(p, q)
    accepted = []
    for k in children:
        if checks.count(k) == 1:
            accepted.append(_first_arrival(tokens))
        elif k >= tokens.size.sum():
            accepted.append(min(1.0, float(tokens.p @ tokens.size)))
        else:
            ratio, weight = _winners(tokens, k)
            rates = np.maximum(ratio[:, None] * tokens.q - tokens.p, 0)
            accepted.append(min(1.0, float(weight @ fewer_than(k, rates, tokens.size))))
    return accepted


def _ahead(tokens: Tokens) -> np.ndarray:
    """sum_j (q_j p_i / q_i - p_j)+ for every winner i, [tokens], rising."""
    p, q, count, ratio = tokens
    return np.maximum.accumulate(np.maximum(ratio * (q * count).cumsum() - (p * count).cumsum(), 0))


def _first_arrival(tokens: Tokens) -> float:
    return min(1.0, float((tokens.p * tokens.size / (1 + _ahead(tokens))).sum()))


def _winners(tokens: Tokens, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Ratios p/q and weights that stand for all winners: a sum over them approximates the sum over i of p_i f(p_i / q_i).

    The likeliest winners stand for themselves. Each group of the others is represented by two points at the mean plus and minus the
    standard deviation of x = log(k + ahead), in which P(fewer than k are ahead) is smooth.
    """
    weight, ahead = tokens.p * tokens.size, _ahead(tokens)
    if len(weight) <= SINGLE_WINNERS:
        return tokens.ratio, weight
    alone = np.argpartition(weight, len(weight) - SINGLE_WINNERS)[len(weight) - SINGLE_WINNERS :]
    rest = weight.copy()
    rest[alone] = 0
    x = np.log(k + ahead)
    # boundaries where winners are likely, where about k are ahead, and every few orders of magnitude
    position = (_from_0_to_1(rest.cumsum()) + _from_0_to_1(ahead / (k + ahead)) + _from_0_to_1(x)) / 3
    group = np.minimum((position * WINNER_GROUPS).astype(int), WINNER_GROUPS - 1)
    total = np.bincount(group, rest)
    group_weight, filled = total[total > 0], total > 0
    mean = np.bincount(group, rest * x)[filled] / group_weight
    spread = np.sqrt(np.maximum(np.bincount(group, rest * x * x)[filled] / group_weight - mean * mean, 0))
    points = np.exp(np.clip(np.append(mean - spread, mean + spread), x[0], x[-1])) - k
    # between two neighbouring ratios `ahead` is a straight line
    ratio = np.interp(points, ahead, tokens.ratio)
    return np.append(tokens.ratio[alone], ratio), np.concatenate([weight[alone], group_weight / 2, group_weight / 2])


def _from_0_to_1(rising: np.ndarray) -> np.ndarray:
    return (rising - rising[0]) / max(rising[-1] - rising[0], MIN_PROBABILITY)


def fewer_than(k: int, rates: np.ndarray, count: np.ndarray) -> np.ndarray:
    """P(fewer than k of many exponential clocks ring before one of rate 1 does), error about 1e-3, [cases].

    At a fixed time the clocks that have rung are independent coins. Those of the SINGLE_CLOCKS fastest are counted exactly. The number of
    others is taken as a whole number plus a binomial one, with the mean, the variance and about the third cumulant of that sum, which
    follow from S(t) = sum exp(-rate t) at t, 2t and 4t. The trapezoidal rule integrates over log t; at times in a geometric series each
    exponential is the square of an earlier one.

    Args:
        k: at least 1.
        rates: [cases, clocks], at least 0.
        count: [clocks], how many clocks of this rate there are, at least 1.
    """
    octave = math.ceil(0.3 * math.sqrt(k))  # times an octave: the k-th arrival's spread on a log scale is 1 / sqrt(k)
    times = MAX_TIME * 2.0 ** (np.arange(-OCTAVES * octave, 1) / octave)
    silent = np.empty((len(times) + 2 * octave, *rates.shape))
    np.exp(-times[:octave, None, None] * rates, out=silent[:octave])
    for start in range(octave, len(silent), octave):
        later = silent[start : start + octave]
        np.square(silent[start - octave : start - octave + len(later)], out=later)

    clocks = len(count)
    likely = np.where(count > 1, 0, rates.sum(0))
    fastest = np.argpartition(likely, clocks - SINGLE_CLOCKS)[clocks - SINGLE_CLOCKS :] if clocks > SINGLE_CLOCKS else np.arange(clocks)
    others = count.copy()
    others[fastest] = 0
    sums = silent @ others
    at_1, at_2, at_4 = sums[: len(times)], sums[octave:-octave], sums[2 * octave :]
    mean, variance = others.sum() - at_1, np.maximum(at_1 - at_2, 0)
    single = silent[: len(times), :, fastest]
    off = mean + len(fastest) - single.sum(-1) - (k - 0.5)
    # elsewhere fewer than k have rung almost surely, or almost never
    is_open = np.abs(off) < 1 + 3 * np.sqrt(variance + (single * (1 - single)).sum(-1))
    third = 3 * at_2 - at_1 - 2 * np.sqrt(at_2 * at_4)
    fewer = (off < 0).astype(float)
    fewer[is_open] = _fewer(k, single[is_open].T, mean[is_open], variance[is_open], third[is_open])

    weights = math.log(2) / octave * times * np.exp(-times)
    weights[0] = (weights[0] + times[0]) / 2
    return np.minimum((times[0] / 2 + weights @ fewer) / (times[0] / 2 + weights.sum()), 1)


def _fewer(k: int, silent: np.ndarray, mean: np.ndarray, variance: np.ndarray, third: np.ndarray) -> np.ndarray:
    """P(fewer than k have rung) from the single clocks' P(silent) [clocks, points] and the cumulants of the others' number [points]."""
    rung = np.zeros((min(len(silent), k - 1) + 1, len(mean)))  # P(so many single ones have rung)
    rung[0] = 1
    for each in silent:
        one_more = rung[:-1] * (1 - each)
        rung *= each
        rung[1:] += one_more
    # shift + binomial(n, x): the shift solves third = variance (1 - 2 x) with 1 - x = variance / (mean - shift)
    shift = mean - 2 * variance**2 / np.maximum(third + variance, 1e-12)
    shift = np.rint(np.clip(shift, 0, np.maximum(mean - variance, 0)))
    mean = np.maximum(mean - shift, 1e-12)
    x = np.clip(1 - variance / mean, 1e-9, 1 - 1e-9)
    number = mean / x
    terms = np.empty((k, len(mean)))
    terms[0] = np.exp(number * np.log1p(-x))
    j = np.arange(1, k)[:, None]
    terms[1:] = np.maximum(number + 1 - j, 0) * (x / (1 - x)) / j
    at_most = terms.cumprod(0).cumsum(0)
    rest = (k - 1 - shift - np.arange(len(rung))[:, None]).astype(int)
    return (rung * np.where(rest >= 0, np.take_along_axis(at_most, np.maximum(rest, 0), 0), 0)).sum(0)


def laps_acceptance(p: Distribution, q: Distribution, arrivals: int) -> float:
    """Probability that the target's winner is among the draft's first B arrivals, later laps counted. Exact, in O(n log n).

    Sum over v of p_v (1 - (s_v / (1 + s_v))^B), s_v = sum_j (p_v q_j / q_v - p_j)+: if v wins the target's race at a time W ~ Exp(1), the
    number of arrivals before its first lap in the draft's race is Poisson of mean s_v W.

    Args:
        p, q: distributions [vocab]; ValueError naming the one that is not.
        arrivals: B, at least 1; with 1 it is `race_match`.
    """
    target, draft = checks.pair(p, q)
    checks.count(arrivals, "arrivals")
    drawn = np.flatnonzero(draft > 0)
    target, draft = target[drawn], np.maximum(draft[drawn], MIN_PROBABILITY)
    order = (target / draft).argsort(kind="stable")
    target, draft = target[order], draft[order]
    ahead = np.maximum(target / draft * draft.cumsum() - target.cumsum(), 0)
    return min(1.0, float(target @ (1 - (1 - 1 / (1 + ahead)) ** arrivals)))


def laps_children(q: Distribution, arrivals: int) -> float:
    """Expected number of different tokens among the first B arrivals, which are i.i.d. from Q: sum_v 1 - (1 - q_v)^B."""
    draft = checks.distribution("q", q)
    return float((1 - (1 - draft) ** checks.count(arrivals, "arrivals")).sum())
