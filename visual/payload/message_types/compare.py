"""The messages of a comparison, as types: `python -m assets.message_types` writes visual/web/compare/messages.d.ts from them."""

from __future__ import annotations

from typing import Literal, TypedDict

from ..theme import PlotlyData
from .run import Elsewhere, Exactness
from .step import Gain


class LaneExactness(Exactness):
    """The badge of a method's run."""

    short: str
    """the same for the table"""


class LaneBegin(TypedDict):
    """A method."""

    name: str
    drafts: bool
    exact: LaneExactness
    average: str
    """tokens per call expected on average; empty where they are not known"""
    place: Elsewhere | None
    """this machine, if its guesses cost something else than those that `elsewhere` begins with"""


class OneTextBegin(TypedDict):
    """The methods differ only in where their guesses come from: one text is shown for all."""

    prompt: str
    method: str
    """and k"""
    exact: LaneExactness
    why: str
    """what a source of guesses can change"""


class CompareBegin(TypedDict):
    """A comparison begins: forget the one before."""

    type: Literal["begin"]
    run: str
    """name of the comparison"""
    lanes: list[LaneBegin]
    one_text: OneTextBegin | None
    on_average: str
    """what the averages are; empty where none is known"""
    elsewhere: list[Elsewhere]
    """pairs for which this number of tokens per call would pay off more"""
    here: str
    """the steps that the speed-up covers; empty where it is not known"""


class Spent(TypedDict):
    """The time that a method's text took so far, without that of the prompt."""

    words: str
    draft: float
    """milliseconds of guessing"""
    rest: float
    """of target calls and choices"""


class Row(Gain):
    """The figures of a method over all its calls so far, as printed."""

    per_call: str
    calls: str
    tokens: str
    accepted: str
    ms: str
    spent: Spent | None


class Likeness(TypedDict):
    """A text compared with the yardstick's."""

    kind: Literal["yardstick", "same", "other"]
    """`same` as far as both are written"""
    same: int
    """number of equal tokens at the start"""
    first: int | None
    """index of the first token that differs"""
    words: str


class LaneMore(TypedDict):
    """Where a method stands now."""

    counts: list[int]
    """tokens of each new call"""
    own: list[int]
    """those of them that are the target's own"""
    row: Row
    text: Likeness


class CompareMore(TypedDict):
    """Calls were made."""

    type: Literal["more"]
    run: str
    lanes: list[LaneMore]
    """by method"""
    headline: str
    """the comparison in a sentence or two; empty while methods are running"""
    tokens: list[str]
    """the one text so far; empty where there is not one"""


class CompareEnd(TypedDict):
    """All methods have finished."""

    type: Literal["end"]
    run: str
    words: str


class CompareRecording(TypedDict):
    """A whole recorded comparison, for a board that has nothing to show yet."""

    type: Literal["recording"]
    words: str
    messages: list[CompareBegin | CompareMore | CompareEnd]


class Recorded(TypedDict):
    """A recorded comparison as fetched: the messages for the board and for each player, as JSON."""

    board: str
    players: list[str]


class WhereRecorded(TypedDict):
    """Where the browser fetches the recorded comparison, and which links show a run instead."""

    address: str
    """relative to the page"""
    tab: str
    """in the address of a link to a comparison"""
    unless: list[str]
    """a page that was opened there with one of these names runs that comparison"""


class BoardStyles(TypedDict):
    """How the plot is drawn."""

    layout: PlotlyData
    lines: list[PlotlyData]
    """by place"""
    here: PlotlyData
    """the line at the call in view"""


class BoardKit(BoardStyles):
    """What the board is sent once."""

    recorded: WhereRecorded
