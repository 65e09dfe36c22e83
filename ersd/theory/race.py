"""Exponential races: how often the target's winner is among the draft's first arrivals (arXiv 2504.15475, section 3)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from . import checks, counts, few
from .by_ratio import ByRatio, by_ratio
from .checks import Law


def race_match(p: Law, q: Law) -> float:
    """Probability that draft and target have the same first arrival under shared clocks: sum_i 1 / sum_j max(p_j / p_i, q_j / q_i).

    In O(n log n): the maximum is p_j / p_i exactly for the tokens j whose ratio p/q is at least token i's. Exact to rounding.

    Args:
        p, q: distributions [vocab]; ValueError naming the one that is not.
    """
    return race_acceptance(p, q, 1)


def race_bounds(p: Law, q: Law) -> tuple[float, float]:
    """What the probability of the same first arrival lies between: (1 - TV) / (1 + TV) <= race_match(p, q) <= 1 - TV.

    1 - TV is also what standard speculative decoding accepts, and at most 1 - D_HM(P, Q). None of them bounds a race with more children.
    """
    target, draft = checks.pair(p, q)
    tv = (target - draft).abs().sum().item() / 2
    return (1 - tv) / (1 + tv), 1 - tv


def race_acceptance(p: Law, q: Law, k: int) -> float:
    """Probability that the target's winner is among the draft's first k arrivals, P(R <= k).

    The target's winner i arrives at a time W ~ Exp(1) independent of i ~ P. Given both, token j is ahead of i in the draft's race with
    probability 1 - exp(-W a_j), a_j = (q_j p_i / q_i - p_j)+, independently; the winner is drafted if fewer than k are ahead. k = 1 is
    the closed form 1 / (1 + sum_j a_j). For k > 1 the law of the number ahead is that of `counts`, integrated over W. It depends on the
    winner through its ratio p_i / q_i only, so 16 ratios stand for all winners where there are more. For k = 2 and 3 the integral has a
    closed form (`few`), error measured below 4e-5 on laws of 17 to 150 tokens; beyond, below 1e-4 on flat, peaked and truncated laws of 2
    to 4,096 tokens with k up to 256, and below 1e-3 where ratios span a hundred orders of magnitude.

    Args:
        p, q: distributions [vocab].
        k: the draft's arrivals that become children, at least 1.
    """
    return race_acceptances(p, q, [k])[0]


def race_acceptances(p: Law, q: Law, children: Sequence[int]) -> list[float]:
    """The same for several numbers of children; the tokens are put in order once."""
    race = _Race(by_ratio(p, q))
    return [race.accepted(checks.count(k)) for k in children]


GROUPS = 8
"""Winners are taken in so many groups of like ratio, each stood for by two ratios; no more than twice as many stand for themselves."""
EARLIEST, LATEST = 1e-6, 13.0
"""Probability left out at either end of the times integrated over; and no winner arrives later than LATEST but for 2e-6."""
NODES = 16
"""Times integrated over, for each ratio; twice as many where few winners stand for themselves."""
WIDE, OPEN, REFINED = 4.0, 0.01, 2
"""A group is split, and all done again, if it spans more than WIDE in the logarithm and the outcome changes by more than OPEN, weighted
by its probability, between its neighbours: W ~ Exp(1) blurs the outcome by about 1. So many times at most."""
SLOW = 0.8
"""Rivals whose rate is below this in units of the latest time count through sums of powers."""
POWERS = 4
_Q_POWER, _P_POWER, _BINOMIAL = np.array([(j, m - j, math.comb(m, j)) for m in range(1, POWERS + 1) for j in range(m + 1)]).T
"""The terms of (a q - b p)^m, m from 1 to POWERS."""


class _Race:
    """Tokens by rising p/q; winners are those that both can reach."""

    def __init__(self, ordered: ByRatio) -> None:
        self.p, self.q, self.ratio = ordered
        # what only the draft can reach has ratio 0
        first, self.rivals = np.count_nonzero(self.ratio == 0), len(self.ratio)
        self.p_upto, self.q_upto = self.p.cumsum(), self.q.cumsum()
        self.winners, self.first = self.rivals - first, first
        self.weight = self.p[first:]
        #: sum_j (q_j p_i / q_i - p_j)+ of every winner i
        self.ahead = np.maximum(self.ratio[first:] * self.q_upto[first:] - self.p_upto[first:], 0)

    def accepted(self, k: int) -> float:
        """The probability that the winner is among the first k arrivals."""
        if k == 1 or not self.winners:
            return min(1.0, float((self.weight / (1 + self.ahead)).sum()))
        if k >= self.rivals:
            return min(1.0, float(self.weight.sum()))
        return min(1.0, self.drafted(k))

    def drafted(self, k: int) -> float:
        """P(R <= k): quadrature of a function of the ratio over the law of the winners, two points of Gauss for every group of them."""
        if self.winners <= 2 * GROUPS:
            return float(self.weight @ self._fewer(k, self.ratio[self.first :], self.ahead, 2 * NODES))
        rising = np.maximum.accumulate(self.ahead)
        # near what decides, the arrivals ahead against k, in orders of magnitude
        x = np.log1p(rising / k)
        # cut where winners are likely, where the outcome is open, and every few orders of magnitude
        place = (_from_0_to_1(self.weight.cumsum()) + _from_0_to_1(rising / (k + rising)) + _from_0_to_1(x)) / 3
        group = np.minimum(place * GROUPS, GROUPS - 1).astype(int)
        fewer, weight = self._by_groups(k, x, rising, group)
        for _ in range(REFINED):
            split = _split(group, x, _drops(fewer, weight))
            if split is None:
                break
            group = split
            fewer, weight = self._by_groups(k, x, rising, group)
        return float(weight @ fewer)

    def _by_groups(self, k: int, x: np.ndarray, rising: np.ndarray, group: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """P(fewer than k rivals are ahead) at the two ratios that stand for each group, and their weights."""
        at, weight = _gauss(x, self.weight, group)
        ahead = k * np.expm1(at.clip(x[0], x[-1]))
        # between two ratios the sum of rates is a straight line
        above = np.searchsorted(rising, ahead).clip(0, self.winners - 1) + self.first
        below = np.maximum(above - 1, 0)
        ratio = ((ahead + self.p_upto[below]) / self.q_upto[below]).clip(self.ratio[below], self.ratio[above])
        return self._fewer(k, ratio, ahead, NODES), weight

    def _fewer(self, k: int, ratio: np.ndarray, ahead: np.ndarray, nodes: int) -> np.ndarray:
        """P(fewer than k rivals are ahead) for winners of these ratios.

        Args:
            ratio: [ratios].
            ahead: their sums of rates. Times and rates are in these units: ratios may be large, their powers too large.
            nodes: times integrated over.
        """
        # of fewer two or more are ahead with a probability below 1e-12
        ahead = np.maximum(ahead, 1e-6)
        if k <= few.MOST:
            return self._fewer_of_few(k, ratio, ahead)
        fast, sums = self._rates(ratio / ahead, 1 / ahead, np.searchsorted(self.ratio, ratio), 3 * k + 32)
        latest = LATEST * ahead
        start = _begun(k, fast, sums[:, 0], latest)
        stop = _settled(k, fast, sums, start, latest)
        # in units of the latest time
        fast = fast * stop[:, None]
        for m in range(POWERS):
            sums[:, m:] *= stop[:, None]
        slow = (fast < SLOW).all(0)
        if sums.any() or not slow.all():
            sums += np.stack([(fast[:, slow] ** m).sum(1) for m in range(1, POWERS + 1)], axis=1)
            fast = fast[:, ~slow]
        places, weights = counts.nodes(nodes)
        span = np.log(stop / start)[:, None]
        times = np.exp(span * (places - 1))
        fewer = counts.fewer(k, fast, sums, times)
        times *= stop[:, None]
        arrived = times / ahead[:, None]
        inner = (span * weights * arrived * np.exp(-arrived) * fewer).sum(1)
        return 1 - np.exp(-start / ahead) + inner + np.where(stop < latest, 0, math.exp(-LATEST) * fewer[:, -1])

    def _fewer_of_few(self, k: int, ratio: np.ndarray, ahead: np.ndarray) -> np.ndarray:
        """The same where no time need be integrated over: fewer than k ring before the winner, whose clock has the rate 1."""
        fast, sums = self._rates(ratio / ahead, 1 / ahead, np.searchsorted(self.ratio, ratio), few.SINGLE)
        slow = sums[:, 0]
        # clocks too slow to count must not be divided by
        shares = sums.T / np.where(slow > 1e-30, slow, np.inf) ** np.arange(1, POWERS + 1)[:, None]
        return few.few(k, fast, 1 / ahead + slow, slow, POWERS).at(shares) / ahead

    def _rates(self, q_scale: np.ndarray, p_scale: np.ndarray, ends: np.ndarray, single: int) -> tuple[np.ndarray, np.ndarray]:
        """Rates (q_scale q_j - p_scale p_j)+ of the draft's `single` likeliest tokens j, [ratios, single]; sums of powers of the others'.

        `ends`: so many tokens, by rising p/q, have a rate above 0.
        """
        p, q = self.p, self.q
        sums = np.zeros((len(ends), POWERS))
        if self.rivals <= single:
            return np.maximum(q_scale[:, None] * q - p_scale[:, None] * p, 0), sums
        likeliest = np.argpartition(q, self.rivals - single)[self.rivals - single :]
        fast = np.maximum(q_scale[:, None] * q[likeliest] - p_scale[:, None] * p[likeliest], 0)
        p, q = p.copy(), q.copy()
        p[likeliest] = q[likeliest] = 0
        # by the binomial theorem sums over the tokens up to each ratio serve
        cuts = np.unique(np.append(ends, 0))
        of_p, of_q = ([np.ones_like(values), values, values * values] for values in (p, q))
        for powers in (of_p, of_q):
            powers += [powers[1] * powers[2], powers[2] * powers[2]]
        pieces = np.zeros((len(_BINOMIAL), len(cuts)))
        for piece, j, i in zip(pieces, _Q_POWER, _P_POWER, strict=True):
            np.add.reduceat((of_q[j] * of_p[i])[: cuts[-1]], cuts[:-1], out=piece[1:])
        upto = pieces.cumsum(1)[:, np.searchsorted(cuts, ends)]
        scales = q_scale ** _Q_POWER[:, None] * (-p_scale) ** _P_POWER[:, None]
        sums = np.add.reduceat(_BINOMIAL[:, None] * scales * upto, np.flatnonzero(_Q_POWER == 0)).T
        return fast, np.maximum(sums, 0)


def _drops(fewer: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """How far the falling function drops between the neighbours of every group, times the group's weight."""
    low, high = np.split(fewer, 2)
    return weight.reshape(2, -1).sum(0) * (np.append(1, high[:-1]) - np.append(low[1:], 0))


def _split(group: np.ndarray, x: np.ndarray, drops: np.ndarray) -> np.ndarray | None:
    """Four groups, even in x, for each that is too wide; None where there is none."""
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    ends = np.append(starts[1:], len(group)) - 1
    span = x[ends] - x[starts]
    wide = (span > WIDE) & (drops > OPEN)
    if not wide.any():
        return None
    number = np.repeat(np.arange(len(starts)), ends - starts + 1)
    part = np.minimum(4 * (x - x[starts][number]) / np.maximum(span, WIDE)[number], 3).astype(int)
    return 4 * number + np.where(wide[number], part, 0)


def _from_0_to_1(rising: np.ndarray) -> np.ndarray:
    return (rising - rising[0]) / max(rising[-1] - rising[0], 1e-300)


def _gauss(x: np.ndarray, weight: np.ndarray, group: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two points and weights for every group with its moments up to the third; `group` does not fall."""
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    sizes = np.diff(np.append(starts, len(x)))
    total = np.add.reduceat(weight, starts)
    held = total > 0
    safe = np.where(held, total, 1)
    mean = np.add.reduceat(weight * x, starts) / safe
    off = x - mean.repeat(sizes)
    square = weight * off * off
    spread = np.sqrt(np.add.reduceat(square, starts) / safe)
    skew = np.add.reduceat(square * off, starts) / safe / np.where(spread > 1e-9, spread, np.inf) ** 3 / 2
    root = np.sqrt(1 + skew**2)
    points = np.concatenate([mean + spread * (skew - root), mean + spread * (skew + root)])
    weights = np.concatenate([total * (1 + skew / root), total * (1 - skew / root)]) / 2
    return points[np.tile(held, 2)], weights[np.tile(held, 2)]


def _begun(k: int, fast: np.ndarray, others: np.ndarray, latest: np.ndarray) -> np.ndarray:
    """Times before which fewer than k are ahead but for a probability of EARLIEST."""
    rates = np.sort(fast)
    # of k that are ahead at least j are none of the fastest k - j, and P(Poisson(x) >= j) <= x^j / j!
    rest = (rates.cumsum(1) + others[:, None])[:, -np.arange(k, 0, -1)]
    j = np.arange(1, k + 1)
    least = np.exp((math.log(EARLIEST) + np.log(j).cumsum()) / j)
    return np.minimum((least / np.maximum(rest, 1e-300)).max(1), latest / 2)


def _settled(k: int, fast: np.ndarray, sums: np.ndarray, start: np.ndarray, latest: np.ndarray) -> np.ndarray:
    """Times from which on at least k are ahead but for a probability of EARLIEST, `latest` at most; three times too late at most."""
    steps = np.linspace(0, 1, 13)[1:]
    while True:
        span = np.log(latest / start)
        grid = start[:, None] * np.exp(span[:, None] * steps)
        settled = _sure(k, fast, sums, grid)
        settled[:, -1] = True
        at, row = settled.argmax(1), np.arange(len(grid))
        start, latest = np.where(at > 0, grid[row, at - 1], start), grid[row, at]
        if span.max() < 12 * math.log(3):
            return latest


def _sure(k: int, fast: np.ndarray, sums: np.ndarray, times: np.ndarray) -> np.ndarray:
    """At which times, [ratios, times], at least k are ahead but for a probability of EARLIEST."""
    silent = np.exp(-fast[:, :, None] * times[:, None])
    mean, variance = (1 - silent).sum(1), (silent * (1 - silent)).sum(1)
    with np.errstate(over="ignore"):
        # 1 - e^-y >= y - y^2 / 2
        slow = np.maximum(sums[:, :1] * times - sums[:, 1:2] * times * times / 2, 0)
    mean, variance = mean + slow, variance + sums[:, :1] * times + 1e-12
    short = np.maximum(mean - (k - 1), 0)
    # Chernoff's bound for a Poisson number, and Bennett's, better where most are ahead almost surely
    poisson = short + (k - 1) * np.log((k - 1) / np.maximum(mean, k - 1))
    bennett = (variance + short) * np.log1p(short / variance) - short
    return np.maximum(poisson, bennett) > -math.log(EARLIEST)


def length_bound(vocab_size: int, k: int, rank_entropy: float) -> float:
    """Upper bound on the expected tokens per target call, (log |Ω| + log(k + 1)) / H[R] (arXiv 2504.15475, section 4).

    It assumes that the rank R of the target's token is drawn independently from one position to the next, always from the same law,
    and that the tree is fixed beforehand. Where ranks depend on the position it is no limit (two laws in turns: 6.00 tokens against a
    bound of 4.95 by their mean), nor for dynamic trees, whose shape looks at the clocks that decide the rank, nor for what one run
    happens to give.

    Args:
        vocab_size: |Ω|, at least 1.
        k: drafted tokens, at least 1.
        rank_entropy: H[R] in nats, not negative; 0 gives inf.
    """
    checks.count(vocab_size, "vocab_size")
    checks.count(k)
    if not rank_entropy >= 0:
        raise ValueError(f"rank_entropy must be a number from 0, got {rank_entropy!r}")
    if rank_entropy == 0:
        return math.inf
    return (math.log(vocab_size) + math.log(k + 1)) / rank_entropy
