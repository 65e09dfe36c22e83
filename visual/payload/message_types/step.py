"""The parts of a step as the browser gets them, as types. `python -m assets.message_types` writes visual/web/base/messages.d.ts from them.

Tables are columns (one list per field, all of one length). What is absent is left out or None, as said at each field. A node is an index
into the columns of `Tree`; the root, the text so far, is -1. Indices of steps and rows start at 0.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

VertexState = Literal["accepted", "rejected", "not reached", "target"]
"""The root's state is "root"; it is not in the columns."""
Mark = Literal["accepted", "accepted_leader", "target", "rejected", "leader", "drafted", ""]
"""A key of `Kit.marks`."""
PartKind = Literal["", "accepted", "target"]
"""What a part of a headline is."""


class TextToken(TypedDict):
    """A token the step added to the text. Set it as text, never as HTML."""

    text: str
    source: Literal["draft", "target"]
    near_tie: NotRequired[Literal[True]]
    rank: NotRequired[int]
    """source frequent: its place in the order of frequency, from 1"""
    hover: str
    """may have two lines"""


class Copied(TypedDict):
    """Guesses that stand earlier in the text, after the same words. Positions count from the start of the prompt, in UTF-16 code units."""

    start: int
    end: int
    matched: int
    """length of the words that are the same before them and at the end of the text"""
    words: str
    """how many guesses"""
    kept: str
    """how many of them were accepted"""


class Tree(TypedDict):
    """The draft tree: columns by node. The target's own token, where there is one, is the last vertex: its index is `q.length`."""

    root: str
    """the end of the text before the step"""
    names: list[str]
    parents: list[int]
    """-1: child of the root"""
    states: list[VertexState]
    q: list[float]
    """draft probability; drafted nodes only"""
    draws: list[int]
    """how often each was drawn, where draws coincide; else empty"""
    call_of: list[int]
    """the draft call, from 1, that drafted each node; drafted nodes only"""
    ranks: list[int]
    """rank among the siblings, from 1; drafted nodes only"""
    why: dict[int, str]
    """by vertex: the sentence of a node that has one of its own"""


class Facts(TypedDict, total=False):
    """The figures of a node; one that is not known, or makes no sense for this kind, is left out."""

    predicted: float
    optimum: float
    tv: float
    match: float
    kl: float | None
    """None: infinite"""
    d_hm: float
    entropy: float
    rho: float
    """the draft's side of a try is rho * q (K-SEQ)"""
    bias: float


class Try(TypedDict):
    """One coin. The same child may be tried more than once."""

    vertex: int
    coin: float | None
    """None: not tossed, since a guess below the child is kept (leaves first)"""
    ratio: float
    accepted: bool
    short: str
    """coin and keep probability in a few words"""
    say: str
    turn: NotRequired[int]
    """leaves first: when it was asked, from 1 in the whole step; 0: not at all"""
    began: NotRequired[float]
    """leaves first, where failed guesses after it lowered its keep probability: what it was before; `ratio` is what they left"""
    lowered: NotRequired[str]
    """the same as words, `0.38 → 0.04`"""


class Residual(TypedDict):
    """The remaining target probability after a number of rejections."""

    after: int
    """rejections, from 1"""
    p: list[float] | None
    """by row, rescaled to sum to 1; None: P as it was"""
    mass: float | None
    """by which `p` is multiplied to see what remains of P (`Try.share`); None: not recorded, in older runs"""


class OtherTemperatures(TypedDict):
    """What a race needs at the temperatures of `RedrawKit` (ersd/trace/temperatures.py).

    The first four are columns by token, of those that are in no row but could be first; `p`, `q` and `clock` as in the rows.
    """

    names: list[str]
    p: list[float]
    q: list[float]
    """empty where the draft was not run"""
    clock: list[float]
    ranks: int
    """how many first arrivals of the draft are known at every temperature"""
    log_p: list[float]
    """by temperature: logarithm of what the powers of p are divided by"""
    log_q: list[float]
    """empty where the draft was not run"""


class AsRecorded(TypedDict):
    """The probabilities of a row as they were in the run."""

    p: float
    q: float | None


class Laps(TypedDict):
    """The arrivals that became the children of a node, in order: columns by arrival."""

    rows: list[int]
    """-1: the token is not listed"""
    times: list[float]


class Decision(TypedDict):
    """The decision at one visited node. `names`, `marks`, `p`, `q`, `clock` are columns by row."""

    kind: str
    """a key of `Kit.kinds`"""
    leaf: bool
    """nothing was drafted here, so nothing was tried"""
    title: str
    say: str
    """the decision in one sentence or two"""
    names: list[str]
    marks: list[Mark]
    rank: int | None
    """of the token chosen here in the draft's order, where that is an order of arrival or of likelihood; None: none"""
    ranks: NotRequired[list[int | None]]
    """in the lab, whose rows keep the order of their tokens: the draft's order"""
    chosen: int
    """the row of the token chosen here; -1: not listed"""
    p: list[float]
    q: list[float] | None
    """None: the draft was not run here"""
    clock: NotRequired[list[float]]
    """where the kind `sends` them (`_SENT` of sentences/kinds/kind.py), as the next three"""
    scale: NotRequired[float]
    """the probability at the end of the axis"""
    chances: NotRequired[list[float | None]]
    """where some children were certain: by row the probability with which a child was drafted; None: no child"""
    laps: NotRequired[Laps]
    row_of: dict[int, int]
    """child node -> its row, of those that are listed"""
    facts: Facts
    tries: NotRequired[list[Try]]
    """where the kind's list is "tries" and something was tried: one per coin"""
    left: NotRequired[list[Residual]]
    """what rejections left of P, where it was recorded, in order: beside `tries`, or what the cut of a sequence left"""
    others: NotRequired[OtherTemperatures]
    """what the race needs at other temperatures, where that was recorded"""
    recorded: NotRequired[list[AsRecorded]]
    """never sent: the browser adds it to a decision that it redraws, by row"""


class Block(TypedDict):
    """A drafted sequence decided as a whole: columns by drafted node."""

    kept: int
    """how many of its tokens stay"""
    ratio: list[float]
    """p / q"""
    joint: list[float]
    """joint acceptance up to here"""
    keep: list[float]
    """keep probability: what the coin is compared with"""
    coin: list[float]


class Times(TypedDict):
    """Milliseconds of a step."""

    draft: float
    verify: float
    accept: float


class Stats(TypedDict):
    """The figures up to this step. What belongs to a node is in its decision's `facts`."""

    per_call: str
    """new tokens divided by target calls"""
    tokens: int
    """new ones"""
    times: Times
    theory: dict[str, dict[str, float | None]]
    """by cell and line: those of "run"; None: not known"""
    labels: dict[str, str]
    """of the cell "calls", by line: what it is called at this step"""
    notes: dict[str, str]
    """by cell: a note after its label, if any"""


class CallTime(TypedDict):
    """What a step's target call takes on an idle machine."""

    usual: float
    """in tokens without a draft"""
    most: float
    """the speed-up if nothing else took time"""


class Gain(TypedDict):
    """How much faster than without a draft."""

    factor: float | None
    """speed on this machine as a multiple of decoding without a draft; None: not known"""
    basis: tuple[float, float, float] | None
    """tokens per call, draft calls a call and tokens scored a call, up to this step; None without a draft"""


class Speedup(Gain):
    """The speed-up up to this step."""

    over: str
    """the steps that it is of"""
    missing: str
    """why there is no factor; empty where there is one"""
    reason: str
    """why the run so far is faster or slower, in figures that come out; empty where that is not known"""
    why: str
    """the same in one sentence for a headline; empty where that is not known"""
    hint: str
    """what the same tokens per call would give on a GPU; empty where the run had one"""
    step: str
    """milliseconds of this step"""
    price: str
    """what its target call cost at load; empty where that is not known"""
    alone: float | None
    """milliseconds per token without a draft on this machine, under the load up to this step; None: not known"""
    call: CallTime | None
    """None: not known"""


class Landmarks(TypedDict):
    """What the find buttons look at in a step."""

    all: bool
    """every decision about drafted tokens was accepted"""
    root: bool
    """none was"""
    rescued: bool
    """a 2nd or later child was accepted"""
    path: int
    """accepted tokens"""
    gap: float | None
    """how close the closest decision was to going the other way, by the kind's `nearness`; None: not recorded"""


class Bar(TypedDict):
    """A step's bar in the timeline, in tokens."""

    accepted: int
    own: int
