"""K-SEQ, SpecTr's rule: its scale ρ*, what it accepts, and of which tokens (Sun et al., arXiv 2310.15141, section 4)."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from . import checks
from .checks import Law


def kseq_rho(p: Law, q: Law, k: int) -> float:
    """SpecTr's ρ*: the root in [1, k] of 1 - (1 - β)^k = ρ β with β(ρ) = sum min(p / ρ, q). 1 where P and Q share no token.

    Args:
        p, q: distributions [vocab].
        k: number of children, at least 1.
    """
    target, draft = checks.pair(p, q)
    return rho_star(target, draft, checks.count(k)).item()


def kseq_acceptance(p: Law, q: Law, k: int) -> float:
    """Acceptance probability of K-SEQ with ρ*: 1 - (1 - β(ρ*))^k, at least (1 - 1/e) of the optimum (arXiv 2310.15141).

    Args:
        p, q: distributions [vocab].
        k: number of children, drawn i.i.d. from Q, at least 1.
    """
    target, draft = checks.pair(p, q)
    rho = rho_star(target, draft, checks.count(k))
    return _any_of(torch.minimum(target / rho, draft).sum(), k).item()


def kseq_taken(p: Tensor, q: Tensor, rho: Tensor, k: int) -> Tensor:
    """Probability that K-SEQ accepts each token: min(p/ρ, q) (1 - (1 - β)^k) / β, unchecked, float64 [..., vocab].

    What a vertex still owes where all k tries fail is p minus this (arXiv 2310.15141, algorithm 3), and the output is P for every ρ from
    ρ* on, however exact: below ρ* a token may be accepted more often than p. At ρ* the rest is (p - ρ q)+.

    Args:
        p, q: float64 [..., vocab].
        rho: [..., 1], as `rho_star` gives it.
        k: number of children, at least 1.
    """
    once = torch.minimum(p / rho, q)
    beta = once.sum(-1, keepdim=True)
    return once * torch.where(beta > 0, _any_of(beta, k) / beta.where(beta > 0, 1.0), float(k))


NEWTON, HALVINGS = 30, 60
"""Steps of Newton's method at most, and steps that only halve the bracket after them: 60 leave nothing of a bracket below 10^4."""


def rho_star(p: Tensor, q: Tensor, k: int) -> Tensor:
    """`kseq_rho` for many pairs of distributions at once, unchecked: float64 [..., vocab] to [..., 1].

    1 - (1 - β)^k - ρ β has plateaus, on which Newton's method is lost: where P has mass that Q cannot reach it changes by less than a
    rounding error up to ρ = k / 2. Its two parts are therefore compared as logarithms: log(1 - ρ β) - k log(1 - β) falls strictly, with
    1 - ρ β = sum (p - ρ q)+. Newton's method inside a bracket, which is halved where a step leaves it.

    Raises:
        ArithmeticError: no root to 1e-9, with the numbers. The output under another ρ might not follow P.
    """
    # numpy: most of the time goes into a few dozen operations on one number each; a sum that float32 rounded would move the root
    target, draft = (values.cpu().numpy() / values.sum(-1, keepdim=True).cpu().numpy() for values in (p, q))
    with np.errstate(all="ignore"):
        rho = _root(target, draft, k)
        _check_root(target, draft, rho, k)
    return torch.from_numpy(rho).to(p.device)


def _root(p: np.ndarray, q: np.ndarray, k: int) -> np.ndarray:
    low, high = np.ones_like(p[..., :1]), np.full_like(p[..., :1], k)
    rho = low
    for step in range(NEWTON + HALVINGS if k > 1 else 0):
        excess, off, moved = _newton(p, q, rho, k)
        low, high = np.where(excess > 0, rho, low), np.where(excess > 0, high, rho)
        solved = (off <= 4e-16) | ((abs(moved - rho) <= 1e-12 * rho) & (abs(excess) < 1e-3)) | (high - low <= 1e-15 * high)
        # the root may be the bracket's end; a comparison with what is no number is false
        moved = np.where(moved <= high * (1 + 1e-9), np.minimum(moved, high), 0.0)
        moved = np.where((moved >= low) & (step < NEWTON), moved, np.where(solved, rho, (low + high) / 2))
        rho = np.where(off <= 4e-16, rho, moved)
        if solved.all():
            break
    return rho


def _newton(p: np.ndarray, q: np.ndarray, rho: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """At ρ, [..., 1] each: log(1 - ρ β) - k log(1 - β); how far the equation is off, where ρ β > 1/2; and the next ρ."""
    wanted = q * rho
    taken = np.minimum(p, wanted)
    both, over = taken.sum(-1, keepdims=True), p > wanted
    # in place: at 256,000 tokens most of the time goes into fresh memory
    missed = np.subtract(wanted, taken, out=wanted).sum(-1, keepdims=True) / rho
    left = np.subtract(p, taken, out=taken).sum(-1, keepdims=True)
    falls = np.multiply(q, over, out=taken).sum(-1, keepdims=True)
    beta = both / rho
    small = both < 0.5
    # each logarithm from the one of two sums that keeps its digits
    none = k * np.where(beta < 0.5, np.log1p(-beta), np.log(missed))
    excess = np.where(small, np.log1p(-both), np.log(left)) - none
    falls_log, rises = falls / left, k * (beta - falls) / (missed * rho)
    # the logarithms are nearly straight in 1 / ρ, or in ρ where β is small
    slope = falls_log + rises
    inverse = rho / (1 - excess / (rho * slope))
    # close to where nothing is left of P the first one drops to -inf, but what is left is straight
    all_missed = np.exp(none)
    gap = left - all_missed
    straight = rho + np.where(small, excess / slope, gap / (falls + all_missed * rises))
    moved = np.where((straight < inverse) & (excess > 0), straight, inverse)
    return np.where(left > 0, excess, -np.inf), np.where(small, 1.0, abs(gap)), moved


def _check_root(p: np.ndarray, q: np.ndarray, rho: np.ndarray, k: int) -> None:
    beta = np.minimum(p / rho, q).sum(-1, keepdims=True)
    off = abs(-np.expm1(k * np.log1p(-np.minimum(beta, 1))) - rho * beta)
    if k > 1 and not (off <= 1e-9).all():
        worst = np.nan_to_num(off, nan=np.inf).argmax()
        at, there, by = (float(values.flat[worst]) for values in (rho, beta, off))
        raise ArithmeticError(f"no root for K-SEQ with k = {k}: at ρ = {at:.17g}, β = {there:.17g}, the equation is off by {by:.3g}")


def _any_of(beta: Tensor, k: int) -> Tensor:
    """1 - (1 - β)^k without loss of digits for small β."""
    return -torch.expm1(k * torch.log1p(-beta.clamp_max(1)))
