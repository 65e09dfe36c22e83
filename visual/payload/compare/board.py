"""The Compare board: what each method has written so far, whether it is the same text, and what it cost.

Texts are compared token by token, by id; whether they must be equal comes from `exactness`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from ersd.costs import Costs
from ersd.rules.registry import TRAITS
from ersd.settings import Settings
from ersd.trace.model import Trace
from ersd.trace.statistics import Statistics
from ersd.trace.step import Emitted, Step
from visual.payload import speedup

from ..average import Average, in_caption
from ..message_types.compare import (
    BoardStyles,
    CompareBegin,
    CompareEnd,
    CompareMore,
    CompareRecording,
    LaneExactness,
    LaneMore,
    Likeness,
    Row,
)
from ..messages import Message, new_run
from ..sentences.exactness import badge, distribution_of, text_of
from ..sentences.formatting import decimal, plural, quoted
from ..sentences.names import guesses_from, method_label, source_name, tree_name, used
from ..sentences.nodes import emitted_names
from ..theme import PlotlyData, axis, base_layout

PLOT_HEIGHT = 232
"""Height of the plot, pixels."""
LINES: list[PlotlyData] = [
    {"line": {"color": "$lane-1", "width": 3}, "textfont": {"color": "$lane-1", "size": 15}},
    {"line": {"color": "$lane-2", "width": 3, "dash": "dash"}, "textfont": {"color": "$lane-2", "size": 15}},
    {"line": {"color": "$lane-3", "width": 3, "dash": "dot"}, "textfont": {"color": "$lane-3", "size": 15}},
]
"""The line of each method, in their order; they never differ by colour alone."""
_LINE: PlotlyData = {"type": "scatter", "mode": "lines+text", "textposition": "top center", "cliponaxis": False, "hoverinfo": "text"}
_TICKS: PlotlyData = {"showticklabels": True, "tickfont": {"size": 11}, "nticks": 6, "tickformat": "d"}
_GRID: PlotlyData = {"showgrid": True, "gridcolor": "$line"}
LAYOUT = base_layout(
    height=PLOT_HEIGHT,
    margin={"l": 44, "r": 14, "t": 10, "b": 38},
    xaxis=axis(**_TICKS, **_GRID, title={"text": "target calls", "font": {"size": 12}, "standoff": 4}),
    yaxis=axis(**_TICKS, **_GRID, title={"text": "tokens written", "font": {"size": 12}, "standoff": 6}),
)
KIT: BoardStyles = {
    "layout": LAYOUT,
    "lines": [{**_LINE, **line} for line in LINES],
    "here": {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "line": {"color": "$drafted", "width": 1}},
}
"""What the browser needs once, without where the recorded comparison is."""

EXACT = {"same-text": "✓ same text", "same-law": "✓ same distribution", "biased": "⚠ biased"}
"""Kind of badge -> text in the table."""
YARDSTICK = "The other texts are compared with this one."


class Lane:
    """One method: what it has written, and what it cost."""

    def __init__(self, settings: Settings, left_out: Sequence[str] = ()) -> None:
        self.settings, self.left_out = settings, left_out
        self.name = tree_name(settings)
        self.label = f"{method_label(settings.algorithm, settings.topology)}{guesses_from(settings)}"
        self.emitted: list[Emitted] = []
        self.names: list[str] = []
        """the emitted tokens in quotation marks"""
        self.statistics = Statistics()
        self.is_over = False
        """the run has ended"""

    def add(self, step: Step) -> None:
        """Add one target call."""
        self.emitted += step.emitted
        self.names += map(quoted, emitted_names(step))
        self.statistics.add(step)

    def exactness(self) -> LaneExactness:
        """The badge of its run, with a short text for the table."""
        about = badge(self.settings, self.left_out)
        return {"kind": about["kind"], "words": about["words"], "term": about["term"], "short": EXACT[about["kind"]]}

    def row(self, costs: Costs | None, baseline_ms: float | None) -> Row:
        """The figures of the table over all calls so far.

        `baseline_ms`: milliseconds per token without a draft, None if not known.
        """
        total = self.statistics
        ms = total.ms_per_token
        share = f" · {decimal(100 * total.accepted / total.drafted, 0)}%" if total.drafted else ""
        gain = speedup.gain(total, costs, TRAITS[self.settings.algorithm].drafts, baseline_ms)
        if costs and costs.source != self.settings.source:
            gain["basis"] = None  # its draft levels cost something else
        return {
            "per_call": decimal(total.tokens / total.steps) if total.steps else "–",
            "calls": f"{total.steps:,}",
            "tokens": f"{total.tokens:,}",
            "accepted": f"{total.accepted:,} of {total.drafted:,}{share}" if total.drafted else "–",
            "ms": speedup.milliseconds(ms) if ms is not None else "–",
            **gain,
        }


def costs_of(costs: Mapping[str, Costs], runs: Sequence[Settings]) -> Costs | None:
    """The costs on which speeds are expected: those of the first method that drafts. `costs`: as `ModelPair.costs`."""
    return costs.get(next((settings.source for settings in runs if TRAITS[settings.algorithm].drafts), "model"))


class Comparison:
    """The board's messages of one comparison: `begin`, then `more` as calls are made, then `end`."""

    def __init__(
        self,
        runs: Sequence[Settings],
        costs: Costs | None = None,
        is_recorded: bool = False,
        left_out: Sequence[str] = (),
        run: str = "",
        averages: Sequence[Average | None] = (),
    ) -> None:
        """
        Args:
            runs: the settings of each method.
            costs: of the pair on this machine, for runs of this machine.
            is_recorded: the runs were recorded, perhaps on another machine, and so were `costs`.
            left_out: options of the target's generation_config that are not applied (`ModelPair.left_out`).
            run: its name; without one it gets a new one.
            averages: tokens per call that each method is expected to give on average, where that is known.
        """
        self.run = run or new_run()
        self.averages = averages or [None] * len(runs)
        self.lanes = [Lane(settings, left_out) for settings in runs]
        self.costs = costs
        self.is_recorded = is_recorded
        undrafted = [lane for lane in self.lanes if not TRAITS[lane.settings.algorithm].drafts]
        self.has_undrafted = bool(undrafted)
        self.yardstick = (undrafted or self.lanes)[0]
        self._new_counts: list[list[int]] = [[] for _ in runs]
        """tokens of each call since the last message, by lane"""
        self._new_own: list[list[int]] = [[] for _ in runs]
        """those of them that are the target's own"""

    def begin(self) -> Message:
        """The first message: which methods are compared."""
        sent: CompareBegin = {
            "type": "begin",
            "run": self.run,
            "most": max(lane.settings.max_new_tokens for lane in self.lanes),
            "lanes": [
                {"name": lane.name, "exact": lane.exactness(), "average": f"average {average.short()}" if average else ""}
                for lane, average in zip(self.lanes, self.averages, strict=True)
            ],
            "on_average": in_caption(self.lanes[0].settings) if any(self.averages) else "",
            "elsewhere": speedup.elsewhere(self.costs, self.is_recorded),
            "here": self._here(),
        }
        return Message.of(**sent)

    def add(self, index: int, step: Step) -> None:
        """Add one target call of a method, by its index among them."""
        self.lanes[index].add(step)
        self._new_counts[index].append(len(step.emitted))
        self._new_own[index].append(len(step.emitted) - step.accepted)

    def more(self) -> Message:
        """All calls since the last message, and where every method stands now."""
        baseline_ms = self._baseline_ms()
        lanes: list[LaneMore] = []
        for lane, counts, own in zip(self.lanes, self._new_counts, self._new_own, strict=True):
            row = lane.row(self.costs, baseline_ms)
            lanes.append({"counts": counts, "own": own, "row": row, "text": likeness(lane, self.yardstick)})
        self._new_counts = [[] for _ in self.lanes]
        self._new_own = [[] for _ in self.lanes]
        words = headline(self.lanes, self.yardstick, [one["row"]["factor"] for one in lanes], self.is_recorded)
        sent: CompareMore = {"type": "more", "run": self.run, "lanes": lanes, "headline": words}
        return Message.of(**sent)

    def _here(self) -> str:
        """How the columns of speeds are computed."""
        if self.has_undrafted:
            where = " on the machine they were recorded on" if self.is_recorded else ""
            return f"measured{where}: ms per token without a draft ÷ ms per token; expected: on an idle machine"
        if not self.costs:
            return ""
        return "measured: ms per token without a draft (at load, scaled to these calls) ÷ ms per token; expected: on an idle machine"

    def _baseline_ms(self) -> float | None:
        """Milliseconds per token without a draft: of the method that drafts nothing, else from the costs and all calls here."""
        if self.has_undrafted:
            return self.yardstick.statistics.ms_per_token
        if not self.costs:
            return None
        totals = [lane.statistics for lane in self.lanes]  # they take turns on one machine, so it was equally busy for all
        calls = sum((total.call_sizes for total in totals), Counter[int]())
        return Statistics(steady_target_ms=sum(total.steady_target_ms for total in totals), call_sizes=calls).baseline_ms(self.costs)

    def end(self) -> Message:
        """The last message."""
        sent: CompareEnd = {"type": "end", "run": self.run, "words": f"Finished: {self.calls()}."}
        return Message.of(**sent)

    def calls(self) -> str:
        """The number of calls of each method, in their order: "26, 24 and 64 calls"."""
        *others, last = (lane.statistics.steps for lane in self.lanes)
        return f"{', '.join(map(str, others))} and {plural(last, 'call')}"


def recording(traces: Sequence[Trace], averages: Sequence[Average | None] = ()) -> Message:
    """One message with a whole recorded comparison, for a board that shows nothing yet; `averages`: as in Comparison."""
    comparison = Comparison([trace.settings for trace in traces], traces[0].costs, is_recorded=True, averages=averages)
    messages = [comparison.begin()]
    for index, trace in enumerate(traces):
        for step in trace.steps:
            comparison.add(index, step)
        comparison.lanes[index].is_over = True
    messages += [comparison.more(), comparison.end()]
    text = f"A recorded comparison: {comparison.calls()}. Press Generate for one of your own."
    sent: CompareRecording = {"type": "recording", "words": text, "messages": [json.loads(message) for message in messages]}
    return Message.of(**sent)


def headline(lanes: Sequence[Lane], yardstick: Lane, factors: Sequence[float | None], is_recorded: bool = False) -> str:
    """The comparison in a sentence or two: who needed fewest calls, and who was fastest; empty while methods are running.

    `factors`: speeds as multiples of that without a draft, None where it is not known.
    """
    if not all(lane.is_over for lane in lanes):
        return ""
    where = "the machine it was recorded on" if is_recorded else "this machine"
    if _is_one_text_from_many(lanes, yardstick):
        calls = [f"{lane.statistics.steps} calls with {source_name(lane.settings.source)}" for lane in lanes]
        first = f"One text from {len(lanes)} sources of guesses, in {', '.join(calls[:-1])} and {calls[-1]}"
        names = [f"with {source_name(lane.settings.source)}" for lane in lanes]
        return f"{first}. {_fastest(names, factors, where)}".strip()
    best = min(lanes, key=lambda lane: (lane.statistics.steps / max(1, lane.statistics.tokens), lane is yardstick))
    same = [lane for lane in lanes if lane is not yardstick and _is_whole_text(lane, yardstick)]
    if best is not yardstick and same:
        shown = min(same, key=lambda lane: lane.statistics.steps)
        first = f"{shown.label} wrote the same text in {plural(shown.statistics.steps, 'call')} instead of {yardstick.statistics.steps}"
        if best not in same:
            first += f". {best.label} took {best.statistics.steps} for another text"
    else:
        first = f"Fewest calls: {best.label}, {best.statistics.steps} for {plural(best.statistics.tokens, 'token')}"
    return f"{first}. {_fastest([lane.label for lane in lanes], factors, where)}".strip()


def _is_one_text_from_many(lanes: Sequence[Lane], yardstick: Lane) -> bool:
    """Whether the methods differ in where their guesses come from, and all have written the same text."""
    runs = [lane.settings for lane in lanes]
    differ = len({settings.source for settings in runs}) == len(lanes) and all(settings.vertices for settings in runs)
    return differ and all(_is_whole_text(lane, yardstick) for lane in lanes)


def _is_whole_text(lane: Lane, yardstick: Lane) -> bool:
    """Whether a method has written the yardstick's text, and all of it."""
    return [one.token for one in lane.emitted] == [one.token for one in yardstick.emitted]


def _fastest(names: Sequence[str], factors: Sequence[float | None], where: str) -> str:
    """Which method was fastest there, and whether it beat decoding without a draft."""
    known = [(factor, name) for name, factor in zip(names, factors, strict=True) if factor is not None]
    if not known:
        return ""
    factor, label = max(known)
    written = decimal(factor)
    if float(written) < 1:
        return f"On {where} none was faster than decoding without a draft: the best, {label}, ran at {written}× its speed."
    return f"Fastest for this text on {where}: {label}, {written}× the speed without a draft."


def likeness(lane: Lane, yardstick: Lane) -> Likeness:
    """How a method's text compares with the yardstick's."""
    if lane is yardstick:
        return {"kind": "yardstick", "same": len(lane.emitted), "first": None, "words": YARDSTICK}
    pairs = list(zip(lane.emitted, yardstick.emitted, strict=False))
    first = next((index for index, (one, other) in enumerate(pairs) if one.token != other.token), None)
    if first is None:
        return {"kind": "same", "same": len(pairs), "first": None, "words": _same(len(pairs), lane, yardstick)}
    return {"kind": "other", "same": first, "first": first, "words": _other(first, lane, yardstick)}


def _is_promised(one: Settings, other: Settings) -> bool:
    """Whether both write the same text in exact arithmetic, whatever is drafted."""
    return text_of(one) is not None and text_of(one) == text_of(other)


def _is_same_run(one: Settings, other: Settings) -> bool:
    """Whether the two runs differ in nothing that they depend on."""
    return used(one) == used(other) and all(getattr(one, name) == getattr(other, name) for name in used(one))


def _same(count: int, lane: Lane, yardstick: Lane) -> str:
    """The sentence where all tokens that both have written are equal."""
    if not count:
        return "Nothing to compare yet."
    is_over = lane.is_over and yardstick.is_over and len(lane.emitted) == len(yardstick.emitted)
    verdict = (
        f"The same text: {count} of {plural(count, 'token')}." if is_over else f"The same so far: {count} of {plural(count, 'token')}."
    )
    if _is_same_run(lane.settings, yardstick.settings):
        return f"{verdict} Both runs have the same settings."
    if _is_promised(lane.settings, yardstick.settings):
        return f"{verdict} Guaranteed with any tree, any k and any draft."
    return f"{verdict} A coincidence: this method does not guarantee it."


def _other(first: int, lane: Lane, yardstick: Lane) -> str:
    """The sentence where a token differs."""
    own, other = lane.emitted[first], yardstick.emitted[first]
    verdict = f"token {first + 1} is {lane.names[first]} instead of {yardstick.names[first]}"
    if _is_promised(lane.settings, yardstick.settings) or _is_same_run(lane.settings, yardstick.settings):
        tie = ", a near tie (≈) that rounding decided" if own.near_tie or other.near_tie else ""
        return f"Differs: {verdict}{tie}. In exact arithmetic the texts are the same."
    distribution = distribution_of(lane.settings)
    if distribution is not None and distribution == distribution_of(yardstick.settings):
        return f"Another text from the same distribution: {verdict}."
    return f"Another text from another distribution: {verdict}."
