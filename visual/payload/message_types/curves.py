"""The messages of the Curves tab, as types: `python -m assets.message_types` writes visual/web/curves/messages.d.ts from them."""

from __future__ import annotations

from typing import Literal, TypedDict

from ..theme import PlotlyData
from .run import Elsewhere


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


class PaysTree(TypedDict):
    """What a tree might give."""

    speedups: list[float]
    """of 1, 2, … guesses"""
    guesses: int
    """of the fastest of all"""


class PaysChange(TypedDict):
    """A single change to what was entered, and the answer to it."""

    what: str
    k: str
    speed: str


class PaysWords(TypedDict):
    """The texts of the answer."""

    headline: str
    sentence: str
    figure: str
    range: str
    """± beside the figure; empty without a count"""
    measure: str
    """what the figure is"""
    doubt: str
    inputs: str
    """what was entered, where the fields are out of sight"""
    note: str


class PaysAnswer(TypedDict):
    """The answer of "Does it pay for me?"; lists are of chains of 1, 2, … guesses."""

    k: int
    """guesses of the best chain; 0: none pays"""
    logged: int
    """how many rates were given"""
    slower_from: int | None
    tokens: list[float]
    """a call"""
    speedups: list[float]
    errors: list[float | None]
    """standard errors of the tokens a call, of the rates given; None without a count"""
    tree: PaysTree
    changes: list[PaysChange]
    words: PaysWords


class PaysRefusal(TypedDict):
    """Why what was typed cannot be taken."""

    refused: str
    field: str


class CurveStyle(TypedDict):
    """A curve: its texts, and how it is drawn."""

    label: str
    about: str
    color: str
    symbol: str
    width: float
    dash: str


class CurvesKit(TypedDict):
    """What the tab is sent once."""

    most: int
    """the largest number of drafted tokens"""
    curves: dict[str, CurveStyle]
    """by name, in the order of the table"""
    layout: PlotlyData
    """of all plots"""


class PaysKit(TypedDict):
    """Where "Does it pay for me?" asks, and with which fields."""

    address: str
    fields: list[str]
