"""What an experiment found, as plain data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Counts:
    """What the trials gave; lists are by token unless they say otherwise."""

    trials: int
    tokens: list[int]
    """of the first trials"""
    ranks: list[int]
    """of the first trials: the accepted guess from 1, -1 for none"""
    kept: list[int]
    """how often each token came out as an accepted guess"""
    own: list[int]
    """how often as the target's own"""
    wanted: list[float]
    """the distribution that the output should have"""
    tv: float
    """total variation distance of the output from it"""
    chance: tuple[float, float]
    """TV of the middle 95% of samples of this size from `wanted`"""
    is_off: bool
    """the output deviates more than chance allows"""
    off: list[float]
    """the deviation in standard errors; zeros unless `is_off`"""
    accepted: float
    """share of trials with an accepted guess; for rules that decide about a sequence the mean number of accepted guesses"""
    error: float | None
    """standard error of `accepted`; None after a single trial"""


@dataclass(frozen=True)
class Share:
    """How often something happened."""

    number: int
    """the accepted guess, from 1, or 0 for none; for a sequence how many were accepted"""
    measured: float
    theory: float | None
    chance: tuple[float, float] | None
    """where 95% of the measured shares lie by chance; None where `theory` is"""
    is_accepted: bool


@dataclass(frozen=True)
class Curve:
    """Acceptance with 1, 2, … guesses."""

    name: str
    """of the rule; `limit`: the most that an exact rule can accept of guesses drawn as this one draws them"""
    values: list[float]


@dataclass(frozen=True)
class Experiment:
    """The counts and the theory."""

    counts: Counts
    shares: list[Share]
    """which guess was accepted; empty for rules without such"""
    theory: float | None
    """what `counts.accepted` should be"""
    chance: tuple[float, float] | None
    """where 95% of such shares lie by chance; None where `theory` is"""
    usual: float | None
    """what the rule accepts without a bug: `theory`, or for a sequence the mean of other trials; None: not known"""
    deviates: int
    """`counts.accepted` is clearly above (1) or below (-1) `usual`, or not (0)"""
    curves: list[Curve]
    limit: float | None
    """the most that an exact rule can accept with k guesses"""
    is_too_good: bool
    """`counts.accepted` is clearly above `limit`"""
