"""How many of many exponential clocks have rung by a time: the law that children drawn without replacement hang on.

Clock i rings at a time Exp(rate i), independently, so by time t it has rung with probability 1 - exp(-rate t), and the number N(t) that
have is a sum of independent coins. Its generating function is a product over the clocks, and P(N < k) a contour integral of it: as
exact as the sum over all subsets, without one loop over the clocks for every count.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

TERMS = 10
"""Powers of rate times time kept for clocks that are slow: enough for 1e-7 up to rate times time = SLOW."""
SLOW = 0.35
"""A clock is slow if its rate times the latest time asked for is below this; of slow ones only sums of powers of the rates count."""
_CHUNK = 1 << 15
"""Complex numbers worked on at a time, to stay in the cache."""


@lru_cache(maxsize=64)
def _circle(k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points z of the upper half of a circle, their weights in P(N < k) = sum weight E[z^N], and the series of log E[z^N] of one clock.

    The radius R < 1 weighs two errors: counts beyond the number m of points come back as R^m = 1e-8, and rounding grows by R^-k = 1e7.

    Returns:
        z, weights: complex [points]; series: complex [TERMS, points], the coefficients of rate times time and its powers.
    """
    half = math.ceil((8 * k / 7 + 1) / 2)
    z = 10 ** (-7 / k) * np.exp(1j * np.pi * np.arange(half + 1) / half)
    weights = z ** (1 - k) / (1 - z) / half
    weights[[0, -1]] /= 2  # the others stand for their conjugates too
    # log(e^-y + (1 - e^-y) z) has the derivative (z - 1) u with u' = (1 - z) u^2 - u and u(0) = 1
    u = [np.ones_like(z)]
    for n in range(TERMS - 1):
        square = np.sum([u[i] * u[n - i] for i in range(n + 1)], axis=0)
        u.append(((1 - z) * square - u[n]) / (n + 1))
    series = np.array([(z - 1) * u[n] / (n + 1) for n in range(TERMS)])
    return z, weights, series


def fewer(k: int, rates: np.ndarray, sums: np.ndarray, times: np.ndarray) -> np.ndarray:
    """P(N(t) < k), error below 1e-7 as long as the slow clocks are.

    Args:
        k: at least 1.
        rates: [..., clocks], taken one by one.
        sums: [..., terms], sums of the powers 1, 2, … (at most TERMS) of the rates of the slow clocks.
        times: [..., times].

    Returns:
        [..., times].
    """
    z, weights, series = _circle(k)
    if k > 32:  # else the points are few
        needed = _points(z, rates, sums, times)
        z, weights, series = z[:needed], weights[:needed], series[:, :needed]
    powers = times[..., None] ** np.arange(1, sums.shape[-1] + 1) * sums[..., None, :]
    product = np.exp(powers @ series[: sums.shape[-1]])
    step = max(1, _CHUNK // product.size)
    for start in range(0, rates.shape[-1], step):
        some = np.moveaxis(rates[..., start : start + step], -1, 0)
        silent = np.exp(-some[..., None] * times)[..., None]
        product *= np.multiply.reduce(z + silent * (1 - z), axis=0)
    return (product @ weights).real


def _points(z: np.ndarray, rates: np.ndarray, sums: np.ndarray, times: np.ndarray) -> int:
    """On how many of the points, from the real one on, the product is more than e^-37 of what it is there, at any time.

    One clock's factor a + b e^iθ falls to at most exp(-(1 - cos θ) a b / (a + b)^2) of a + b; for a slow clock, of rate times time up
    to 0.8, that exponent is at least 0.3 of b's derivative.
    """
    radius = z[0].real
    silent = np.exp(-rates[..., None] * times[..., None, :])
    rung = (1 - silent) * radius
    spread = (silent * rung / (silent + rung) ** 2).sum(-2) + 0.3 * radius * sums[..., :1] * times
    return max(2, int(np.count_nonzero((1 - z.real / radius) * spread.min() < 37)))


@lru_cache(maxsize=64)
def nodes(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Places in (0, 1) and weights of Gauss-Legendre quadrature."""
    places, weights = np.polynomial.legendre.leggauss(count)
    return (places + 1) / 2, weights / 2
