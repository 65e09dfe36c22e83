"""The messages of the Compare board: what each method has written so far, whether it is the same text, and what it cost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from ersd.costs import Costs
from ersd.rules.registry import TRAITS
from ersd.settings import Settings
from ersd.trace.model import Trace
from ersd.trace.statistics import Statistics
from ersd.trace.step import Step
from visual.payload.times import speedup

from ..average import Average, in_caption
from ..message_types.compare import BoardStyles, CompareBegin, CompareEnd, CompareMore, CompareRecording, LaneMore, OneTextBegin
from ..message_types.run import Elsewhere
from ..messages import Message, new_run
from ..sentences.formatting import plural
from ..sentences.names import guesses_from, short_source
from ..theme import PlotlyData, axis, base_layout
from .lane import Lane
from .words import WHY, headline, is_one_text, is_promised, likeness

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


NO_COSTS: Mapping[str, Costs] = {}


class Comparison:
    """The board's messages of one comparison: `begin`, then `more` as calls are made, then `end`."""

    def __init__(
        self,
        runs: Sequence[Settings],
        costs: Mapping[str, Costs] = NO_COSTS,
        is_recorded: bool = False,
        left_out: Sequence[str] = (),
        run: str = "",
        averages: Sequence[Average | None] = (),
        prompt: str = "",
    ) -> None:
        """
        Args:
            runs: the settings of each method.
            costs: of the pair on this machine, as `ModelPair.costs`, for runs of this machine.
            is_recorded: the runs were recorded, perhaps on another machine, and so were `costs`.
            left_out: options of the target's generation_config that are not applied (`ModelPair.left_out`).
            run: its name; without one it gets a new one.
            averages: tokens per call that each method is expected to give on average, where that is known.
            prompt: shown before the text where all methods write one.
        """
        self.run = run or new_run()
        self.averages = averages or [None] * len(runs)
        self.lanes = [Lane(settings, left_out) for settings in runs]
        self.one_text = is_one_text(runs)
        self.prompt = prompt
        self._costs = costs
        self.costs = costs.get(next((settings.source for settings in runs if TRAITS[settings.algorithm].drafts), "model"))
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
            "lanes": [
                {
                    "name": self._name(lane),
                    "drafts": lane.settings.vertices > 0,
                    "exact": lane.exactness(),
                    "average": f"average {average.short()}" if average else "",
                    "place": self._place(lane.settings),
                }
                for lane, average in zip(self.lanes, self.averages, strict=True)
            ],
            "one_text": self._one_text(),
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
            row = lane.row(baseline_ms)
            lanes.append({"counts": counts, "own": own, "row": row, "text": likeness(lane, self.yardstick)})
        self._new_counts = [[] for _ in self.lanes]
        self._new_own = [[] for _ in self.lanes]
        words = headline(self.lanes, self.yardstick, [one["row"]["factor"] for one in lanes], self.is_recorded)
        sent: CompareMore = {"type": "more", "run": self.run, "lanes": lanes, "headline": words, "tokens": self._tokens()}
        return Message.of(**sent)

    def _name(self, lane: Lane) -> str:
        """What names a method here: where all write one text, the source of its guesses."""
        if not self.one_text:
            return lane.name
        return short_source(lane.settings.source) if lane.settings.vertices else "no draft"

    def _place(self, settings: Settings) -> Elsewhere | None:
        """This machine with the costs of these guesses, if they differ from those of the menu."""
        own = self._costs.get(settings.source)
        if not settings.vertices or not own or own is self.costs:
            return None
        return next(iter(speedup.elsewhere(own, self.is_recorded)), None)

    def _one_text(self) -> OneTextBegin | None:
        """What stands at the text that all methods write; None where they differ in more than their guesses."""
        if not self.one_text:
            return None
        drafting = next(lane for lane in self.lanes if lane.settings.vertices)
        exact = drafting.exactness()
        return {
            "prompt": self.prompt,
            "method": drafting.name.removesuffix(guesses_from(drafting.settings)),
            "exact": exact,
            "why": WHY[exact["kind"]],
        }

    def _tokens(self) -> list[str]:
        """The one text, as far as any method has written it; of methods that promise no text, that of the yardstick."""
        if not self.one_text:
            return []
        agreed = (
            lane
            for lane in self.lanes
            if is_promised(lane.settings, self.yardstick.settings) and likeness(lane, self.yardstick)["kind"] != "other"
        )
        longest = max(agreed, key=lambda lane: len(lane.emitted), default=self.yardstick)
        return [one.text for one in longest.emitted]

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
    costs = {trace.settings.source: trace.costs for trace in reversed(traces) if trace.costs and trace.settings.vertices}
    comparison = Comparison([trace.settings for trace in traces], costs, True, averages=averages, prompt=traces[0].prompt)
    messages = [comparison.begin()]
    for index, trace in enumerate(traces):
        for step in trace.steps:
            comparison.add(index, step)
        comparison.lanes[index].is_over = True
    messages += [comparison.more(), comparison.end()]
    text = f"A recorded comparison: {comparison.calls()}. Press Generate for one of your own."
    sent: CompareRecording = {"type": "recording", "words": text, "messages": [json.loads(message) for message in messages]}
    return Message.of(**sent)
