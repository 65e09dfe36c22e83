"""Methods beside one another on one prompt and seed: what each has written so far, whether it is the same text, and what it cost.

What is said of two texts is counted token by token, from the ids; what is promised of them comes from `exactness`.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Any

from ersd.models.costs import Costs
from ersd.rules.registry import TRAITS
from ersd.settings import Settings
from ersd.trace.model import Emitted, Step, Trace
from ersd.trace.statistics import Statistics
from visual.payload import speedup

from .messages import Message
from .sentences.exactness import badge, law_of, text_of
from .sentences.formatting import decimal, plural
from .sentences.names import tree_name, used
from .sentences.visits import chosen
from .theme import PlotlyData, axis, base_layout

PLOT_HEIGHT = 232
"""Of the plot, pixels."""
LINES: list[PlotlyData] = [
    {"line": {"color": "$lane-1", "width": 3}, "textfont": {"color": "$lane-1", "size": 15}},
    {"line": {"color": "$lane-2", "width": 3, "dash": "dash"}, "textfont": {"color": "$lane-2", "size": 15}},
    {"line": {"color": "$lane-3", "width": 3, "dash": "dot"}, "textfont": {"color": "$lane-3", "size": 15}},
]
"""How the line of each method is drawn: by its place among them, never by colour alone."""
_LINE: PlotlyData = {"type": "scatter", "mode": "lines+text", "textposition": "top center", "cliponaxis": False, "hoverinfo": "text"}
_TICKS: PlotlyData = {"showticklabels": True, "tickfont": {"size": 11}, "nticks": 6, "tickformat": "d"}
_GRID: PlotlyData = {"showgrid": True, "gridcolor": "$line"}
LAYOUT = base_layout(
    height=PLOT_HEIGHT,
    margin={"l": 44, "r": 14, "t": 10, "b": 38},
    xaxis=axis(**_TICKS, **_GRID, title={"text": "target calls", "font": {"size": 12}, "standoff": 4}),
    yaxis=axis(**_TICKS, **_GRID, title={"text": "tokens written", "font": {"size": 12}, "standoff": 6}),
)
KIT: dict[str, Any] = {
    "layout": LAYOUT,
    "lines": [{**_LINE, **line} for line in LINES],
    "here": {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "line": {"color": "$drafted", "width": 1}},
}
"""What the browser needs once (`BoardKit` of page/compare/types.js)."""

EXACT = {"same-text": "✓ same text", "same-law": "✓ same law", "biased": "⚠ biased"}
"""The table's words, by the kind of badge."""
YARDSTICK = "the text that the others are compared with"


class Lane:
    """One method: what it has written, and what it cost."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.name = tree_name(settings)
        self.emitted: list[Emitted] = []
        self.names: list[str] = []
        """of these tokens, in quotes"""
        self.statistics = Statistics()
        self.is_over = False
        """nothing more comes"""

    def add(self, step: Step) -> None:
        """One more call."""
        self.emitted += step.emitted
        self.names += map(chosen, step.walk)
        self.statistics.add(step)

    def exactness(self) -> dict[str, str]:
        """The badge of its run, with a short name for the table."""
        about = badge(self.settings)
        return {**about, "short": EXACT[about["kind"]]}

    def row(self, costs: Costs | None, alone_ms: float | None) -> dict[str, Any]:
        """The figures of the table (`Row` of page/compare/types.js), over all calls so far; one by one takes `alone_ms` a token."""
        total = self.statistics
        ms = total.ms_per_token
        share = f" · {decimal(100 * total.accepted / total.drafted, 0)}%" if total.drafted else ""
        gain = speedup.gain(total, costs, TRAITS[self.settings.algorithm].drafts, alone_ms)
        return {
            "per_call": decimal(total.tokens / total.steps) if total.steps else "–",
            "calls": f"{total.steps:,}",
            "tokens": f"{total.tokens:,}",
            "accepted": f"{total.accepted:,} of {total.drafted:,}{share}" if total.drafted else "–",
            "ms": speedup.written(ms) if ms is not None else "–",
            **gain,
        }


class Comparison:
    """Tells a comparison to the board of the page: `begin`, then `more` as calls are made, then `end`."""

    def __init__(self, runs: Sequence[Settings], costs: Costs | None = None, is_recorded: bool = False) -> None:
        """
        Args:
            runs: what each method runs with.
            costs: of the pair on this machine, where the runs are of this machine.
            is_recorded: the times are those of another machine, and not told.
        """
        self.run = secrets.token_hex(4)
        self.lanes = [Lane(settings) for settings in runs]
        self.costs = costs
        self.is_recorded = is_recorded
        undrafted = [lane for lane in self.lanes if not TRAITS[lane.settings.algorithm].drafts]
        self.has_one_by_one = bool(undrafted)
        self.yardstick = (undrafted or self.lanes)[0]
        self._told = [0] * len(runs)
        self._counts: list[list[int]] = [[] for _ in runs]

    def begin(self) -> Message:
        """The first message: which methods."""
        return Message.of(
            "begin",
            run=self.run,
            most=max(lane.settings.max_new_tokens for lane in self.lanes),
            lanes=[{"name": lane.name, "exact": lane.exactness()} for lane in self.lanes],
            elsewhere=speedup.elsewhere(self.costs),
            here=self._here(),
        )

    def add(self, place: int, step: Step) -> None:
        """One more call of the method at this place."""
        self.lanes[place].add(step)
        self._counts[place].append(len(step.emitted))

    def more(self) -> Message:
        """All that has come since the last one was told, and where every method stands now."""
        lanes = []
        for place, lane in enumerate(self.lanes):
            new, self._told[place] = self._counts[place][self._told[place] :], len(self._counts[place])
            row = lane.row(self.costs, self._alone_ms()) | ({"ms": "–"} if self.is_recorded else {})
            lanes.append({"counts": new, "row": row, "text": likeness(lane, self.yardstick)})
        return Message.of("more", run=self.run, lanes=lanes)

    def _here(self) -> str:
        """What is said of the times."""
        if self.is_recorded:
            return "times are not told of recorded runs"
        if self.has_one_by_one:
            return "times as fast = ms per token of one by one ÷ ms per token"
        if not self.costs:
            return ""
        ms = speedup.written(self.costs.one_by_one_ms)
        return f"times as fast = {ms} ÷ ms per token; one by one takes {ms} ms, measured at load"

    def _alone_ms(self) -> float | None:
        """Of a token one by one: in this comparison, where all take turns on the same machine, or else at load."""
        if self.is_recorded:
            return None
        if self.has_one_by_one:
            return self.yardstick.statistics.ms_per_token
        return self.costs.one_by_one_ms if self.costs else None

    def end(self) -> Message:
        """The last message."""
        return Message.of("end", run=self.run, words=f"Finished: {self.calls()}.")

    def calls(self) -> str:
        """How many calls each made, in their order: "26, 24 and 64 calls"."""
        *others, last = (lane.statistics.steps for lane in self.lanes)
        return f"{', '.join(map(str, others))} and {plural(last, 'call')}"


def recording(traces: Sequence[Trace]) -> Message:
    """One message with a whole recorded comparison, for a board that has nothing to show yet."""
    comparison = Comparison([trace.settings for trace in traces], is_recorded=True)
    told = [comparison.begin()]
    for place, trace in enumerate(traces):
        for step in trace.steps:
            comparison.add(place, step)
        comparison.lanes[place].is_over = True
    told += [comparison.more(), comparison.end()]
    words = f"A recorded comparison: {comparison.calls()}. Press Generate for one of your own."
    return Message.of("recording", words=words, messages=[json.loads(message) for message in told])


def likeness(lane: Lane, yardstick: Lane) -> dict[str, Any]:
    """What is known of a lane's text beside that of the yardstick (`Likeness` of page/compare/types.js).

    `kind`: `yardstick`, `same` as far as both are written, or `other`; `same`: how many tokens at the start are the same; `first`: the
    place of the first that differs, from 0, or None; `words`.
    """
    if lane is yardstick:
        return {"kind": "yardstick", "same": len(lane.emitted), "first": None, "words": YARDSTICK}
    pairs = list(zip(lane.emitted, yardstick.emitted, strict=False))
    first = next((place for place, (one, other) in enumerate(pairs) if one.token != other.token), None)
    if first is None:
        return {"kind": "same", "same": len(pairs), "first": None, "words": _same(len(pairs), lane, yardstick)}
    return {"kind": "other", "same": first, "first": first, "words": _other(first, lane, yardstick)}


def _is_promised(one: Settings, other: Settings) -> bool:
    """Do both write the same text in exact arithmetic, whatever is drafted?"""
    return text_of(one) is not None and text_of(one) == text_of(other)


def _is_one_run(one: Settings, other: Settings) -> bool:
    """Is this one and the same run, twice?"""
    return used(one) == used(other) and all(getattr(one, name) == getattr(other, name) for name in used(one))


def _same(count: int, lane: Lane, yardstick: Lane) -> str:
    """The tokens that both have written are the same ones."""
    if not count:
        return "nothing to compare yet"
    is_over = lane.is_over and yardstick.is_over and len(lane.emitted) == len(yardstick.emitted)
    verdict = f"the same text, token by token: {count} of {count}" if is_over else f"the same so far: {count} of {plural(count, 'token')}"
    if _is_one_run(lane.settings, yardstick.settings):
        return f"{verdict}. The same settings: the same run"
    if _is_promised(lane.settings, yardstick.settings):
        return f"{verdict}. It would be with any tree, any k and any draft"
    return f"{verdict}. This time; nothing promises it"


def _other(first: int, lane: Lane, yardstick: Lane) -> str:
    """A token differs."""
    own, other = lane.emitted[first], yardstick.emitted[first]
    verdict = f"differs from token {first + 1} on: {lane.names[first]}, not {yardstick.names[first]}"
    if _is_promised(lane.settings, yardstick.settings) or _is_one_run(lane.settings, yardstick.settings):
        tie = ", a near tie (≈) that rounding turned" if own.near_tie or other.near_tie else ""
        return f"{verdict}{tie}. In exact arithmetic the texts are the same"
    law = law_of(lane.settings)
    if law is not None and law == law_of(yardstick.settings):
        return f"another text of the same law: {verdict}"
    return f"another text, of another law: {verdict}"
