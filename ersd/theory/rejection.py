"""Acceptance of recursive rejection, rejections of standard speculative decoding, and what leniency buys."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from . import checks
from .checks import Distribution
from .compress import MIN_PROBABILITY, Tokens, compress

FOLLOWED = 6
"""Without replacement: the draft's likeliest tokens, whose rejection is followed exactly, in 2^FOLLOWED states."""
NEGLIGIBLE = 1e-4
"""Without replacement: no further try is followed once all have failed with a smaller probability."""


def gsd_acceptance(p: Distribution, q: Distribution, k: int, replacement: bool = True, tokens: Tokens | None = None) -> float:
    """Acceptance probability of recursive rejection with k children (arXiv 2305.09781; without replacement 2401.06706, 2402.14160).

    After rejections the residual of P is always (P - c Q)+ / N(c), N(c) = sum (P - c Q)+, with a number c that grows from 0 by
    N(c) / (1 - m) at each try, where m is the draft probability of the tokens removed so far (0 with replacement). A try is rejected with
    probability N(c') / N(c), so all k are with probability N(c) at the end. With replacement that is exact; without, m depends on which
    tokens were rejected: exact to rounding for k = 2 in a small vocabulary, error below 3e-3 for up to 16 children, and up to 1e-2
    where they nearly exhaust a very peaked draft.

    Args:
        p, q: distributions [vocab].
        k: number of children, at least 1.
        replacement: children drawn i.i.d. from Q, or each from Q without the earlier ones.
        tokens: the pair as `compress` returns it, where several formulas share it. Used without replacement only.
    """
    checks.count(k)
    if not replacement and k > 1:
        return 1 - min(1.0, _all_rejected(tokens or compress(p, q), k))
    return gsd_acceptances(p, q, k)[-1]


def gsd_acceptances(p: Distribution, q: Distribution, most: int) -> list[float]:
    """`gsd_acceptance` with replacement for 1, 2, … `most` children.

    Args:
        p, q: distributions [vocab].
        most: the largest number of children, at least 1.
    """
    target, draft = checks.pair(p, q)
    c, left = 0.0, float(target.sum())
    found = []
    for _ in range(checks.count(most, "most")):
        c += left
        left = float(np.maximum(target - c * draft, 0).sum())
        found.append(1 - min(1.0, left))
    return found


def _all_rejected(tokens: Tokens, k: int) -> float:
    """P(k children drawn without replacement are all rejected).

    A state says which of the draft's FOLLOWED likeliest tokens were rejected, and which of them last (0: another token). It has a
    probability, the geometric mean of 1 + c, and the mean draft probability `rest` of the other tokens that are left. Those are removed in
    the mean: each remains to the extent `kept`.
    """
    p, q, count, ratio = tokens
    k = min(k, int(count.sum()))
    unreachable = max(0.0, 1 - float(p @ count))
    p_above, q_above = (np.append((each * count)[::-1].cumsum()[::-1], 0.0) for each in (p, q))

    def left(c: np.ndarray) -> np.ndarray:
        """N(c), above 0."""
        at = np.searchsorted(ratio, c)
        return np.maximum(p_above[at] - c * q_above[at] + unreachable, MIN_PROBABILITY)

    followed = np.where(count > 1, 0, q).argsort()[-FOLLOWED:]
    few_p, few_q, number = p[followed], q[followed], np.arange(len(followed))
    kept = count.copy()
    kept[followed] = 0
    states = np.arange(1 << len(followed))[:, None]
    is_gone = states & (1 << number) > 0
    before = states ^ (1 << number)  # the state from which rejecting a token leads here, if it is gone here
    few_left = np.where(is_gone, 0, few_q).sum(1)
    chance = np.zeros((1 + len(followed), len(states)))  # [last, states], as c and rest are
    chance[0, 0] = 1
    c, rest = np.zeros_like(chance), np.full_like(chance, kept @ q)

    # what is left of the others at least, once their likeliest are gone
    likeliest = (-q * (kept > 0)).argsort()
    least = np.interp(np.arange(k), kept[likeliest].cumsum(), kept @ q - (kept * q)[likeliest].cumsum())

    for level in range(1, k):
        now, held = left(c), np.maximum(few_left + rest, MIN_PROBABILITY)
        later = c + now / held
        rejected = left(later) / now
        total = (chance * rejected).sum()
        if total < NEGLIGIBLE:
            return float(total)
        each = few_q / held[..., None] - np.maximum(few_p - c[..., None] * few_q, 0) / now[..., None]
        each = np.where(is_gone, 0, np.maximum(each, 0))
        other = np.maximum(rejected - each.sum(-1), 0)
        # which of the others is rejected, in the mean over all states
        mean_c, mean_held, mean_now = ((chance * values).sum() / chance.sum() for values in (c, held, now))
        share = kept * np.maximum(q / mean_held - np.maximum(p - mean_c * q, 0) / mean_now, 0)
        share /= max(share.sum(), MIN_PROBABILITY)
        kept = np.maximum(kept - share * (chance * other).sum() / max(total, MIN_PROBABILITY), 0)
        removed = np.maximum(rest - share @ q, least[level])
        # sums of 1, log(1 + c) and rest over all ways into each state, by another token's rejection and by a followed one's
        stays = chance * other * np.stack([np.ones_like(c), np.log1p(later), removed])
        moves = (chance[..., None] * each * np.stack([np.ones_like(c), np.log1p(later), rest])[..., None]).sum(1)
        moved = np.swapaxes(moves[:, before, number] * is_gone, 1, 2)
        chance, c, rest = np.concatenate([stays.sum(1, keepdims=True), moved], axis=1)
        chance = np.where(chance < 1e-12, 0, chance)  # arithmetic with the smallest floats is slow
        norm = np.where(chance > 0, chance, np.inf)
        c, rest = np.expm1(c / norm), rest / norm
    return float((chance * left(c + left(c) / np.maximum(few_left + rest, MIN_PROBABILITY)) / left(c)).sum())


def expected_rejections(p: Sequence[Distribution], q: Sequence[Distribution]) -> float:
    """Expected rejections of standard speculative decoding over T tokens: the sum of TV(P_n, Q_n) (Yin et al., arXiv 2411.00841, thm 1).

    Args:
        p, q: [T, vocab], the distributions along a text that follows the target. ValueError naming what is not a distribution.
    """
    rows = [checks.pair(*both) for both in itertools.zip_longest(p, q, fillvalue=())]
    return math.fsum(float(np.abs(one - other).sum()) / 2 for one, other in rows)


def pareto(p: Distribution, q: Distribution, leniency: float) -> tuple[float, float]:
    """Rejection probability and bias TV(output, P) of the lossy rule: (1 - λ) TV and λ TV, on the front of arXiv 2411.00841.

    Args:
        p, q: distributions [vocab].
        leniency: λ from 0 (exact) to 1 (every draft accepted).
    """
    target, draft = checks.pair(p, q)
    if not 0 <= leniency <= 1:
        raise ValueError(f"leniency must be a number from 0 to 1, got {leniency!r}")
    tv = float(np.abs(target - draft).sum()) / 2
    return (1 - leniency) * tv, leniency * tv
