"""What the Learn tab is sent, as types: `python -m assets.message_types` writes visual/web/learn/messages.d.ts from them.

Lessons themselves are checked when they are read (`visual.payload.lessons.Lesson`).
"""

from __future__ import annotations

from typing import TypedDict

from .panels import TextOfClocks
from .step import Decision


class LearnKit(TypedDict):
    """Where the lessons are, and in which languages."""

    address: str
    languages: list[str]


class Call(TypedDict):
    """What a target call for so many tokens costs, also as a multiple of a call for one."""

    tokens: int
    ms: float
    ratio: float


class Calls(TypedDict):
    """By their number of tokens, from 1."""

    machine: str
    here: list[Call]
    gpu: list[Call]


class Position(TypedDict):
    """A position of the handle: a draft, draws in which it agrees with the target, and how often it should, by own and shared clocks."""

    q: list[float]
    own: list[bool]
    shared: list[bool]
    expected: tuple[float, float]
    chance: list[tuple[float, float]]


class Clocks(TypedDict):
    """One decision sampled by two models."""

    names: list[str]
    before: str
    """the text before the decision"""
    p: list[float]
    positions: list[Position]
    """of the handle; the middle one is the recorded step"""
    clocks: list[list[float]]
    """by draw and token"""
    own_clocks: list[list[float]]
    """the draft's own"""


class Shape(TypedDict):
    """A tree and the accepted tokens expected of it."""

    svg: str
    expected: float


Chance = tuple[str, float]
"""What a probability is computed from, and its value."""


class ChainAt(TypedDict):
    """A chain of two guesses at a position of the handle: its chances decided from the root and from the leaf, and both averages."""

    name: str
    root: list[Chance]
    leaf: list[Chance]
    average: list[Chance]


class Leaves(TypedDict):
    """Chains by position of the handle; `at`: the first shown."""

    at: int
    positions: list[ChainAt]


class Mark(TypedDict):
    """The text of the recorded run, tested for a seed."""

    seed: int
    clocks: TextOfClocks


class FixedFigures(TypedDict):
    """The data of figures that are the same on every machine."""

    clocks: Clocks
    trees: dict[str, dict[str, Shape]]
    """by their number of tokens and their shape"""
    leaves: Leaves
    marks: list[Mark]
    """the seed of the run first"""


class Figures(FixedFigures):
    """The data of the figures that are shown."""

    calls: Calls


class Guess(TypedDict):
    """A decision to guess about."""

    before: str
    decision: Decision
    name: str
    accepted: bool
