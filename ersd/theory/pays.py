"""Does speculation pay? From what a serving engine logs and four costs to one answer: how many tokens to guess, and what that gives."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..formatting import plural, quoted, truncated

MAX_GUESSES = 64
"""Guesses of the longest chain that is considered."""
NAMED_RATES = "per-position acceptance rate"
"""What comes before the rates in the log line of a serving engine (vLLM)."""


@dataclass(frozen=True)
class Acceptance:
    """How often guesses are accepted, as engines log it."""

    rates: tuple[float, ...]
    """entry i: the share of drafts whose first i + 1 guesses were all accepted"""
    drafts: int | None = None
    """drafts that were counted; None where the log does not say"""

    def __post_init__(self) -> None:
        if not 1 <= len(self.rates) <= MAX_GUESSES:
            raise ValueError(f"rates must be 1 to {MAX_GUESSES} numbers, got {len(self.rates)}")
        for number, rate in enumerate(self.rates, 1):
            if not 0 <= rate <= 1:
                raise ValueError(f"rates must be numbers from 0 to 1, got {rate:g} for guess {number}")
            if number > 1 and rate > self.rates[number - 2]:
                raise ValueError(
                    f"rates must not rise, since a guess is accepted only after all before it, got {rate:g} for guess {number} after "
                    f"{self.rates[number - 2]:g}"
                )

    def continued(self) -> list[float]:
        """The rates of 1 to MAX_GUESSES guesses: beyond the logged ones each is as likely, after the one before, as the last logged one."""
        rates = [1.0, *self.rates]
        ratio = rates[-1] / rates[-2] if rates[-2] else 0.0
        beyond = MAX_GUESSES - len(self.rates)
        return [*self.rates, *(rates[-1] * ratio ** (i + 1) for i in range(beyond))]

    def tokens_error(self, k: int) -> float | None:
        """The standard error of the tokens per call with k logged guesses; None without a count."""
        return self.error_of([1.0] * k)

    def error_of(self, gains: Sequence[float]) -> float | None:
        """The standard error of a mean over drafts, if a draft adds the i-th gain once its guess i is accepted; None without a count."""
        if not self.drafts:
            return None
        mean = squares = total = 0.0
        for rate, gain in zip(self.rates, gains, strict=False):
            mean += rate * gain
            squares += rate * ((total + gain) ** 2 - total**2)
            total += gain
        return math.sqrt(max(0.0, squares - mean**2) / self.drafts)


@dataclass(frozen=True)
class Pays:
    """Whether a chain of guesses pays, and the best one."""

    k: int
    """guesses of the best chain among the logged ones; 0: none is faster than decoding without a draft"""
    speedup: float
    """of the best chain; where none pays that of a single guess"""
    error: float | None
    """two standard errors of the speed-up, from the number of drafts alone: the times are taken as given"""
    speedups: list[float]
    """of chains of 1 to MAX_GUESSES guesses"""
    logged: int
    """how many of them follow from the log; the others continue it"""
    slower_from: int | None
    """the first k beyond the best at which the chain is slower than no draft; None if there is none"""
    alike: list[int]
    """other logged chains that are as fast as the best one within two standard errors of the difference; empty without a count"""
    reason: str
    """one sentence"""

    @property
    def stops(self) -> str:
        """From where on a chain does not pay, a sentence."""
        how = "" if (self.slower_from or MAX_GUESSES) <= self.logged else ", if each further guess is as likely as the last one given"
        if self.slower_from is None:
            return f"A chain of up to {MAX_GUESSES} guesses stays faster than no draft{how}."
        return f"From {plural(self.slower_from, 'guess', 'guesses')} on a chain is slower than no draft{how}."


def pays(acceptance: Acceptance, target_ms: float, draft_ms: float, row_ms: float = 0.0) -> Pays:
    """The best chain of guesses, and why.

    A chain of k takes k draft calls, and one target call with k further rows. Its speed-up is the time of its tokens one by one over that
    of the step, (1 + Σ rates) call / (call + k (draft + row)).

    Args:
        target_ms: a target call for one token, above 0.
        draft_ms: a draft call, at least 0.
        row_ms: what each further token adds to the target call, at least 0.
    """
    if not (math.isfinite(target_ms) and target_ms > 0):
        raise ValueError(f"target-ms must be a number above 0, got {target_ms!r}")
    for name, value in (("draft-ms", draft_ms), ("row-ms", row_ms)):
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"{name} must be a number of at least 0, got {value!r}")
    rates, logged = acceptance.continued(), len(acceptance.rates)
    guess_ms = draft_ms + row_ms
    speedups, tokens = [], 1.0
    for k, rate in enumerate(rates, 1):
        tokens += rate
        speedups.append(tokens * target_ms / (target_ms + k * guess_ms))
    best = max(range(1, logged + 1), key=lambda k: speedups[k - 1])
    is_faster = speedups[best - 1] > 1
    error = acceptance.tokens_error(best)
    per_token = [target_ms / (target_ms + k * guess_ms) for k in range(1, logged + 1)]
    alike = [k for k in range(1, logged + 1) if k != best and _is_alike(acceptance, best, k, speedups, per_token)]
    after = best if is_faster else 0
    return Pays(
        k=best if is_faster else 0,
        speedup=speedups[best - 1] if is_faster else speedups[0],
        error=None if error is None else 2 * error * per_token[best - 1],
        speedups=speedups,
        logged=logged,
        slower_from=next((k for k in range(after + 1, MAX_GUESSES + 1) if speedups[k - 1] < 1), None),
        alike=alike,
        reason=_reason(best, is_faster, alike, acceptance.rates, speedups, (target_ms, guess_ms)),
    )


def _is_alike(acceptance: Acceptance, best: int, k: int, speedups: Sequence[float], per_token: Sequence[float]) -> bool:
    """Whether chains of `best` and k guesses differ by at most two standard errors; they share one log, so their errors do not add up."""
    gains = [per_token[best - 1] * (i <= best) - per_token[k - 1] * (i <= k) for i in range(1, max(best, k) + 1)]
    error = acceptance.error_of(gains)
    return error is not None and speedups[best - 1] - speedups[k - 1] <= 2 * error


def _reason(
    best: int, is_faster: bool, alike: Sequence[int], rates: Sequence[float], speedups: Sequence[float], costs: tuple[float, float]
) -> str:
    """Why this is the best chain."""
    logged = len(rates)
    target_ms, guess_ms = costs
    if not is_faster:
        share = f"{guess_ms / target_ms:.0%} of a call"
        return f"Even the first guess costs more than it saves: it is right {rates[0]:.0%} of the time and costs {share}."
    tokens = 1 + sum(rates[:best])
    step_ms = target_ms + best * guess_ms
    gives = f"A call gives {tokens:.2f} tokens in {step_ms:.3g} ms, {step_ms / tokens:.3g} ms a token instead of {target_ms:.3g}"
    if best < logged:
        saves = "saves about as much, too close to tell from so many drafts" if best + 1 in alike else "saves less"
        return f"{gives}; guess {best + 1} costs {guess_ms:.3g} ms and {saves}."
    further = max(range(logged, MAX_GUESSES), key=lambda k: speedups[k]) + 1
    if speedups[further - 1] > speedups[best - 1]:
        more = f"up to about {speedups[further - 1]:.2f}× with {further} guesses"
        return f"{gives}; the rates end here, and longer chains may give more, {more}."
    return f"{gives}; one guess more would cost more than it saves."


def read_acceptance(text: str) -> Acceptance:
    """From rates with commas, "0.72, 0.48, 0.33", or a line of a serving engine's log. ValueError that names what is wrong.

    Of a log line the rates after "Per-position acceptance rate:" count, and the drafts are its "Drafted: n tokens" over their number.
    """
    start = text.lower().find(NAMED_RATES)
    if start >= 0:
        found = re.match(r"[:\s]*((?:\d*\.?\d+\s*,?\s*)+)", text[start + len(NAMED_RATES) :])
        rates = tuple(float(one) for one in re.findall(r"\d*\.?\d+", found[1])) if found else ()
        drafted = re.search(r"\bdrafted: *([\d,]+) tokens", text, re.IGNORECASE)
        count = int(drafted[1].replace(",", "")) // len(rates) if drafted and rates else None
        return Acceptance(rates, count or None)
    parts = [part for part in re.split(r"[\s,;]+", text.strip()) if part]
    try:
        return Acceptance(tuple(float(part) for part in parts))
    except ValueError as problem:
        if "could not convert" not in str(problem):
            raise
        raise ValueError(f"rates must be numbers with commas, such as 0.72,0.48,0.33, got {quoted(truncated(text))}") from None
