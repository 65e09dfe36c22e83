"""What recursive rejection accepts (GSD: arXiv 2305.09781; without replacement: 2401.06706, 2402.14160)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import torch

from ..randomness import DRAW, uniforms
from . import checks
from .checks import Law

ENUMERATED = 20_000
"""Without replacement: up to so many sequences of rejected tokens are enumerated."""
CHAINS = 256
"""Beyond that, so many are sampled, always the same ones for the same arguments."""
SAMPLED, DEEPEST, EVEN = 12, 96, 0.15
"""Tries of each at least and at most. Between, they end where what the sequences leave of Q differs by less than EVEN, relative standard
deviation; of the later tries only the mean of the mass that they remove counts."""
SINGLE = 512
"""Tokens whose removal is followed one by one in that mean, the draft's likeliest."""


def gsd_acceptance(p: Law, q: Law, k: int, replacement: bool = True) -> float:
    """Acceptance probability of recursive rejection with k children.

    What is left of P after rejections is always (P - c Q)+ over its sum N(c), with a number c that grows from 0 by N(c) / (1 - m) at each
    try, where m is the draft probability of the tokens removed so far (0 with replacement). A try is rejected with probability
    N(c') / N(c), so all are with probability N(c) at the end. With replacement c is one number, and the result exact. Without, c depends
    through m on which tokens were rejected: exact for k <= 2 and as long as there are at most 20,000 sequences of rejected tokens,
    otherwise the mean over 256 sampled ones. Of the tries after the 12th only those are sampled before which the sequences still differ
    in m, 96 at most; later ones remove as much as they do in the mean. Standard error at most 0.002; error measured below 0.005 with k
    up to 256, and below 0.05 where draft probabilities span fifty orders of magnitude.

    Args:
        p, q: distributions [vocab].
        k: number of children, at least 1.
        replacement: children drawn i.i.d. from Q, or each from Q without the earlier ones.
    """
    target, draft = (law.numpy() for law in checks.pair(p, q))
    checks.count(k)
    if not replacement and k > 1:
        return 1 - min(1.0, _rejected_without_replacement(target, draft, k))
    # sorting costs as much as 64 sums
    left = _Left(target, draft) if k > 64 else lambda c: float(np.maximum(target - c * draft, 0).sum())
    c = 0.0
    for _ in range(k):
        c += float(left(c))
    return 1 - min(1.0, float(left(c)))


class _Left:
    """N(c) = sum (P - c Q)+ for many c at once, from prefix sums over the tokens by rising p/q; and what removing tokens leaves of Q."""

    def __init__(self, p: np.ndarray, q: np.ndarray) -> None:
        with np.errstate(all="ignore"):
            ratio = np.where(q > 0, np.minimum(p / q, np.finfo(np.float64).max), np.inf)
        order = ratio.argsort()[: np.count_nonzero(q)]
        self.p, self.q, self.ratio = p[order], q[order], ratio[order]
        self.below = np.append(0.0, self.q.cumsum())
        # from the far end, where they are small and c large
        self.above_p, self.above_q = (np.append(values[::-1].cumsum()[::-1], 0.0) for values in (self.p, self.q))
        self.unreachable = float(p[q == 0].sum())  # never drafted, so never used up

    def __call__(self, c: np.ndarray | float) -> np.ndarray:
        at = np.searchsorted(self.ratio, c)
        return np.maximum(self.above_p[at] - c * self.above_q[at], 0) + self.unreachable

    def rejected(self, at: np.ndarray, c: np.ndarray, left: np.ndarray, held: np.ndarray) -> np.ndarray:
        """Probability to draw and reject the tokens `at`, where Q is scaled by 1 / held."""
        return np.maximum(self.q[at] / held - np.maximum(self.p[at] - c * self.q[at], 0) / np.where(left > 0, left, 1), 0)

    def rank(self, most: int) -> None:
        """Look for the `most` likeliest tokens of Q, before `held` is asked about as many."""
        self.likeliest = self.q.argsort()[::-1][:most]
        self.place = np.full(len(self.q), most)
        self.place[self.likeliest] = np.arange(len(self.likeliest))
        others = np.ones(len(self.q), dtype=bool)
        others[self.likeliest] = False
        self.rest = self.q[others].sum() + np.append(self.q[self.likeliest][::-1].cumsum()[::-1], 0)

    def held(self, drawn: np.ndarray) -> np.ndarray:
        """Draft probability of all but the drawn tokens, [sequences, drawn] to [sequences], at least 1e-300.

        The d likeliest are added up where not drawn, and only the other drawn ones subtracted from the rest: where all d are drawn the
        difference of two nearly equal numbers is avoided, and where not, what is held is no small part of the rest.
        """
        count, d = drawn.shape
        place = self.place[drawn]
        kept = np.ones((count, d + 1))
        kept[np.arange(count)[:, None], np.minimum(place, d)] = 0
        rest = self.rest[d] - np.where(place >= d, self.q[drawn], 0).sum(1)
        return np.maximum(kept[:, :d] @ self.q[self.likeliest[:d]] + np.maximum(rest, 0), 1e-300)


def _rejected_without_replacement(p: np.ndarray, q: np.ndarray, k: int) -> float:
    left = _Left(p, q)
    k = min(k, len(left.q))
    exact = k == 2 or len(left.q) ** (k - 1) <= ENUMERATED
    left.rank(k - 1 if exact else min(k, DEEPEST))
    return _enumerated(left, k) if exact else _sampled(left, k)


def _enumerated(left: _Left, k: int) -> float:
    """The sum over all sequences of k - 1 distinct rejected tokens, one level after the other."""
    tokens = np.arange(len(left.q))
    paths = np.empty((1, 0), dtype=np.int64)
    weight, c, held = np.ones(1), np.zeros(1), left.held(paths)
    for _ in range(k - 1):
        n = left(c)
        mass = weight[:, None] * left.rejected(tokens, c[:, None], n[:, None], held[:, None])
        mass[(paths[:, :, None] == tokens).any(1)] = 0
        row, at = mass.nonzero()
        weight, c = mass[row, at], (c + n / held)[row]
        paths = np.concatenate([paths[row], at[:, None]], axis=1)
        held = left.held(paths)
    n = left(c)
    return float((weight * left(c + n / held) / np.where(n > 0, n, 1)).sum())


def _sampled(left: _Left, k: int) -> float:
    """The mean of N(c) over CHAINS sequences of rejected tokens; their first draw is stratified."""
    c, drawn = np.zeros(CHAINS), np.empty((CHAINS, 0), dtype=np.int64)
    held = left.held(drawn)
    kept = _mean_kept(left, k) if k > SAMPLED else np.ones(k)
    sampling = True
    for level in range(k):
        n = left(c)
        if n.max() <= left.unreachable:
            break
        sampling = sampling and level < DEEPEST and (level < SAMPLED or held.std() > EVEN * held.mean())
        if sampling:
            token = _draw(left, _uniforms(DEEPEST, CHAINS)[level], c, n, held, drawn)
            drawn = np.concatenate([drawn, token[:, None]], axis=1)
        c = c + n / held
        held = left.held(drawn) if sampling else held * kept[level]
    return float(left(c).mean())


@lru_cache(maxsize=1)
def _uniforms(levels: int, chains: int) -> np.ndarray:
    """Numbers in (0, 1), [levels, chains]; those of the first level are stratified."""
    values = uniforms(0, torch.arange(levels)[:, None], DRAW, torch.arange(chains)).numpy()
    values[0] = (np.arange(chains) + values[0]) / chains
    return values


def _draw(left: _Left, u: np.ndarray, c: np.ndarray, n: np.ndarray, held: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """A token for each of many sequences, from the law of the drawn and rejected ones, by inversion along rising p/q.

    Up to ratio c all that Q draws is rejected, up to that of the next c less and less, beyond nothing. Tokens drawn before are gone:
    the inversion skips their part.
    """
    u, c, n, held = (values[:, None] for values in (u, c, np.where(n > 0, n, 1), held))
    first, last = np.searchsorted(left.ratio, c), np.searchsorted(left.ratio, c + n / held)
    slope = 1 / held + c / n

    def below(token: np.ndarray) -> np.ndarray:
        """Probability to draw and reject one of so many first tokens, the drawn ones included."""
        end = np.minimum(np.maximum(token, first), last)
        part = slope * (left.above_q[first] - left.above_q[end]) - (left.above_p[first] - left.above_p[end]) / n
        return left.below[np.minimum(token, first)] / held + part

    drawn = np.sort(drawn, axis=1)
    gone = left.rejected(drawn, c, n, held)
    before = below(drawn) - (gone.cumsum(1) - gone)
    mass = u * np.maximum(below(last) - gone.sum(1, keepdims=True), 0)
    mass += np.where(before <= mass, gone, 0).sum(1, keepdims=True)
    # where all is rejected one search finds the token
    plain = mass < left.below[first] / held
    found = np.searchsorted(left.below, mass * held, side="right") - 1
    low = np.where(plain, np.minimum(found, first - 1), first)
    high = np.where(plain, low + 1, last)
    while (high - low).max() > 1:
        middle = (low + high) // 2
        up = below(middle) <= mass
        low, high = np.where(up, middle, low), np.where(up, high, middle)
    return np.minimum(low[:, 0], len(left.q) - 1)


def _mean_kept(left: _Left, k: int) -> np.ndarray:
    """What each of k rejections leaves of the mass held before, in the mean field: [k], from 0 to 1.

    Every token is removed to the extent that it probably was. The likeliest SINGLE tokens are followed one by one; of the others each
    removes as much as the mean of them that Q draws, and stays itself.
    """
    single = left.q.argsort()[::-1][:SINGLE]
    p, q = left.p[single], left.q[single]
    other = np.ones(len(left.q), dtype=bool)
    other[single] = False
    others = left.q[other].sum()
    each = (left.q[other] ** 2).sum() / others if others else 0.0
    kept, held, factors = np.ones(len(q)), float(q.sum() + others), np.ones(k)
    c, n = 0.0, float(left(0.0))
    for level in range(k):
        later = c + n / held
        after = float(left(later))
        rejected = kept * np.maximum(q / held - np.maximum(p - c * q, 0) / n, 0)
        total = float(rejected.sum())
        beyond = max(after / n - total, 0.0) if others else 0.0
        if after <= left.unreachable or total + beyond <= 0:
            break
        kept = np.maximum(kept - rejected / (total + beyond), 0)
        others = max(others - beyond / (total + beyond) * each, 0.0)
        holds = max(float(kept @ q) + others, 1e-300)
        factors[level], held, c, n = holds / held, holds, later, after
    return factors
