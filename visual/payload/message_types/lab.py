"""The message of the lab, as types: `python -m assets.message_types` writes visual/web/lab/messages.d.ts from them.

Columns are by token, in the order in which they stand on the page.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

from .step import Block, Decision, Tree


class Counts(TypedDict):
    """What the trials gave."""

    trials: int
    ranks: list[int]
    """of the first trials: the accepted guess, -1 for none"""
    kept: list[int]
    """came out as accepted guesses"""
    own: list[int]
    """came out as the target's own"""
    tv: float
    chance: tuple[float, float]
    """TV of the middle 95% of exact samples"""
    is_off: bool
    signs: list[int]
    """1: clearly too often, -1: too rarely"""
    accepted: float
    error: float | None
    """standard error of `accepted`"""


class Curve(TypedDict):
    """Acceptance by the number of guesses."""

    name: str
    """of the rule, or `limit`"""
    label: str
    values: list[float]


class Share(TypedDict):
    """How often one of the guesses was accepted."""

    label: str
    measured: float
    theory: float | None
    chance: tuple[float, float] | None
    accepted: bool


class Charts(TypedDict):
    """The two charts: acceptance against the number of guesses, and which guess it was."""

    theory: float | None
    """of `Counts.accepted`"""
    chance: tuple[float, float] | None
    """95% of such shares lie here by chance"""
    deviates: int
    """`Counts.accepted` is clearly more (1) or less (-1) than without a bug"""
    limit: float | None
    too_good: bool
    """`Counts.accepted` is clearly above the limit"""
    curves: list[Curve]
    shares: list[Share]


class LabWords(TypedDict):
    """The texts around them."""

    rule: str
    headline: list[tuple[str, str]]
    sentence: str
    leanings: str
    output: str


class LabAnswer(TypedDict):
    """Everything that the lab draws."""

    decision: Decision
    tree: Tree
    block: NotRequired[Block]
    counts: Counts
    charts: Charts
    words: LabWords


class Pair(TypedDict):
    """Two distributions."""

    p: list[float]
    q: list[float]


class UsualPreset(TypedDict):
    """What the lab starts with."""

    start: str
    tokens: int


class Presets(TypedDict):
    """Distributions to start from."""

    names: list[str]
    usual: UsualPreset
    labels: dict[str, str]
    sizes: dict[int, dict[str, Pair]]
    """number of tokens -> preset -> probabilities"""


class LabRule(TypedDict):
    """What the lab knows of a rule."""

    label: str
    most: int | None
    """guesses at most; 0 for rules that draft nothing; None: any number"""
    joint: bool
    samples: bool


class Bug(TypedDict):
    """A bug that can be put into rules."""

    label: str
    rules: list[str]


class UsualTrials(TypedDict):
    """What is asked for at first."""

    rule: str
    k: int
    seed: int


class LabKit(TypedDict):
    """What the lab is sent once."""

    address: str
    """where to ask, relative to the page"""
    presets: Presets
    rules: dict[str, LabRule]
    bugs: dict[str, Bug]
    guesses: int
    """the most"""
    trials: list[int]
    """how many may be asked for"""
    usual: UsualTrials
