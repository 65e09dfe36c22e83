"""Pairs of distributions, and slow references that evaluate the definitions on fine grids. Tokens with equal p and q form a group."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import strategies as st

TWO_DIGITS = 2e-3
"""The error allowed of the formulas that are approximated."""


def softmax(logits: np.ndarray) -> np.ndarray:
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


def random_pairs(size: int, count: int = 10, spread: float = 1.5, seed: int = 5) -> list[tuple[np.ndarray, np.ndarray]]:
    """Random target and draft distributions; the spread is that of the logits."""
    rng = np.random.default_rng(seed)
    return [(softmax(spread * rng.normal(size=size)), softmax(spread * rng.normal(size=size))) for _ in range(count)]


def array(*values: float) -> np.ndarray:
    return np.array(values)


EDGES = {
    "zeros": (array(0.5, 0.3, 0.2, 0.0), array(0.0, 0.2, 0.3, 0.5)),
    "equal": (array(0.5, 0.3, 0.2, 0.0), array(0.5, 0.3, 0.2, 0.0)),
    "disjoint": (array(0.5, 0.5, 0.0, 0.0), array(0.0, 0.0, 0.4, 0.6)),
    "one point": (array(0.0, 1.0, 0.0, 0.0), array(0.5, 0.3, 0.2, 0.0)),
    "one point draft": (array(0.5, 0.3, 0.2, 0.0), array(0.0, 1.0, 0.0, 0.0)),
    "target beyond draft": (array(0.17, 0.53, 0.04, 0.25, 0.0, 0.01), array(0.17, 0.47, 0.03, 0.33, 0.0, 0.0)),
    "one in common": (array(0.6, 0.4, 0.0, 0.0), array(0.0, 0.01, 0.5, 0.49)),
    "a rare token": (array(0.5, 0.3, 0.2, 0), array(1 - 2e-16, 1e-16, 1e-16, 0)),
    "one token": (array(1.0), array(1.0)),
}

pairs = st.builds(
    lambda size, spread, seed: random_pairs(size, 1, spread, seed)[0],
    st.integers(2, 400),
    st.sampled_from((0.1, 1, 2.5, 5)),
    st.integers(0, 9999),
)
"""Strategy of random pairs, flat to peaked."""


def grouped(vocab: int, temperature: float, noise: float, kept: int | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """p, q and size of groups of tokens: probabilities as language models have them, rank^(-1.5), the draft's off by `noise` nats.

    The first 30 ranks are groups of one token; of the likeliest `kept` groups of the target the rest is cut.
    """
    rng = np.random.default_rng(vocab)
    edges = np.unique(np.append(np.arange(1, 31), np.geomspace(31, vocab + 1, 40).astype(int)))
    count = np.diff(edges)
    logits = -1.5 * np.log((edges[:-1] + edges[1:]) / 2)
    p, q = (np.exp((logits + noise * rng.normal(size=len(count))) / temperature) for _ in range(2))
    if kept:
        p[p < np.sort(p)[-kept]] = 0
    return p / (p @ count), q / (q @ count), count


def expanded(groups: tuple[np.ndarray, np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """p and q of every token of the groups, in a random order."""
    p, q, count = groups
    order = np.random.default_rng(0).permutation(count.sum())
    return np.repeat(p, count)[order], np.repeat(q, count)[order]


GROUPS = {
    "peaked": grouped(64, 0.6, 0.7),
    "small": grouped(300, 1, 0.7),
    "temperature 1": grouped(4096, 1, 1.0),
    "temperature 2": grouped(152_000, 2, 1.0),
    "large, sharp": grouped(152_000, 0.7, 1.0),
    "truncated": grouped(4096, 1, 0.7, kept=12),
    "flat": (array(0.05 / 4096, 1.95 / 4096), array(1 / 4096, 1 / 4096), np.array([2048, 2048])),
    "one token of many": (array(1, 0), array(1 / 300, 1 / 300), np.array([1, 299])),
}


def fewer_than(k: int, rates: np.ndarray, count: np.ndarray) -> np.ndarray:
    """P(fewer than k clocks ring before one of rate 1), [cases]: a contour integral of the generating function, integrated over time."""
    step, points = 0.12, k + 8
    times = np.exp(np.arange(np.log(1e-4), np.log(40), step))
    z = 10 ** (-9 / points) * np.exp(2j * np.pi * np.arange(points // 2 + 1) / points)[:, None, None]
    product = np.ones((len(z), len(rates), len(times)), dtype=complex)
    for rate, size in zip(rates.T, count, strict=True):
        factor = z + (1 - z) * np.exp(-rate[:, None] * times)
        product *= factor if size == 1 else factor**size
    weight = z ** (1 - k) / (1 - z) / points * 2  # the lower half of the circle is the conjugate of the upper
    weight[0] /= 2
    weight[-1] /= 1 + (points % 2 == 0)
    fewer = (product * weight).sum(0).real
    return 1 - np.exp(-times[0]) + step * (fewer * times * np.exp(-times)).sum(1)


def race_acceptance(p: np.ndarray, q: np.ndarray, k: int, count: np.ndarray | None = None) -> float:
    """P(R <= k). The winner is one of its group; its rate is 0, so it need not be left out."""
    count = np.ones(len(p), dtype=int) if count is None else count
    both = (p > 0) & (q > 0)
    rates = np.maximum((p[both] / q[both])[:, None] * q - p, 0)
    return float((p * count)[both] @ fewer_than(k, rates, count))


def optimum_without_replacement(p: np.ndarray, q: np.ndarray, k: int, count: np.ndarray) -> float:
    """1 - max over prefixes by p/q, all of them but inside groups, where the maximum of a convex function is not."""
    order = (p / q).argsort()
    p, q, count = p[order], q[order], count[order]
    inside = np.arange(len(p)) < np.arange(1, len(p))[:, None]
    outside = np.where(inside, 0, q * count).sum(1)
    possible = np.where(inside, count, 0).sum(1) >= k
    drawn = np.where(possible, 1 - fewer_than(k, np.where(inside, q / outside[:, None], 0), count), 0)
    return 1 - max(0.0, float((drawn - np.where(inside, p * count, 0).sum(1)).max()))


def sequences(q: np.ndarray, k: int, replacement: bool):
    """Every list of k children with its probability; without replacement at most as long as the draft has tokens."""
    support = np.flatnonzero(q).tolist()
    lists = itertools.product(support, repeat=k) if replacement else itertools.permutations(support, min(k, len(support)))
    for children in lists:
        left, probability = 1.0, 1.0
        for token in children:
            probability *= q[token] / left
            left -= 0 if replacement else q[token]
        yield children, probability
