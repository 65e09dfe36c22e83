"""K-SEQ, SpecTr's rule: its scale ρ*, what it accepts, and of which tokens (Sun et al., arXiv 2310.15141, section 4)."""

from __future__ import annotations

import numpy as np

from . import checks
from .checks import Distribution

STEPS, HALVE = 400, 8
"""Maximum steps of the root search; every eighth step bisects, so 400 always converge; about 8 suffice."""


def kseq_rho(p: Distribution, q: Distribution, k: int) -> float:
    """SpecTr's ρ*: the root in [1, k] of 1 - (1 - β)^k = ρ β with β(ρ) = sum min(p / ρ, q). 1 where P and Q share no token.

    Args:
        p, q: distributions [vocab].
        k: number of children, at least 1.
    """
    target, draft = checks.pair(p, q)
    return float(rho_star(target, draft, checks.count(k))[0])


def kseq_acceptance(p: Distribution, q: Distribution, k: int, rho: float | None = None) -> float:
    """Acceptance probability of K-SEQ with ρ*: 1 - (1 - β(ρ*))^k, at least (1 - 1/e) of the optimum (arXiv 2310.15141, theorem 2).

    Args:
        p, q: distributions [vocab].
        k: number of children, drawn i.i.d. from Q, at least 1.
        rho: ρ*, if it is known already.
    """
    target, draft = checks.pair(p, q)
    if rho is None:
        rho = float(rho_star(target, draft, checks.count(k))[0])
    return float(_any_accepted(np.minimum(target / rho, draft).sum(), k))


def kseq_taken(p: np.ndarray, q: np.ndarray, rho: np.ndarray, k: int) -> np.ndarray:
    """Probability that K-SEQ accepts each token: min(p/ρ, q) (1 - (1 - β)^k) / β, unchecked, float64 [..., vocab].

    The residual where all k tries fail is p minus this (arXiv 2310.15141, algorithm 3), and the output is P for every ρ from ρ* on,
    whatever its rounding; below ρ* a token may be accepted more often than p. At ρ* the residual is (p - ρ q)+.

    Args:
        p, q: float64 [..., vocab].
        rho: [..., 1], as `rho_star` returns it.
        k: number of children, at least 1.
    """
    once = np.minimum(p / rho, q)
    beta = once.sum(-1, keepdims=True)
    return once * np.where(beta > 0, _any_accepted(beta, k) / np.where(beta > 0, beta, 1.0), float(k))


def rho_star(p: np.ndarray, q: np.ndarray, k: int) -> np.ndarray:
    """`kseq_rho` for many pairs of distributions together, unchecked: float64 [..., vocab] to [..., 1].

    1 - (1 - β)^k - ρ β has plateaus, where Newton's method is lost: if P has mass that Q cannot reach it changes by less than a rounding
    error up to ρ = k / 2. So its two parts are compared as logarithms: log(1 - ρ β) - k log(1 - β) falls strictly. Newton's method inside a
    bracket, which is halved where a step leaves it.

    Raises:
        ArithmeticError: no root to 1e-9. Under another ρ the output might not follow P.
    """
    p, q = p / p.sum(-1, keepdims=True), q / q.sum(-1, keepdims=True)
    low, high = np.ones((*p.shape[:-1], 1)), np.full((*p.shape[:-1], 1), float(k))
    rho = low
    for step in range(STEPS if k > 1 else 0):
        with np.errstate(all="ignore"):
            excess, newton, off = _newton(p, q, rho, k)
            low, high = np.where(excess > 0, rho, low), np.where(excess > 0, high, rho)
            # a comparison with NaN is false
            inside = (newton >= low) & (newton <= high) & (step % HALVE < HALVE - 1)
            moved = np.where(excess == 0, rho, np.where(inside, newton, (low + high) / 2))
        # where nothing but rounding is left of P the steps are tiny too, far from the root
        solved = ((np.abs(moved - rho) <= 1e-13 * rho) & (off <= 1e-9)) | (high - low <= 1e-15 * high)
        rho = moved
        if solved.all():
            break
    beta = np.minimum(p / rho, q).sum(-1, keepdims=True)
    off = np.abs(_any_accepted(beta, k) - rho * beta)
    if k > 1 and not (off <= 1e-9).all():
        worst = np.nan_to_num(off, nan=np.inf).argmax()
        at, there, by = (float(values.flat[worst]) for values in (rho, beta, off))
        raise ArithmeticError(f"no root for K-SEQ with k = {k}: at ρ = {at:.17g}, β = {there:.17g}, the equation is off by {by:.3g}")
    return rho


def _newton(p: np.ndarray, q: np.ndarray, rho: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """log(1 - ρ β) - k log(1 - β) at ρ, the next ρ, and by how much the equation is off at ρ; [..., 1] each.

    Each logarithm is taken from the sum that keeps its digits.
    """
    scaled = rho * q
    both = np.minimum(p, scaled)  # ρ min(p / ρ, q)
    total = both.sum(-1, keepdims=True)
    beta, left = total / rho, (p - both).sum(-1, keepdims=True)
    missed = (scaled - both).sum(-1, keepdims=True) / rho
    falls = (q * (p > scaled)).sum(-1, keepdims=True)  # minus the derivative of 1 - ρ β
    all_missed = k * np.where(beta < 0.5, np.log1p(-beta), np.log(missed))
    excess = np.where(total < 0.5, np.log1p(-total), np.log(left)) - all_missed
    rises = k * (beta - falls) / (missed * rho)  # the derivative of k log(1 - β)
    # the logarithms are nearly straight in 1 / ρ; near the ρ where nothing is left of P only 1 - ρ β itself is
    inverse = rho / (1 - excess / (rho * (falls / left + rises)))
    off = left - np.exp(all_missed)
    straight = rho + off / (falls + np.exp(all_missed) * rises)
    return excess, np.where((excess > 0) & (straight < inverse), straight, inverse), np.abs(off)


def _any_accepted(beta: np.ndarray, k: int) -> np.ndarray:
    """1 - (1 - β)^k without loss of digits for small β."""
    with np.errstate(divide="ignore"):
        return -np.expm1(k * np.log1p(-np.minimum(beta, 1)))
