"""Sums of clocks: how probable a text's sum is under a seed that did not write it. n such clocks are Exp(1), their sum is Gamma(n, 1)."""

from __future__ import annotations

import math
from functools import lru_cache

from . import checks

CLEAR = 1e-3
"""Probability of a false alarm below which a seed counts as recognised."""
BAND = (0.05, 0.95)
"""Quantiles between which the sums of other texts lie in nine of ten cases."""


def clock_sum_pvalue(total: float, count: int) -> float:
    """P(Gamma(count, 1) <= total), which is the probability of at least `count` events in a Poisson process of mean `total`.

    Raises:
        ValueError: `total` is negative or no number, or `count` is below 1.
    """
    checks.count(count, "count")
    if not 0 <= total < math.inf:
        raise ValueError(f"total must be a sum of clocks, 0 or more, got {total}")
    if total == 0:
        return 0.0
    if total <= count:
        return min(1.0, _poisson_sum(total, count, 1))
    return max(0.0, 1.0 - _poisson_sum(total, count - 1, -1))


def _poisson_sum(mean: float, first: int, direction: int) -> float:
    """Poisson probabilities of `first` and all numbers beyond it, away from the mean, where each is smaller than the one before."""
    term = math.exp(first * math.log(mean) - mean - math.lgamma(first + 1))
    total, number = 0.0, first
    while term > total * 1e-17:
        total += term
        if direction > 0:
            number += 1
            term *= mean / number
        else:
            term *= number / mean
            number -= 1
    return total


@lru_cache(maxsize=1 << 14)
def clock_sum_band(count: int) -> tuple[float, float]:
    """The 5% and the 95% quantile of Gamma(count, 1); ValueError if `count` is below 1."""
    checks.count(count, "count")
    low, high = (_quantile(share, count) for share in BAND)
    return low, high


def _quantile(share: float, count: int) -> float:
    low, high = 0.0, count + 5 * math.sqrt(count) + 5
    while high - low > 1e-6 * count:
        middle = (low + high) / 2
        low, high = (middle, high) if clock_sum_pvalue(middle, count) < share else (low, middle)
    return (low + high) / 2


def corrected_pvalue(pvalue: float, tests: int) -> float:
    """The probability that at least one of so many independent tests gives so small a p-value by chance: 1 - (1 - p)^tests."""
    return 1.0 if pvalue >= 1 else -math.expm1(checks.count(tests, "tests") * math.log1p(-pvalue))
