"""The messages of a run, as types; parts of a step are in `step`. `visual/web/base/messages.d.ts` is written from them."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from .panels import Guesses, Predrafting, Routing, StepClocks
from .step import Bar, Block, Copied, Decision, Landmarks, PartKind, Speedup, Stats, TextToken, Tree

SettingName = Literal[
    "algorithm", "topology", "draft_tokens", "temperature", "top_k", "top_p", "max_new_tokens", "seed", "branching", "sequences",
    "leniency", "chat", "source", "keys", "price", "frequent_tokens",
]  # fmt: skip
"""A key of `Settings`."""


class Settings(TypedDict):
    """The settings of a run, as `ersd.Settings.to_dict`."""

    algorithm: str
    topology: str
    draft_tokens: int
    temperature: float
    top_k: int
    top_p: float
    max_new_tokens: int
    seed: int
    branching: list[int]
    sequences: int
    leniency: float
    chat: bool
    source: str
    keys: str
    price: float
    frequent_tokens: int


class Exactness(TypedDict):
    """Is the output exactly the target's?"""

    kind: Literal["same-text", "same-law", "biased"]
    words: str
    term: str
    """of the glossary, which explains it"""


class Fed(TypedDict):
    """The prompt as the models read it."""

    text: str
    tokens: int


class Line(TypedDict):
    """One value of a cell."""

    id: str
    """the name of its value"""
    label: str
    theory: bool
    """False: measured"""
    least: bool
    """written as a lower limit"""
    whole: bool
    """a count, written without decimals where it is whole"""
    help: str


class Cell(TypedDict):
    """A cell of the theory strip."""

    id: str
    label: str
    of: Literal["vertex", "run"]
    """whose values: the `facts` of the decision in view, or `Stats.theory[id]`"""
    scale: Literal["probability", "largest"]
    """full length of a bar: 1, or the cell's largest value"""
    lines: list[Line]


class PlaceCosts(TypedDict):
    """What the parts of a step cost, in milliseconds or in draft calls (`Place` in ersd/costs.py)."""

    calls: list[tuple[float, float]]
    """tokens that a target call scores, and what it costs; a single entry holds for any number"""
    level: float
    """a draft call for one token"""
    wider: float
    """what every further token adds that a draft call scores"""
    choice: float
    """choosing one token"""
    unit: str
    """"ms", or nothing for draft calls"""


class Elsewhere(PlaceCosts):
    """A pair on a machine, and where its costs come from."""

    label: str
    ratio: float
    """a target call for one token, in draft calls"""
    source: str
    help: str


class OneText(TypedDict):
    """The figures of a run are of one text."""

    words: str
    """that, and what is expected on average where it is known"""
    help: str
    """where the average comes from; empty for none"""


class Ladder(TypedDict):
    """How far a draft call climbs."""

    exit: int
    """layers of a draft call"""
    layers: int
    """of the target"""
    place: Elsewhere
    """what the parts of a step cost on the machine of the run"""


class BeginMessage(TypedDict):
    """A run begins: forget the one before."""

    type: Literal["begin"]
    run: str
    """name of the run; in all its messages; the runs of a comparison have one name"""
    prompt: str
    models: str
    settings: Settings
    kind: str
    """how this run's rule decides: a key of `Kit.kinds`"""
    theory: list[Cell]
    """the cells of the theory strip, from first to last, only those that make sense for this run"""
    name: str
    """method, k and seed"""
    used: list[SettingName]
    """the fields of `settings` that made a difference"""
    exact: Exactness
    one_text: OneText
    fed: Fed | None
    """where that is known"""
    elsewhere: list[Elsewhere]
    """pairs for which this number of tokens per call would pay off more"""
    ladder: Ladder | None
    """guesses from the target's first layers; None elsewhere, and where the layers were not recorded"""
    what_if: str
    """why the steps of other trees do not follow from this run; empty where they do"""
    redraw: str
    """why its steps cannot be redrawn at another temperature or k; empty where they can"""
    trace: NotRequired[dict[str, object]]
    """where the run can be saved: its trace (ersd/trace/model.py), without the steps"""


class Change(TypedDict):
    """A node of a redrawn step whose verdict was another one in the run."""

    vertex: int
    was: str


class StepMessage(TypedDict):
    """One target call."""

    type: Literal["step"]
    run: str
    index: int
    """from 0"""
    title: str
    """3 accepted + 1"""
    headline: list[tuple[PartKind, str]]
    """its parts: what each is, and its plain text"""
    text: list[TextToken]
    tree: Tree
    draft_calls: int
    """calls of the draft that the tree took; 0 without a draft"""
    draft_spans: list[list[float]] | None
    """start and end of every one in milliseconds since the step began; None: not known"""
    walk_end: int
    """the node after which the step's last token was chosen"""
    opens_at: NotRequired[int]
    """the node whose decision is shown first, where that is not `walk_end`"""
    decisions: dict[str, Decision]
    """by visited node, as a string; the root is always one"""
    block: NotRequired[Block]
    """rules that decide about a whole sequence"""
    stats: Stats
    bar: Bar
    single: str
    """what a single drafted token would have given; empty where that is not known"""
    with_one: int | None
    """how many tokens that would have been; None: not known"""
    speedup: Speedup
    find: Landmarks
    copied: NotRequired[Copied]
    """n-grams: guesses that stand earlier in the text"""
    routing: NotRequired[Routing]
    """source routed: which source drafted, and the weights it was chosen by"""
    clocks: NotRequired[StepClocks]
    """where the target races with the clocks of the seed"""
    trace: NotRequired[str]
    """where the run can be saved: the step of its trace as JSON, gzip, base64"""
    changes: NotRequired[list[Change]]
    """never sent: the browser adds it to a step that it redraws, with the verdicts that the recording has otherwise"""


class RankSequence(TypedDict):
    """Everything that the steps of other trees on an ERSD text depend on (`RankSequence` of ersd/trace/model.py)."""

    ranks: list[int]
    """of every new token, from 1; -n for one that the draft never reaches because it reaches n tokens only"""
    room: int
    """the most new tokens there could have been"""
    prior: list[float]
    """hazards that the rank distribution begins with; the last one stands for all later ranks"""
    prior_visits: int


class EndMessage(TypedDict):
    """A run is over."""

    type: Literal["end"]
    run: str
    steps: int
    words: str
    stopped: str
    """why, as in the trace"""
    ranks: NotRequired[RankSequence]
    """where they are known, and fix the steps of other trees"""
    guesses: Guesses
    predrafting: Predrafting | None
    """None: not a race, or costs are not known"""


class StatusMessage(TypedDict):
    """For the status line alone, before the run begins."""

    type: Literal["status"]
    run: NotRequired[str]
    words: str


class StoppedMessage(TypedDict):
    """The user stopped the run."""

    type: Literal["stopped"]


class LostMessage(TypedDict):
    """The page made this one: the connection that brings the run has ended. What is on the screen stays."""

    type: Literal["lost"]
    words: str


class ErrorMessage(TypedDict):
    """The run failed or never began; what is on the screen stays."""

    type: Literal["error"]
    run: NotRequired[str]
    """absent where the page says it"""
    words: str
    field: str
    """the field of the settings at fault; empty for none"""


class FirstView(TypedDict):
    """What is shown first: a step and perhaps one of its nodes."""

    step: int
    vertex: int | None


class RecordingMessage(TypedDict):
    """A whole recorded run, for a player that has nothing to show yet."""

    type: Literal["recording"]
    words: str
    messages: list[BeginMessage | StepMessage | EndMessage]
    view: NotRequired[FirstView]
    """else the step that shows most is shown first"""


Message = BeginMessage | StepMessage | EndMessage | StatusMessage | StoppedMessage | LostMessage | ErrorMessage | RecordingMessage
"""One line of the stream. Several may travel together, a line each."""
