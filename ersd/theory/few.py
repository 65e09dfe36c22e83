"""How likely fewer than k of many exponential clocks ring before one more does, for k of 2 and 3: in closed form, without an integral.

If the one waited for has the rate s and the clocks have the rates a_j, fewer than k ring before it with the probability
s ∫ e^(-B t) [e_0 + e_1 + … + e_(k-1)] dt, where B = s + sum_j a_j and e_m is the elementary symmetric sum of order m of e^(a_j t) - 1: the
sum of the probabilities that exactly these m have rung and no other. Term by term that are sums of 1 / (B - a_j) and 1 / (B - a_j - a_l).

The fastest clocks are taken one by one, for the many others sums of powers of their rates serve: a geometric series in a_j / B, which is at
most 1 / (SINGLE + 1) behind the SINGLE fastest.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

MOST = 3
"""So large a k."""
SINGLE = 16
"""Clocks taken one by one."""


class Few(NamedTuple):
    """P(fewer than k ring before) / s, as a polynomial in what is known of the slow clocks. One for every case."""

    constant: np.ndarray
    """[cases]"""
    linear: np.ndarray
    """[powers, cases]"""
    scale: np.ndarray
    """[cases], what the square terms hang on"""
    whole: np.ndarray
    """[cases]: B"""
    k: int

    def repeated(self, times: np.ndarray) -> Few:
        """Every case so many times."""
        constant, linear, scale, whole = (np.repeat(each, times, axis=-1) for each in (self.constant, self.linear, self.scale, self.whole))
        return Few(constant, linear, scale, whole, self.k)

    def at(self, shares: np.ndarray) -> np.ndarray:
        """The values, [cases].

        `shares`: of the slow clocks that run, sums of the powers 1, 2, … of the rates as shares of `slow`, [powers, cases].
        """
        value = self.constant + (self.linear * shares).sum(0)
        if self.k < 3:
            return value
        # (sum_m share_m x^m / m!)^2 / 2, each power n of the time at its n! / B^n
        powers, square, scale = len(shares), np.zeros_like(value), self.scale
        for n in range(2, powers + 2):
            scale = scale * self.scale
            pairs = sum(math.comb(n, m) * shares[m - 1] * shares[n - m - 1] for m in range(max(1, n - powers), (n + 1) // 2))
            middle = math.comb(n, n // 2) / 2 * shares[n // 2 - 1] ** 2 if n % 2 == 0 else 0
            square += scale * (pairs + middle)
        return value + square / self.whole


def few(k: int, fast: np.ndarray, rest: np.ndarray, slow: np.ndarray, powers: int) -> Few:
    """The polynomial.

    Args:
        k: 2 to MOST.
        fast: [cases, clocks], the rates of those taken one by one; 0 for one that does not run.
        rest: [cases], the sum of the other rates, that of the one waited for among them. Above 0.
        slow: [cases], the sum of the rates of the slow clocks at most, no more than `rest`.
        powers: how many sums of powers of the slow rates are known.
    """
    clocks = fast.shape[-1]
    whole = rest + fast.sum(1)
    scale, power = slow / whole, np.arange(1, powers + 1)[:, None]
    linear = scale**power / whole
    # sums of all others, since a difference has no digits left where one clock is far faster
    each = rest[:, None] + fast @ _without_one(clocks)
    alone = 1 / each
    constant = alone.sum(1) - (clocks - 1) / whole
    if k == 3:
        pairs = 1 / (rest[:, None] + fast @ _without_two(clocks))
        constant += pairs.sum(1) - (clocks - 1) * alone.sum(1) + clocks * (clocks - 1) / 2 / whole
        # a fast and a slow one, two slow ones less each with itself
        linear *= 2 - 2.0 ** (power - 1) - clocks
        linear += ((slow[:, None] * alone) ** power[:, :, None] * alone).sum(-1)
    return Few(constant, linear, scale, whole, k)


@lru_cache(maxsize=64)
def _without_one(clocks: int) -> np.ndarray:
    """[clocks, clocks]: 1, but 0 on the diagonal."""
    return 1 - np.eye(clocks)


@lru_cache(maxsize=64)
def _without_two(clocks: int) -> np.ndarray:
    """[clocks, pairs]: 1, but 0 for the two of the pair."""
    one, other = np.triu_indices(clocks, 1)
    kept = np.ones((clocks, len(one)))
    kept[one, np.arange(len(one))] = kept[other, np.arange(len(one))] = 0
    return kept
