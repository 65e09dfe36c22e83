"""The style of trees: tokens in boxes where there is room, markers with labels in large trees."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from ersd.settings import Settings

from .theme import MONO, PlotlyData, axis, base_layout

EDGE_STEPS = (0.05, 0.2, 0.5)
"""Draft probabilities at which an edge gets wider: `q1`, `q2`, `q3`; below the first it is `q0`."""
EDGE_WIDTHS = (1, 1.6, 2.4, 3.4)
EDGES: dict[str, dict[str, str | float]] = {
    **{f"q{step}": {"colour": "$edge", "width": width} for step, width in enumerate(EDGE_WIDTHS)},
    "accepted": {"colour": "$accepted", "width": 5},
    "target": {"colour": "$target", "width": 3},
}
"""The lines between nodes; later ones are drawn on top."""

MAX_BOXES = 16
"""Drafted tokens of the largest tree that is drawn as boxes."""


@dataclass(frozen=True)
class Style:
    """The style of all trees of one run. Sizes are pixels."""

    boxes: bool
    alternate: bool
    """labels alternate above and below (a long chain)"""
    trunk: float
    """where between two columns an edge turns into its lane, from 0 to 1"""
    label_columns: int
    """least number of characters of a label; more where columns are wider than `pitch`"""
    root_columns: int
    pitch: int
    """least distance of two columns, so that a label fits"""
    lane: int
    """least distance of two lanes"""

    @staticmethod
    def of(settings: Settings) -> Style:
        """The style for a run, from its settings."""
        k = settings.vertices
        if settings.topology == "sequence" and k > 6:
            return Style(
                boxes=False, alternate=True, trunk=0.3, label_columns=9, root_columns=9, pitch=40, lane=44,
            )  # fmt: skip
        if k <= MAX_BOXES:
            return Style(
                boxes=True, alternate=False, trunk=0.5, label_columns=8, root_columns=10, pitch=84, lane=27,
            )  # fmt: skip
        return Style(
            boxes=False, alternate=False, trunk=0.16, label_columns=9, root_columns=9, pitch=66, lane=18,
        )  # fmt: skip

    def to_dict(self) -> dict[str, float | bool]:
        """Plain data for the browser."""
        return dataclasses.asdict(self)


BOX_COLOURS: dict[str, dict[str, str]] = {
    "accepted": {"fill": "$accepted-fill", "line": "$accepted-fill"},
    "target": {"fill": "$target", "line": "$target"},
    "rejected": {"fill": "$rejected-soft", "line": "$rejected"},
    "open": {"fill": "$panel", "line": "$edge"},
    "root": {"fill": "$soft", "line": "$faint"},
}


def _line(colour: str | float, width: str | float) -> PlotlyData:
    return {"type": "scatter", "mode": "lines", "hoverinfo": "skip", "line": {"color": colour, "width": width}}


_MARKS = {
    # state: symbol, size, colour of the label, weight; the symbols differ, so that no state is shown by colour alone
    "accepted": ("circle", 13, "$accepted-ink", 700),
    "rejected": ("x-thin", 9, "$rejected-ink", 400),
    "open": ("circle-open", 6, "$faint", 400),
    "target": ("star", 13, "$target-ink", 700),
    "root": ("square", 9, "$ink", 700),
}
_MARK_COLOURS = {"accepted": "$accepted", "rejected": "$rejected", "open": "$faint", "target": "$target", "root": "$ink"}
_IN_BOX = {"accepted": "$white", "rejected": "$rejected-ink", "open": "$faint", "target": "$white", "root": "$ink"}


def _vertices(state: str, boxes: bool) -> PlotlyData:
    symbol, size, ink, weight = _MARKS[state]
    drawn = {"symbol": symbol, "size": size, "color": _MARK_COLOURS[state], "line": {"width": 2, "color": _MARK_COLOURS[state]}}
    font = {"family": MONO, "size": 10.5, "color": ink, "weight": weight}
    if boxes:  # the boxes are shapes; invisible markers catch the pointer
        drawn = {"symbol": "square", "size": 24, "opacity": 0}
        font = {"family": MONO, "size": 11.5, "color": _IN_BOX[state], "weight": 700 if state in ("accepted", "target", "root") else 400}
    return {
        "type": "scatter",
        "name": state,
        "mode": "markers+text",
        "hovertemplate": "%{hovertext}<extra></extra>",
        "marker": drawn,
        "textposition": "middle center" if boxes else "top right",
        "textfont": font,
        "cliponaxis": False,
    }


_TRIES: PlotlyData = {
    "type": "scatter",
    "mode": "text",
    "hoverinfo": "skip",
    "textposition": "middle center",
    "textfont": {"family": MONO, "size": 10.5, "color": "$rejected-ink", "weight": 700},
    "cliponaxis": False,
}
"""The numbers of the tries at the corners of boxes; with markers they are part of the label."""

BOXES: dict[str, PlotlyData] = {**{state: _vertices(state, True) for state in _MARKS}, "tries": _TRIES}
"""Traces by name; the lines between boxes are shapes, drawn below the labels."""
MARKERS: dict[str, PlotlyData] = {
    **{f"edge_{name}": _line(**line) for name, line in EDGES.items()},
    **{state: _vertices(state, False) for state in _MARKS},
    "tries": _TRIES,
}

LETTER = 6.95
"""Width of a letter in a box, pixels."""

DRAWING = {"edges": EDGES, "edge_steps": EDGE_STEPS, "box_colours": BOX_COLOURS, "letter": LETTER}
"""Other values that the browser needs to draw a tree."""

LAYOUT = base_layout(
    margin={"l": 6, "r": 6, "t": 26, "b": 4},
    hoverdistance=28,
    xaxis=axis(side="top", showticklabels=True, tickmode="array", tickfont={"size": 11, "color": "$faint"}),
    yaxis=axis(),
)
