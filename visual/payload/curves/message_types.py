"""The messages of a measurement, as types: `python -m assets.message_types` writes visual/web/curves/messages.d.ts from them."""

from __future__ import annotations

from typing import Literal, TypedDict

from ..message_types import Elsewhere


class Begin(TypedDict):
    """A measurement begins."""

    type: Literal["begin"]
    run: str
    models: str
    temperatures: list[float]
    places: list[Elsewhere]
    expected: int
    """how many points there will be"""


class CurveLine(TypedDict):
    """What a method is expected to do."""

    accepted: list[float]
    """expected accepted tokens with at most 1, 2, … drafted"""
    next: list[float]
    """probability that the 1st, 2nd, … token of the largest tree is accepted"""
    levels: list[list[float]]
    """`accepted` of the best trees with at most 1, 2, … levels; a single list where the levels are given"""


class Lines(TypedDict):
    """The lines at one temperature."""

    type: Literal["lines"]
    run: str
    temperature: float
    limit: list[float | None]
    """most accepted tokens with 1, 2, … drafted; None: no bound"""
    curves: dict[str, CurveLine]


class Measured(TypedDict):
    """A mean over target calls."""

    mean: float
    error: float | None
    """its standard error; None after a single call"""


class Shares(Measured):
    """Of the tokens from the first to the last, the likeliest first."""

    first: int
    last: int


class Point(TypedDict):
    """What direct runs gave."""

    curve: str
    temperature: float
    k: int
    calls: int
    accepted: Measured
    next: list[Shares]


class Headlines(TypedDict):
    """Headline and sentence of each view."""

    accepted: list[str]
    next: list[str]


class Words(Headlines):
    """The texts over the plot, and the note below it."""

    note: str


class Points(TypedDict):
    """All points so far."""

    type: Literal["points"]
    run: str
    points: list[Point]
    done: float
    """share of the work that is done"""
    left: int | None
    """seconds that the rest will take; None: not known yet"""
    doing: str
    """what is measured now; empty at the end"""
    words: Words


class End(TypedDict):
    """The measurement is complete."""

    type: Literal["end", "recorded"]
    run: str
    words: str
