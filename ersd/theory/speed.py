"""Speed-up over decoding without a draft: of a step, and what the first, second, … guess of a draft adds to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


def speedup(tokens_per_call: float, ratio: float, levels: float, tree: float | None = None, choice: float = 0.0) -> float:
    """Speed-up over decoding without a draft: tokens_per_call * (c + a) / (levels + C + tokens_per_call * a).

    The numerator is the time of a step's tokens without a draft, the denominator that of the step. All costs have one unit: the time of a
    draft level, or milliseconds. C equals c where a target call takes the same time for a tree as for one token, as long as memory
    bandwidth limits it; if nothing but calls takes time, this is Leviathan et al., arXiv 2211.17192, theorem 3.8, whose c is 1 / ratio and
    whose γ is `levels`.

    Args:
        tokens_per_call: tokens that a target call yields, at least 0.
        ratio: c, the cost of a target call on one token, above 0.
        levels: the cost of all draft levels of a target call, at least 0; 0 without a draft.
        tree: C, the cost of a target call on a tree, if it differs from c.
        choice: a, the cost of choosing one token, at least 0.
    """
    tree = ratio if tree is None else tree
    for name, value in (("tokens_per_call", tokens_per_call), ("levels", levels), ("choice", choice)):
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"{name} must be a number of at least 0, got {value!r}")
    for name, value in (("ratio", ratio), ("tree", tree)):
        if not (math.isfinite(value) and value > 0):
            raise ValueError(f"{name} must be a number above 0, got {value!r}")
    return tokens_per_call * (ratio + choice) / (tree + levels + tokens_per_call * choice)


@dataclass(frozen=True)
class GuessValues:
    """The guesses of a draft one by one: lists with one entry a guess, in the unit of the times that were given."""

    saves: list[float]
    """what the further tokens of a call would have taken, at the price of a token with one guess less"""
    costs: list[float]
    """by which it makes the step longer"""
    speedups: list[float]
    """of a step with this many guesses"""
    best: int
    """guesses of the fastest step; 0: none is faster than decoding without a draft"""
    slower_from: int | None
    """the first number of guesses beyond the best with which a step is slower than without a draft; None if there is none"""


def guess_values(tokens: Sequence[float], step_ms: Sequence[float]) -> GuessValues:
    """What every guess saves and costs. The n-th pays exactly where n guesses give more tokens per time than n - 1.

    Args:
        tokens: that a call gives with 0, 1, 2, … guesses; the first is 1, the token of a call without a draft.
        step_ms: what a step with 0, 1, 2, … guesses takes, all above 0.
    """
    if len(tokens) != len(step_ms):
        raise ValueError(f"step_ms must have as many entries as tokens, {len(tokens)}, got {len(step_ms)}")
    counts = range(1, len(tokens))
    speedups = [tokens[n] / tokens[0] * step_ms[0] / step_ms[n] for n in counts]
    best = max(counts, key=lambda n: speedups[n - 1], default=0)
    if best and speedups[best - 1] <= 1:
        best = 0
    return GuessValues(
        saves=[(tokens[n] - tokens[n - 1]) * step_ms[n - 1] / tokens[n - 1] for n in counts],
        costs=[step_ms[n] - step_ms[n - 1] for n in counts],
        speedups=speedups,
        best=best,
        slower_from=next((n for n in counts if n > best and speedups[n - 1] < 1), None),
    )
