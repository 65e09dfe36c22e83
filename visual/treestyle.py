"""How trees are drawn: tokens in boxes where there is room, markers with a label where there are many."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from ersd.settings import Settings

from .theme import MONO, SIGNS, Figure, axis, layout

EDGE_STEPS = (0.05, 0.2, 0.5)
EDGE_WIDTHS = (1, 1.6, 2.4, 3.4)
"""Edges get wider with the draft's probability: below 0.05, 0.2, 0.5 and above."""

HEIGHT = 440
"""Of the panel, pixels; as high as the race beside it."""

BOX_TOKENS = 16
"""Trees of up to so many drafted tokens are drawn as boxes."""


@dataclass(frozen=True)
class Style:
    """The style of all trees of one run. Sizes are pixels."""

    boxes: bool
    alternate: bool
    """labels take turns above and below (a long chain)"""
    trunk: float
    """where between two columns an edge turns to its row"""
    label_columns: int
    """characters a label may take"""
    root_columns: int
    pitch: int
    """least distance of two columns: a label always fits"""
    row: int
    """least distance of two rows"""
    height: int
    """of the panel; more rows than fit are scrolled to"""

    @staticmethod
    def of(settings: Settings) -> Style:
        """The style for a run, from what is known before it starts."""
        k = settings.vertices
        if settings.topology == "sequence" and k > 6:
            return Style(False, True, 0.3, 9, 9, 40, 44, HEIGHT)
        if k <= BOX_TOKENS:
            return Style(True, False, 0.5, 8, 10, 84, 30, HEIGHT)
        return Style(False, False, 0.16, 9, 9, 66, 18, HEIGHT if k <= 32 else 560)

    def to_dict(self) -> dict[str, float | bool]:
        """Plain data for the browser."""
        return dataclasses.asdict(self)


BOX_COLOURS = {
    "accepted": ("$accepted", "$accepted"),
    "target": ("$target", "$target"),
    "rejected": ("$rejected-soft", "$rejected"),
    "open": ("$panel", "$edge"),
    "root": ("$soft", "$faint"),
}


LINES = [*(("$edge", width) for width in EDGE_WIDTHS), ("$accepted", 5), ("$target", 3)]
"""Colour and width of the line traces."""


def _line(colour: str, width: float) -> Figure:
    return {"type": "scatter", "mode": "lines", "hoverinfo": "skip", "line": {"color": colour, "width": width}}


_MARKS = {
    # state: symbol, size, colour of the label, weight; the symbols differ, so no state depends on its colour
    "accepted": ("circle", 13, "$accepted-ink", 700),
    "rejected": ("x-thin", 9, "$rejected-ink", 400),
    "open": ("circle-open", 6, "$faint", 400),
    "target": ("star", 15, "$target-ink", 700),
    "root": ("square", 9, "$ink", 700),
}
_MARK_COLOURS = {"accepted": "$accepted", "rejected": "$rejected", "open": "$faint", "target": "$target", "root": "$ink"}
_IN_BOX = {"accepted": "$white", "rejected": "$rejected-ink", "open": "$faint", "target": "$white", "root": "$ink"}


def _vertices(state: str, boxes: bool) -> Figure:
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


_ORDER: Figure = {
    "type": "scatter",
    "mode": "text",
    "hoverinfo": "skip",
    "textposition": "middle center",
    "textfont": {"family": MONO, "size": 9.5, "color": "$rejected-ink", "weight": 700},
    "cliponaxis": False,
}
"""The numbers of the tries at the corners of the boxes; beside markers they are part of the label."""


def _templates(boxes: bool) -> list[Figure]:
    lines = [] if boxes else [_line(colour, width) for colour, width in LINES]  # between boxes they are shapes, below the labels
    return [*lines, *(_vertices(state, boxes) for state in _MARKS), _ORDER]


TEMPLATES = {"boxes": _templates(True), "markers": _templates(False)}

DRAWING = {"edges": EDGE_STEPS, "lines": LINES, "states": list(_MARKS), "boxes": BOX_COLOURS, "signs": SIGNS, "letter": 6.95}
"""What the browser needs to build a tree: where edges get wider, their colours, the states' boxes and signs, a letter's width."""

LAYOUT = layout(
    margin={"l": 6, "r": 6, "t": 26, "b": 4},
    hoverdistance=28,
    xaxis=axis(side="top", showticklabels=True, tickmode="array", tickfont={"size": 11, "color": "$faint"}),
    yaxis=axis(),
)
