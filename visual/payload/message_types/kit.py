"""The kit, which the browser is sent once: styles, texts, templates, as types. `visual/web/base/messages.d.ts` is written from them too."""

from __future__ import annotations

from typing import Literal, TypedDict

from ..theme import PlotlyData
from .kinds import Kind
from .panels import WatermarkKit
from .step import Mark

Palette = dict[str, str]
"""Name of a colour -> CSS colour."""


class Palettes(TypedDict):
    """The colours of the light and of the dark page."""

    light: Palette
    dark: Palette


class MarkStyle(TypedDict):
    """How a row of the picture is drawn."""

    sign: str
    """in front of the token, which is bold then, and has its numbers at the ends of its bars; empty for none"""
    drafted: bool
    """"drafted here\""""
    draft: str
    """colour of the left bar"""
    target: str
    """colour of the right bar"""
    ink: str
    """colour of the token"""


class DecisionWords(TypedDict):
    """Sentences about decisions that the browser fills in or adds."""

    leaf: str
    """the draft was not run at a leaf"""
    no_draft: str
    """the run has no draft"""
    unvisited: str
    """{name}: the node above it that was lost"""
    beyond: str
    """the text ended before it"""
    absent: str
    """{name}: the node in view, where nothing was decided"""
    certain: str
    """of a guess: it was drafted for certain"""
    cut: str
    """the key of the line below the last token that is kept"""
    first_call: str
    """which draft call the picture is of, while there are several"""
    about: str
    """shown is the decision about {name}"""


class Term(TypedDict):
    """A symbol or a term that explains itself."""

    id: str
    name: str
    sentence: str
    paper: str
    """its number at arXiv; may be empty"""
    signs: list[str]
    """how it is written: words of their own"""


class Decimals(TypedDict):
    """The decimals of numbers of at least a size: the significant digits asked for and `more`, at least 0."""

    least: float
    more: int


class NumberFormat(TypedDict):
    """How numbers are written. What rounds to 0 is written as less than the last decimal; 0 itself has no decimals."""

    steps: list[Decimals]
    """largest first, the last from 0"""
    huge: float
    """from here on `huge_words`"""
    huge_words: str
    infinite: str
    most: int
    """most digits that are tried"""
    large_quotient: float
    """from here on a quotient is only written as larger"""


class BoxColours(TypedDict):
    """Of a node in the tree."""

    fill: str
    line: str


class TreeKit(TypedDict):
    """The styles of the tree."""

    layout: PlotlyData
    traces: dict[str, PlotlyData]
    """templates by node state, "root" included: what never changes of a trace"""
    box_colours: dict[str, BoxColours]
    """by node state, "root" included"""
    edge_colours: dict[str, str]
    """by the state of the node that an edge leads to"""


class DecisionKit(TypedDict):
    """The styles of the picture of a decision."""

    figures: dict[str, str]
    """name in `Facts` -> name in the table, in its order"""

    layout: PlotlyData


class TreeName(TypedDict):
    """A tree whose steps follow from ranks."""

    id: str
    label: str


class OtherTree(TypedDict):
    """A tree whose steps do not follow from ranks, and why."""

    label: str
    why: str


class WhatIfWords(TypedDict):
    """Why there are no steps of other trees."""

    waiting: str
    cut_short: str
    recorded: str


class WhatIfKit(TypedDict):
    """What the steps of other trees need."""

    trees: list[TreeName]
    others: list[OtherTree]
    few: int
    """the slider's end for k"""
    most: int
    """the same for a run with more than `few`"""
    words: WhatIfWords


class RedrawKit(TypedDict):
    """What redrawn steps need."""

    temperatures: list[float]
    """at which races can be redrawn"""
    words: dict[str, str]


class Bookmark(TypedDict):
    """A step that the browser finds."""

    id: Literal["all", "root", "rescued", "path", "gap"]
    """a key of `Landmarks`"""
    label: str
    coins: str
    """the label where coins decide"""
    help: str
    none: str
    """why there is no such step"""


class Kit(TypedDict):
    """What all players of a page share."""

    palettes: Palettes
    signs: dict[str, str]
    """by node state, what doubles its colour; a state without one has no key"""
    marks: dict[Mark, MarkStyle]
    kinds: dict[str, Kind]
    words: DecisionWords
    glossary: list[Term]
    """in the order of the list"""
    numbers: NumberFormat
    tree: TreeKit
    decision: DecisionKit
    what_if: WhatIfKit
    redraw: RedrawKit
    lanes: dict[str, str]
    """of "Where the time goes": its texts"""
    watermark: WatermarkKit
    sources: dict[str, str]
    """of what there is to see of a source of guesses: its texts"""
    find: list[Bookmark]
    """bookmarked steps"""
