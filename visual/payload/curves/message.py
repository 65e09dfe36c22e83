"""The messages of the Curves tab: `begin`, then `lines` by temperature, `points` as they are measured, and `end`."""

from __future__ import annotations

from collections.abc import Iterable

from ersd.costs import Costs
from ersd.curves.results import CURVES, MAX_DRAFTED, Curves, Lines, Measured, Point

from ..message_types import curves as message_types
from ..message_types.curves import Begin, CurvesKit, CurveStyle, End, Points
from ..messages import Message, new_run
from ..sentences.numbers import brief
from ..theme import base_layout
from ..times import speedup
from .words import headlines, note

_STYLES: dict[str, CurveStyle] = {
    "tau_star": {
        "label": "τ* tree",
        "about": "race; the tree with the most expected accepted tokens for this pair",
        "color": "$ink", "symbol": "circle", "width": 3, "dash": "solid",
    },
    "specinfer": {
        "label": "SpecInfer",
        "about": "coins; equally many children at each level, the best branching of this size",
        "color": "$lane-1", "symbol": "triangle-up", "width": 2.2, "dash": "solid",
    },
    "sequence": {
        "label": "chain",
        "about": "race; every drafted token continues the one before it",
        "color": "$drafted", "symbol": "square", "width": 2.2, "dash": "solid",
    },
    "batch": {
        "label": "batch",
        "about": "race; all drafted tokens compete for the next position",
        "color": "$drafted", "symbol": "circle-open", "width": 2.2, "dash": "dash",
    },
}  # fmt: skip
KIT: CurvesKit = {
    "most": MAX_DRAFTED,
    "curves": {name: _STYLES[name] for name in CURVES},
    "layout": base_layout(),
}
"""What the browser needs once."""


def begin(
    run: str, models: str, temperatures: Iterable[float], costs: Costs | None, expected_points: int, is_recorded: bool = False
) -> Message:
    """A measurement begins.

    Args:
        run: its name, in all its messages.
        models: the pair's name.
        temperatures: to be measured.
        costs: of the pair's calls; None: not known.
        expected_points: how many points there will be.
        is_recorded: the costs are another machine's.
    """
    sent: Begin = {
        "type": "begin",
        "run": run,
        "models": models,
        "temperatures": list(temperatures),
        "places": speedup.elsewhere(costs, is_recorded),
        "expected": expected_points,
    }
    return Message.of(**sent)


def lines(run: str, found: Lines) -> Message:
    """The lines at one temperature."""
    sent: message_types.Lines = {
        "type": "lines",
        "run": run,
        "temperature": found.temperature,
        "limit": [brief(value) for value in found.limit],
        "curves": {name: {"accepted": line.accepted, "next": line.next, "levels": line.by_levels} for name, line in found.lines.items()},
    }
    return Message.of(**sent)


def points(
    run: str, measured: Iterable[Point], all_lines: list[Lines], done: float, left: float | None, doing: str, source: str = "model"
) -> Message:
    """All points so far.

    Args:
        run: name of the measurement.
        measured: the points.
        all_lines: the lines so far, for the headlines.
        done: share of the work that is done.
        left: seconds that the rest will take; None: not known yet.
        doing: what is measured now; empty at the end.
        source: of the guesses.
    """
    found = list(measured)
    sent: Points = {
        "type": "points",
        "run": run,
        "points": [_point(each) for each in found],
        "done": round(done, 3),
        "left": None if left is None else round(left),
        "doing": doing,
        "words": {**headlines(all_lines), "note": note(all_lines, found, source)},
    }
    return Message.of(**sent)


def end(run: str, words: str) -> Message:
    """The measurement is complete."""
    sent: End = {"type": "end", "run": run, "words": words}
    return Message.of(**sent)


def recording(curves: Curves, models: str, words: str) -> str:
    """All messages of a recorded measurement, one a line. `words`: for the status line."""
    temperatures, run = [found.temperature for found in curves.lines], new_run()
    recorded: End = {"type": "recorded", "run": run, "words": words}
    return "\n".join(
        [
            begin(run, models, temperatures, curves.costs, len(curves.points), is_recorded=True),
            *(lines(run, found) for found in curves.lines),
            points(run, curves.points, curves.lines, 1.0, 0.0, "", curves.source),
            Message.of(**recorded),
        ]
    )


def _point(point: Point) -> message_types.Point:
    return {
        "curve": point.curve,
        "temperature": point.temperature,
        "k": point.k,
        "calls": point.calls,
        "accepted": _measured(point.accepted),
        "next": [{"first": each.first, "last": each.last, **_measured(each.share)} for each in point.next],
    }


def _measured(value: Measured) -> message_types.Measured:
    return {"mean": brief(value.mean), "error": brief(value.error)}
