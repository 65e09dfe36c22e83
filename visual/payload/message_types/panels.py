"""What the panels below the pictures are sent, as types: whose race it was, where the time goes, where guesses come from."""

from __future__ import annotations

from typing import TypedDict


class ClockSum(TypedDict):
    """A sum of clocks and what it says about the seed."""

    count: int
    """clocks tested"""
    total: str
    """as it is printed"""
    low: float
    """of so many clocks of another text nine of ten sums are from here"""
    high: float
    """to here"""
    is_recognised: bool
    headline: str
    """the verdict"""
    says: str
    """the sum, and how many other texts have one as small"""


class StepClocks(TypedDict):
    """The clocks of the tokens that a step adds: columns by token."""

    clocks: list[float | None]
    """None: not tested, since its context was seen before"""
    p: list[float]
    """of the target"""
    start: int
    """index of the first one in the whole sequence"""
    sum: ClockSum
    """of the run up to the step"""


class TextOfClocks(TypedDict):
    """A text whose clocks were tested for a seed. `texts` and `clocks` are columns by token."""

    texts: list[str]
    clocks: list[float | None]
    band: list[tuple[int, float, float]]
    """after so many clocks tested: what nine of ten other texts are between"""
    sum: ClockSum


class Routing(TypedDict):
    """Several sources of guesses, of which one is chosen before each step: columns by source."""

    names: list[str]
    weights: list[float]
    """before the step; they sum to 1"""
    losses: list[str]
    """in the step, from 0 to 1, as they are printed"""
    chosen: int
    """the source that drafted"""


class Price(TypedDict):
    """What a part of a step costs."""

    label: str
    ms: float


class Guesses(TypedDict):
    """What each guess of a call saves and costs: lists with one entry a guess, in milliseconds on an idle machine."""

    headline: str
    """which guesses pay, or why that is not known"""
    sentence: str
    """the first guess that does not pay, with its figures"""
    note: str
    """how the figures are computed"""
    adds: list[float]
    """tokens to a step on average; this and the next two are empty where they are not known"""
    saves: list[float]
    costs: list[float]
    best: int
    """guesses that pay; 0: none"""
    prices: list[Price]


class Predrafting(TypedDict):
    """Drafting while the target verifies, computed for this run: lists with one entry a step, from the second on."""

    headline: str
    """whether it would be faster"""
    whole: str
    """the time of the whole run, for the picture of a few steps"""
    sentences: list[str]
    """what it is, what it gives, and what that depends on"""
    note: str
    """how the figures are computed"""
    is_prepared: list[bool]
    """whether the tree of the step was prepared when the call before it was over"""
    waits: list[float]
    """milliseconds that the target waits before the call, as they are printed"""
    drafting: list[float]
    """milliseconds that preparing takes, beginning with the call before"""


class WatermarkKit(TypedDict):
    """The texts of "Whose race was this?", and what its form needs."""

    words: dict[str, str]
    address: str
    """where a text is tested"""
    bytes: int
    """most of a text"""
    levels: list[float]
    """clocks at which the ground of a token changes"""
    insert: str
    """a word to insert, with the space before it"""
