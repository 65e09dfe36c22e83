"""The decision at one visited vertex as a butterfly: the draft's side grows to the left, the target's to the right.

Races show arrival times E/Q against E/P on one logarithmic scale; other rules show q against p, and rejection rules what each
rejection left of P. A row is a token. Here are the style and the numbers; the browser makes bars and hover labels of them.
"""

from __future__ import annotations

from typing import Any

from ersd.trace import Row, Step, Visit

from .coins import coin
from .sentences import ROOT, decision, is_race, is_rejection, was_drafted
from .theme import MONO, Figure, axis, layout
from .words import brief, ending, visible

ROWS = 20
LABEL_COLUMNS = 12
DECADES = (-2, 3)
"""The race's scale, 0.01 to 1000, the same at every vertex so that equal bars are equal times."""
SCALES = (0.1, 0.25, 0.5, 1.0)
"""Probability scales; a table takes the smallest that holds all its bars, also those of the residuals."""
FACTS = ("predicted", "optimum", "tv", "match", "kl", "d_hm", "entropy", "rho", "bias")
"""The figures of a vertex, in the order of a message."""

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


def _before(number: int) -> Figure:
    """Outlines of what the bars were before the tries took from them."""
    outline = {"color": "$soft", "line": {"color": "$drafted", "width": 1}}
    return {**_side(number), "width": 0.86, "hoverinfo": "skip", "hovertemplate": None, "marker": outline}


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


TEMPLATES: dict[str, Figure] = {
    "draft-before": _before(1),
    "target-before": _before(2),
    "draft": _side(1),
    "target": _side(2),
    "tokens": _words(3, "middle center", 11.5),
    "draft-values": {**_words(1, "middle left", 11), "hoverinfo": "skip", "hovertemplate": None},
    "target-values": {**_words(2, "middle right", 11), "hoverinfo": "skip", "hovertemplate": None},
}
"""Outlines, bars, the tokens between them and the numbers at the ends of the bars that matter."""

_SCALE: Figure = {
    "showticklabels": True,
    "tickmode": "array",
    "tickfont": {"size": 10.5},
    "showgrid": True,
    "gridcolor": "$line",
    "tickangle": 0,
}
LAYOUT = layout(
    margin={"l": 4, "r": 4, "t": 4, "b": 22},
    barmode="overlay",
    hoverdistance=30,
    xaxis=axis(domain=[0, 0.365], range=[1.24, 0], **_SCALE, **TICKS),
    xaxis2=axis(domain=[0.635, 1], range=[0, 1.24], **_SCALE, **TICKS),
    xaxis3=axis(domain=[0.365, 0.635], range=[-1, 1]),
    yaxis=axis(range=[ROWS - 0.4, -0.6]),
)


def panel(step: Step, visit: Visit, context: str) -> dict[str, Any]:
    """What the browser needs to show one visited vertex.

    Args:
        step: the step the visit belongs to.
        visit: the visited vertex.
        context: the whole text in front of the decision; its end names the place.

    Returns:
        `kind` ("race", "coins", "block", "likelihood" or "leaf"), `title`, `say` (the sentence), the table's columns `names`, `marks`, `p`
        and `q` (None: no draft), `facts` (FACTS), `kids` (pairs: child vertex and its row); races add `clock`, tables of probabilities
        their `scale`, coins `tries` and `left`.
    """
    rows = visit.rows[:ROWS]
    place = {row.token: i for i, row in enumerate(rows)}
    children = [vertex for vertex, parent in enumerate(step.parents) if parent == visit.vertex]
    kind = _kind(step, visit)
    result: dict[str, Any] = {
        "kind": kind,
        "title": f"{'Race' if is_race(visit) else 'Decision'} after “{ending(context, 22)}”",
        "say": decision(step, visit),
        "names": [visible(row.text, row.token) for row in rows],
        "marks": "".join(_mark(step, visit, row) for row in rows),
        "p": [brief(row.p) for row in rows],
        "q": [brief(row.q) for row in rows] if was_drafted(visit) else None,
        "facts": [brief(getattr(visit, name)) for name in FACTS],
        "kids": [[vertex, place.get(step.tokens[vertex], -1)] for vertex in children],
    }
    if is_race(visit):
        result["clock"] = [brief(row.clock) for row in rows]
    else:
        result["scale"] = _scale(visit, rows)
    if kind == "coins":
        result |= {"tries": _tries(visit, place, step), "left": _left(rows)}
        result["removes"] = int(visit.rho is None and any(one[5] != 1 for one in result["tries"]))
    return result


def _kind(step: Step, visit: Visit) -> str:
    if is_race(visit):
        return "race"
    if not visit.tries:
        return "leaf"
    if step.block:
        return "block"
    return "coins" if is_rejection(visit) else "likelihood"


def _tries(visit: Visit, place: dict[int, int], step: Step) -> list[list[Any]]:
    """One entry per coin: vertex, its row (-1: not listed), coin, ratio, accepted, Q at this try over q, sentence."""
    return [
        [
            one.vertex, place.get(step.tokens[one.vertex], -1), brief(one.coin, 4), brief(one.ratio, 4), int(one.accepted),
            brief(one.drawn / one.q, 6) if one.drawn and one.q else 1, coin(one, visit),
        ]
        for one in visit.tries
    ]  # fmt: skip


def _left(rows: list[Row]) -> list[list[float | None] | int]:
    """What was left of P after each rejection, row by row; 0 where a rejection left it as it was."""
    counts = range(min((len(row.left) for row in rows), default=0))
    return [0 if all(row.left[i] == row.p for row in rows) else [brief(row.left[i], 3) for row in rows] for i in counts]


def _scale(visit: Visit, rows: list[Row]) -> float:
    sides = [value for row in rows for value in (row.p, row.q or 0.0, *row.left)]
    largest = max([*sides, *(one.drawn or 0.0 for one in visit.tries)], default=1.0)
    return next(scale for scale in SCALES if largest <= scale or scale == SCALES[-1])


def _mark(step: Step, visit: Visit, row: Row) -> str:
    """The state of a row by its initial: accepted, target (chosen), rejected (in vain), leader (draft's first), drafted; - for none."""
    if row.token == visit.token:
        return "a" if visit.accepted else "t"
    tried = any(step.tokens[one.vertex] == row.token for one in visit.tries)
    if is_rejection(visit):
        return "r" if tried else "-"
    if was_drafted(visit) and row is visit.rows[0]:
        return "l"
    return "d" if tried else "-"


def contexts(step: Step, before: str) -> dict[int, str]:
    """The whole text in front of each visited vertex's decision; `before` is the text in front of the step."""
    found = {ROOT: before}
    text = before
    for visit in step.walk:
        found[visit.vertex] = text
        text += visit.text
    return found
