"""The most that any lossless rule can accept at a node (SpecTr, arXiv 2310.15141; computed as in Hu et al., arXiv 2502.18779)."""

from __future__ import annotations

import numpy as np

from . import checks
from .checks import Distribution
from .compress import MIN_PROBABILITY, Tokens, compress
from .race import fewer_than

PREFIXES = 24
"""Prefixes evaluated without replacement; between them the k-th root of the probability is interpolated."""


def optimal_acceptance(p: Distribution, q: Distribution, k: int, replacement: bool = True, tokens: Tokens | None = None) -> float:
    """The highest acceptance probability at a node with k children from Q: 1 - max over H of [Pr(all children in H) - P(H)].

    What it bounds: the *expected* acceptance of every lossless rule that decides node by node about k children, a number fixed
    beforehand. With replacement it bounds rules whose children are i.i.d. from Q (GSD, K-SEQ); without, rules whose children are drawn
    from Q without the earlier ones, as the first k arrivals of a race are (ERSD, GSD without replacement). It does not bound rules of the
    other kind (a race may pass the limit with replacement), block verification, lossy rules, dynamic trees, or a single run.

    A transport problem, whose dual needs only the sets H that are prefixes of the tokens by rising p/q (arXiv 2502.18779). With
    replacement, or for k = 1, Pr = Q(H)^k and the result is exact. Without replacement the error is below 2e-3.

    Args:
        p, q: distributions [vocab].
        k: number of children, at least 1; without replacement at most the number of tokens that Q can draw.
        replacement: children drawn i.i.d. from Q, or each from Q without the earlier ones.
        tokens: the pair as `compress` returns it, where several formulas share it. Used without replacement only.
    """
    checks.count(k)
    if not replacement and k > 1:
        return _without_replacement(tokens or compress(p, q), k)
    target, draft = checks.pair(p, q)
    # tokens that Q cannot draw only add to P(H)
    drawn = np.flatnonzero(draft > 0)
    target, draft = target[drawn], draft[drawn]
    order = (target / np.maximum(draft, MIN_PROBABILITY)).argsort()
    gain = np.minimum(draft[order].cumsum(), 1) ** k - target[order].cumsum()
    return 1 - min(1.0, max(0.0, float(gain.max())))


def _without_replacement(tokens: Tokens, k: int) -> float:
    """All children are in H if k clocks of the tokens inside ring before the first outside does, which has the rate Q(not H)."""
    p_inside = np.append(0.0, (tokens.p * tokens.size).cumsum())
    mass = tokens.q * tokens.size / (tokens.q @ tokens.size)
    outside = np.append(mass[::-1].cumsum()[::-1], 0.0)
    size = np.append(0.0, tokens.size.cumsum())
    k = min(k, int(size[-1]))
    gain = max(0.0, 1 - float(p_inside[-1]))
    # drawing without replacement, all children are in H with probability Q(H)^k at most
    highest = np.maximum(1 - outside, 0) ** k
    open_ = np.flatnonzero((size >= k) & (highest - p_inside > gain) & (outside > 0))
    if len(open_):
        at = open_[_spread(highest[open_], outside[open_])]
        rates = np.where(np.arange(len(mass)) < at[:, None], tokens.q / outside[at, None], 0)
        inside = 1 - fewer_than(k, rates, tokens.size)
        between = np.interp(-outside[open_], -outside[at], inside ** (1 / k)) ** k
        gain = max(gain, float((np.minimum(between, highest[open_]) - p_inside[open_]).max()))
    return 1 - min(1.0, gain)


def _spread(highest: np.ndarray, outside: np.ndarray) -> np.ndarray:
    """Up to PREFIXES indexes of the prefixes, spread over their number, over Q(H)^k and over the orders of magnitude of Q(not H)."""
    count = len(highest)
    if count <= PREFIXES:
        return np.arange(count)
    log = np.log(outside)
    position = np.arange(count) / (count - 1)
    rise, fall = highest - highest[0], log[0] - log
    position += rise / max(rise[-1], MIN_PROBABILITY) + fall / max(fall[-1], MIN_PROBABILITY)
    return np.unique(np.searchsorted(position, np.linspace(0, 3, PREFIXES)).clip(0, count - 1))
