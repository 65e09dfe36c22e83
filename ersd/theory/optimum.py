"""The most that any lossless rule can accept at a vertex (SpecTr, arXiv 2310.15141; computed as in Hu et al., arXiv 2502.18779)."""

from __future__ import annotations

import math

import numpy as np

from . import checks, counts, few
from .by_ratio import by_ratio
from .checks import Law


def optimal_acceptance(p: Law, q: Law, k: int, replacement: bool = True) -> float:
    """The highest acceptance probability at a vertex with k children from Q: 1 - max over H of [Pr(all children in H) - P(H)].

    What it bounds: the *expected* acceptance of every lossless rule that decides vertex by vertex about k children, a number fixed
    beforehand. With replacement of rules whose children are i.i.d. from Q (GSD, K-SEQ); without, of rules whose children are drawn from
    Q without the earlier ones, as the first k arrivals of a race are (ERSD, GSD without replacement). What it does not bound: rules of
    the other kind (a race may pass the limit with replacement), block verification, which decides about a sequence at once, lossy
    rules, dynamic trees, whose shape looks at the clocks, and what one run happens to accept.

    A transport problem, whose dual needs only the sets H that are prefixes of the tokens by rising p/q (Hu et al.). With replacement
    Pr = Q(H)^k, exact to rounding. Without, exact for k <= 2, and for k = 3 in closed form to 4e-8; beyond, an integral over the time of
    the k-th arrival at a few prefixes: error measured below 5e-7 on laws of 3 to 4,096 tokens with k up to 256, and by convexity never
    above 3e-5.

    Args:
        p, q: distributions [vocab].
        k: number of children, at least 1; without replacement no more than tokens that Q can draw.
        replacement: children drawn i.i.d. from Q, or each from Q without the earlier ones.
    """
    checks.count(k)
    # what Q cannot draw only adds to P(H)
    target, draft, _ = by_ratio(p, q)
    if replacement or k == 1:
        gain = np.minimum(draft.cumsum(), 1) ** k - target.cumsum()
    else:
        return 1 - min(1.0, _Prefixes(target, np.maximum(draft / draft.sum(), checks.LEAST), min(k, len(draft))).most())
    return 1 - min(1.0, max(0.0, float(gain.max())))


GUESS, CHORD = 1e-8, 2e-5
"""What the search for the best prefix leaves: by a smooth guess between the prefixes evaluated, and by the chord, which is a bound."""
RARE = 1e-9
"""Probability left out at either end of the times integrated over."""
POWERS = 7
"""Sums of powers of the rates of slow clocks, where children are few: what is left out is below 2e-8."""
NODES = 32
"""Times integrated over, and one more for every 16 children: the more they are the surer is the time of the last."""


class _Prefixes:
    """Children without replacement, and the prefixes of the tokens by rising p/q: of prefix i the first i tokens are inside."""

    def __init__(self, p: np.ndarray, q: np.ndarray, k: int) -> None:
        self.q, self.k = q, k
        self.p_inside = np.concatenate([[0.0], p.cumsum()])
        self.inside = np.concatenate([[0.0], q.cumsum()])
        # summed from the other end: 1 - inside has no digits left near 1
        self.outside = np.concatenate([q[::-1].cumsum()[::-1], [0.0]])

    def most(self) -> float:
        """The greatest Pr(all children inside) - P(inside) over all prefixes, the empty one included."""
        best = max(0.0, 1 - float(self.p_inside[-1]))
        if self.k == len(self.q):
            return best
        if self.k <= few.MOST:
            inside = self._pairs() if self.k == 2 else self._all_inside_of_each()
            return max(best, float((inside - self.p_inside).max()))
        return self._search(best)

    def _pairs(self) -> np.ndarray:
        """Pr(both of two children inside) for every prefix: sum over the first child of q_i (Q(H) - q_i) / (1 - q_i)."""
        # the likeliest token apart from the others, since there 1 - q_i may be a small difference
        top = int(self.q.argmax())
        others = self.q.copy()
        others[top] = 0
        weight = others / (1 - others)
        light = np.concatenate([[0.0], others.cumsum()])
        first = self.inside * np.concatenate([[0.0], weight.cumsum()]) - np.concatenate([[0.0], (weight * others).cumsum()])
        first[top + 1 :] += self.q[top] * light[top + 1 :] / light[-1]
        return first

    def _all_inside_of_each(self) -> np.ndarray:
        """Pr(all children inside) of every prefix: not fewer than k arrive before the first outside does."""
        q, k = self.q, self.k
        count = min(few.SINGLE, len(q))
        fastest = np.sort(np.argpartition(q, len(q) - count)[len(q) - count :])
        others = q.copy()
        others[fastest] = 0
        # prefixes with the same of the fastest inside are of one case
        fast = np.tri(count + 1, count, -1) * q[fastest]
        slow = others.sum()
        rest = slow + np.append(q[fastest][::-1].cumsum()[::-1], 0)
        slow = np.maximum(slow, checks.LEAST)
        shares, power = np.zeros((POWERS, len(q) + 1)), np.ones_like(q)
        for number in range(POWERS):
            power = power * (others / slow)
            power.cumsum(out=shares[number, 1:])
        known = few.few(k, fast, rest, np.full(count + 1, slow), POWERS)
        inside = 1 - self.outside * known.repeated(np.diff([0, *(fastest + 1), len(q) + 1])).at(shares)
        inside[:k] = 0
        return inside

    def _search(self, best: float) -> float:
        """A few prefixes are evaluated, each where the most is to be expected.

        Pr is convex in Q(H) along the prefixes (Hu et al. call it q-convex), so between two evaluated ones it is at most the chord; and
        it is at most Q(H)^k. Its k-th root is nearly straight, which guesses the best prefix after two or three.
        """
        bound = self.inside**self.k
        bound[: self.k] = 0
        left = np.flatnonzero(bound - self.p_inside > best + GUESS)
        if not len(left):
            return best
        part = slice(left[0], left[-1] + 1)
        # in the mass outside, which has digits left where that inside is nearly 1
        outside, bound, taken = -self.outside[part], bound[part], self.p_inside[part]
        known = {self.k - 1: 0.0, len(self.q): 1.0}
        while True:
            places = sorted(known)
            x, y = -self.outside[places], np.array([known[place] for place in places])
            bound = np.minimum(bound, np.interp(outside, x, y))
            guess = np.minimum(bound, np.interp(outside, x, y ** (1 / self.k)) ** self.k) - taken
            at = int(guess.argmax())
            if guess[at] <= best + GUESS:
                over = bound - taken - best
                if over.max() <= CHORD:
                    return best
                at = _between(over > CHORD, int(over.argmax()), [place - part.start for place in places])
            at += part.start
            if at in known:  # no two prefixes to tell apart are left
                return best
            known[at] = self._all_inside(at)
            best = max(best, known[at] - float(self.p_inside[at]))

    def _all_inside(self, at: int) -> float:
        """Pr(all children inside) of one prefix: the k-th arrival inside comes before the first outside, 1 - E[1 - exp(-r T)]."""
        q, r, k = self.q[:at], self.outside[at], self.k
        first, last = _times(q, k)
        last = min(last, -math.log(RARE) / r)
        if last <= first:
            return math.exp(-r * first)
        places, weights = counts.nodes(NODES + k // 16)
        times = first * (last / first) ** places
        slow = q * last < counts.SLOW
        still = counts.fewer(k, q[~slow] * last, _sums_of_powers(q[slow] * last), times / last)
        late = math.log(last / first) * float((weights * r * times * np.exp(-r * times)) @ still)
        return max(0.0, math.exp(-r * first) - late)


def _sums_of_powers(values: np.ndarray) -> np.ndarray:
    """Sums of the powers 1, 2, …, TERMS of the values; by products, since a power costs many times as much."""
    sums, powers = [], np.ones_like(values)
    for _ in range(counts.TERMS):
        powers = powers * values
        sums.append(powers.sum())
    return np.array(sums)


def _between(over: np.ndarray, at: int, places: list[int]) -> int:
    """Which prefix to evaluate next, where the chord around `at` is `over` the bound wanted: one as far again as these reach."""
    low = max(place for place in places if place < at)
    high = min(place for place in places if place > at)
    start, stop = max(low + 1, 0), min(high, len(over))
    these = np.flatnonzero(over[start:stop]) + start
    width = int(these[-1] - these[0]) + 1
    further = int(these[0]) - width if high - these[-1] < these[0] - low else int(these[-1]) + width
    return further if start <= further < stop else (start + stop) // 2


def _times(q: np.ndarray, k: int) -> tuple[float, float]:
    """Two times between which the k-th of these arrivals comes, but for RARE at either end."""
    top = np.sort(np.partition(q, len(q) - k)[len(q) - k :])[::-1]
    beyond = q[q < top[-1]].sum() + top[-1] * (np.count_nonzero(q >= top[-1]) - k)
    # rate of the arrivals once the likeliest 0, …, k are gone
    rates = beyond + np.append(top[::-1].cumsum()[::-1], 0.0)
    # of the first k arrivals at least j are none of the likeliest k - j, and P(Poisson(x) >= j) <= x^j / j!
    j = np.arange(1, k + 1)
    factorials = np.cumsum(np.log(j))
    with np.errstate(divide="ignore"):
        first = np.exp((math.log(RARE) + factorials) / j - np.log(rates[k - j])).max()
    # the wait is at most a sum of waits at these rates (tail: Janson, arXiv 1709.08157)
    mean, least = (1 / rates[:k]).sum(), rates[k - 1]
    wanted = -math.log(RARE) / (least * mean)
    ratio = 1 + wanted + math.sqrt(2 * wanted)
    for _ in range(4):
        ratio -= (ratio - 1 - math.log(ratio) - wanted) / (1 - 1 / ratio)
    return float(first), float(ratio * mean)
