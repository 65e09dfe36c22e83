"""The decision at one visited vertex as a butterfly: the draft's side grows to the left, the target's to the right.

Races show arrival times E/Q against E/P on one logarithmic scale; other rules show q against p. A row is a token.
"""

from __future__ import annotations

import math
from typing import Any

from ersd.trace import Row, Step, Visit

from .sentences import ROOT, coin, decision, is_race, is_rejection, missing_side, was_drafted
from .theme import MONO, Figure, axis, layout
from .words import ending, escape, number, shorten, visible, wrapped

ROWS = 20
HEIGHT = 350
LABEL_COLUMNS = 12
DECADES = (-2, 3)
"""The race's scale, 0.01 to 1000, the same at every vertex so that equal bars are equal times."""
SCALES = (0.1, 0.25, 0.5, 1.0)
"""Probability scales; a table takes the smallest that holds all its bars."""

TICKS = {
    "tickvals": [(decade - DECADES[0]) / (DECADES[1] - DECADES[0]) for decade in range(DECADES[0], DECADES[1] + 1)],
    "ticktext": ["", "0.1", "1", "10", "100", ""],
}


def _side(number: int) -> Figure:
    return {
        "type": "bar",
        "orientation": "h",
        "xaxis": "x" if number == 1 else f"x{number}",
        "yaxis": "y",
        "width": 0.74,
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _words(number: int, position: str, size: float) -> Figure:
    return {
        "type": "scatter",
        "mode": "text",
        "xaxis": "x" if number == 1 else f"x{number}",
        "yaxis": "y",
        "textposition": position,
        "textfont": {"family": MONO, "size": size, "color": "$ink"},
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
    }


# draft's bars, target's bars, the tokens between them, the few times written at the bars' ends
TEMPLATES: list[Figure] = [
    _side(1),
    _side(2),
    _words(3, "middle center", 11.5),
    {**_words(1, "middle left", 11), "hoverinfo": "skip", "hovertemplate": None},
    {**_words(2, "middle right", 11), "hoverinfo": "skip", "hovertemplate": None},
]

_SCALE: Figure = {
    "showticklabels": True,
    "tickmode": "array",
    "tickfont": {"size": 10.5},
    "showgrid": True,
    "gridcolor": "$line",
    "tickangle": 0,
}
LAYOUT = layout(
    height=HEIGHT,
    margin={"l": 4, "r": 4, "t": 4, "b": 22},
    barmode="overlay",
    hoverdistance=30,
    xaxis=axis(domain=[0, 0.365], range=[1.24, 0], **_SCALE, **TICKS),
    xaxis2=axis(domain=[0.635, 1], range=[0, 1.24], **_SCALE, **TICKS),
    xaxis3=axis(domain=[0.365, 0.635], range=[-1, 1]),
    yaxis=axis(range=[ROWS - 0.4, -0.6]),
)


def panel(step: Step, visit: Visit, context: str) -> dict[str, Any]:
    """Everything the browser shows of one visited vertex.

    Args:
        step: the step the visit belongs to.
        visit: the visited vertex.
        context: the whole text in front of the decision; its end names the place.

    Returns:
        `kind` ("race", "coins", "likelihood" or "leaf"), `data` for TEMPLATES, `hover` (one per row), `ticks` (of a table), `title`,
        `say` (the sentence), `note` (why a side is missing), `tries` (one sentence per coin), `facts` and `here` (TV, match).
    """
    race = is_race(visit)
    rows = visit.rows[:ROWS]
    scale = 1.0 if race else _scale(rows)
    left = [_length(row.draft_time) if race else (row.q or 0.0) / scale for row in rows]
    right = [_length(row.target_time) if race else row.p / scale for row in rows]
    if not was_drafted(visit):
        left = []
    drafted = {step.tokens[one.vertex] for one in visit.tries}
    marks = {row.token: _mark(step, visit, row) for row in rows}
    result: dict[str, Any] = {
        "kind": _kind(visit),
        "data": [
            _bars(rows, left, [_left_colour(row, marks, drafted) for row in rows]),
            _bars(rows, right, [_right_colour(row, visit, drafted) for row in rows]),
            _tokens(rows, marks, drafted),
            _values(rows, left, marks, "draft_time" if race else "q"),
            _values(rows, right, marks, "target_time" if race else "p"),
        ],
        "hover": [_hover(row, row.token in drafted) for row in rows],
        "title": f"{'Race' if race else 'Decision'} after “{ending(context, 22)}”",
        "say": decision(step, visit),
        "note": wrapped(missing_side(step, visit), 15),
        "tries": _tries(step, visit),
        "facts": _facts(visit),
        "here": ["–" if value is None else f"{value:.2f}" for value in (visit.tv, visit.match)],
    }
    if not race:
        result["ticks"] = {"tickvals": [0, 0.5, 1], "ticktext": ["0", f"{scale / 2:g}", f"{scale:g}"]}
    return result


def _kind(visit: Visit) -> str:
    if is_race(visit):
        return "race"
    if not visit.tries:
        return "leaf"
    return "coins" if is_rejection(visit) else "likelihood"


def _tries(step: Step, visit: Visit) -> list[str]:
    """One sentence per coin, for the rules that throw them."""
    if not is_rejection(visit):
        return []
    return [f"{visible(step.texts[one.vertex], step.tokens[one.vertex])} · {coin(one)}" for one in visit.tries]


def _length(time: float | None) -> float:
    """A time's place on the log scale, 0 to 1; what is off the scale ends at its edge, never is a little beyond."""
    if time is None:
        return 1.08
    first, last = DECADES
    place = (math.log10(time) - first) / (last - first) if time > 0 else 0.0
    return round(min(1.04, max(0.012, place)), 3)


def _scale(rows: list[Row]) -> float:
    largest = max((max(row.p, row.q or 0.0) for row in rows), default=1.0)
    return next(scale for scale in SCALES if largest <= scale or scale == SCALES[-1])


def _mark(step: Step, visit: Visit, row: Row) -> str:
    """The state of a row: target (chosen), leader (first of the draft), rejected (tried in vain) or nothing."""
    if row.token == visit.token:
        return "accepted" if visit.accepted else "target"
    if is_rejection(visit):
        return "rejected" if any(step.tokens[one.vertex] == row.token for one in visit.tries) else ""
    return "leader" if was_drafted(visit) and row is visit.rows[0] else ""


def _bars(rows: list[Row], lengths: list[float], colours: list[str]) -> Figure:
    count = len(lengths)
    return {"x": [round(length, 3) for length in lengths], "y": list(range(count)), "marker": {"color": colours[:count]}}


def _left_colour(row: Row, marks: dict[int, str], drafted: set[int]) -> str:
    if marks[row.token] in ("leader", "rejected"):
        return f"${marks[row.token]}"
    return "$drafted" if row.token in drafted else "$bar"


def _right_colour(row: Row, visit: Visit, drafted: set[int]) -> str:
    if row.token == visit.token:
        return "$accepted" if visit.accepted else "$target"
    return "$drafted" if row.token in drafted else "$bar"


def _tokens(rows: list[Row], marks: dict[int, str], drafted: set[int]) -> Figure:
    """The tokens in the middle; drafted ones stand out, and what decided has its sign."""
    texts, colours = [], []
    for row in rows:
        mark = marks[row.token]
        sign = {"accepted": "✓★ ", "target": "★ ", "leader": "◆ ", "rejected": "✕ "}.get(mark, "")
        name = escape(shorten(visible(row.text, row.token), LABEL_COLUMNS - len(sign)))
        texts.append(f"<b>{sign}{name}</b>" if mark else name)
        colours.append(f"${mark}-ink" if mark else "$ink" if row.token in drafted else "$faint")
    return {"x": [0] * len(rows), "y": list(range(len(rows))), "text": texts, "textfont": {"color": colours}}


def _values(rows: list[Row], lengths: list[float], marks: dict[int, str], field: str) -> Figure:
    """Numbers at the ends of the bars that matter; the others tell theirs on hover."""
    shown = [i for i in range(len(lengths)) if marks[rows[i].token]]
    return {
        "x": [round(lengths[i], 3) for i in shown],
        "y": shown,
        "text": [f"\u2009{number(getattr(rows[i], field))}\u2009" for i in shown],
    }


def _hover(row: Row, drafted: bool) -> str:
    lines = [f"<b>{escape(visible(row.text, row.token))}</b>" + (" · drafted here" if drafted else "")]
    draft, target = [], [f"target p {number(row.p)}"]
    if row.q is not None:
        draft.append(f"draft q {number(row.q)}")
    if row.clock is not None:
        lines.append(f"clock E {number(row.clock)}")
        target.append(f"arrives E/p {number(row.target_time)}")
        if draft:
            draft.append(f"arrives E/q {number(row.draft_time)}")
    return "<br>".join([*lines, *(" · ".join(part) for part in (draft, target) if part)])


def _facts(visit: Visit) -> list[str]:
    """Figures of this vertex for the line below the picture."""
    named = (
        ("acceptance expected", visit.predicted),
        ("best possible, i.i.d.", visit.optimum),
        ("KL", visit.kl),
        ("D_HM", visit.d_hm),
        ("entropy", visit.entropy),
    )
    return [f"{name} {value:.2f}" for name, value in named if value is not None]


def contexts(step: Step, before: str) -> dict[int, str]:
    """The whole text in front of each visited vertex's decision; `before` is the text in front of the step."""
    found = {ROOT: before}
    text = before
    for visit in step.walk:
        found[visit.vertex] = text
        text += visit.text
    return found
