"""What the first, second, … guess of a draft saves and costs, and the number of guesses from which drafting stops paying."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


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
