"""A pair of distributions reduced to the tokens that matter, about 200 of any vocabulary."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import checks
from .checks import Distribution

SINGLE_TOKENS = 128
"""Tokens kept as they are, those with the largest max(p, q)."""
LOWEST, HIGHEST, BITS = 2.0**-3, 2.0**13, 3
"""The others are lumped by p/q, in 2^BITS bins an octave between these two ratios and one bin beyond either."""
MIN_PROBABILITY = 1e-300
"""Draft probabilities below this count as this, so that ratios stay finite."""


class Tokens(NamedTuple):
    """The tokens that the draft can propose, in order of rising p/q. Each field is float64 [tokens]."""

    p: np.ndarray
    q: np.ndarray
    size: np.ndarray
    """how many tokens with this p and this q there are: 1, or the effective size of a lump"""
    ratio: np.ndarray
    """p / q"""


def compress(p: Distribution, q: Distribution) -> Tokens:
    """The tokens of a checked pair, all of them if the vocabulary is small.

    A lump keeps the sums of p and of q, and by its effective size (sum x)^2 / sum x^2 with x = p + q also the sum of squares, which is the
    next order in every formula about draws without replacement.
    """
    target, draft = checks.pair(p, q)
    size = np.ones(len(target))
    if len(target) > 2 * SINGLE_TOKENS:
        target, draft, size = _lump(target, draft)
    drawn = np.flatnonzero(draft > 0)
    target, draft, size = target[drawn], np.maximum(draft[drawn], MIN_PROBABILITY), size[drawn]
    ratio = target / draft
    order = ratio.argsort()
    return Tokens(target[order], draft[order], size[order], ratio[order])


def _lump(p: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    # in place where possible: at 152,000 tokens most of the time goes into fresh memory
    scratch = np.maximum(p, q)
    likely = np.flatnonzero(scratch > 1 / len(p))  # usually few, and choosing among few is faster
    if len(likely) < SINGLE_TOKENS:
        likely = np.arange(len(p))
    kept = likely[np.argpartition(scratch[likely], len(likely) - SINGLE_TOKENS)[len(likely) - SINGLE_TOKENS :]]
    ratio = np.maximum(q, MIN_PROBABILITY)
    np.divide(p, ratio, out=ratio)
    np.clip(ratio, LOWEST, HIGHEST, out=ratio)
    # the leading bits of a float are its exponent and the first binary digits: bins on a logarithmic scale without a logarithm
    bins = ratio.view(np.int64)
    bins >>= 52 - BITS
    bins -= bins.min() - 1
    bins[kept] = 0
    squares = np.bincount(bins, np.square(np.add(p, q, out=scratch), out=scratch))
    sum_p, sum_q = np.bincount(bins, p), np.bincount(bins, q)
    squares[0] = 0  # of the kept ones
    filled = np.flatnonzero(squares)
    sum_p, sum_q = sum_p[filled], sum_q[filled]
    size = np.maximum((sum_p + sum_q) ** 2 / squares[filled], 1)
    return np.append(p[kept], sum_p / size), np.append(q[kept], sum_q / size), np.append(np.ones(SINGLE_TOKENS), size)
