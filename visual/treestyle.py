"""How trees are drawn: tokens in boxes where there is room, markers with a label where there are many."""

from __future__ import annotations

from dataclasses import dataclass

from ersd.settings import Settings

from .theme import MONO, Figure, axis, layout

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
        k = 0 if settings.algorithm == "autoregressive" else settings.draft_tokens
        if settings.topology == "sequence" and k > 6:
            return Style(False, True, 0.3, 9, 9, 40, 44, HEIGHT)
        if k <= BOX_TOKENS:
            return Style(True, False, 0.5, 8, 10, 84, 30, HEIGHT)
        return Style(False, False, 0.16, 9, 9, 66, 18, HEIGHT if k <= 32 else 560)

    def to_dict(self) -> dict[str, int | bool]:
        """What the browser needs of it."""
        return {"boxes": self.boxes, "alternate": self.alternate, "pitch": self.pitch, "row": self.row, "height": self.height}

    def box(self, column: int, row: int, characters: int, state: str) -> Figure:
        """A rounded box for a label of so many characters, around a vertex."""
        half = (characters * 6.95 + 11) / 2
        fill, line = BOX_COLOURS[state]
        return {
            "type": "path",
            "path": _rounded(half, 12, 5),
            "xref": "x",
            "yref": "y",
            "xsizemode": "pixel",
            "ysizemode": "pixel",
            "xanchor": column,
            "yanchor": row,
            "layer": "below",
            "fillcolor": fill,
            "line": {"color": line, "width": 1.5},
        }

    def lines(self, edges: list[Figure]) -> list[Figure]:
        """The edges as shapes, given as line data in the order of the templates' line traces; the path comes last, on top."""
        shapes = []
        for edge, (colour, width) in zip(edges, LINES, strict=True):
            x, y = edge["x"], edge["y"]
            for i in range(0, len(x), 5):
                points = [f"{across},{down}" for across, down in zip(x[i : i + 4], y[i : i + 4], strict=True)]
                line = {"color": colour, "width": width}
                shapes.append({"type": "path", "path": "M " + " L ".join(points), "layer": "below", "line": line})
        return shapes


BOX_COLOURS = {
    "accepted": ("$accepted", "$accepted"),
    "target": ("$target", "$target"),
    "rejected": ("$rejected-soft", "$rejected"),
    "open": ("$panel", "$edge"),
    "root": ("$soft", "$faint"),
}


def _rounded(x: float, y: float, r: float) -> str:
    """An SVG path: a rectangle of half sides x and y with corners of radius r, around the origin."""
    return (
        f"M {-x + r:.1f},{-y} L {x - r:.1f},{-y} Q {x:.1f},{-y} {x:.1f},{-y + r} L {x:.1f},{y - r} Q {x:.1f},{y} {x - r:.1f},{y} "
        f"L {-x + r:.1f},{y} Q {-x:.1f},{y} {-x:.1f},{y - r} L {-x:.1f},{-y + r} Q {-x:.1f},{-y} {-x + r:.1f},{-y} Z"
    )


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


def _templates(boxes: bool) -> list[Figure]:
    return [*(_line(colour, width) for colour, width in LINES), *(_vertices(state, boxes) for state in _MARKS)]


TEMPLATES = {"boxes": _templates(True), "markers": _templates(False)}

LAYOUT = layout(
    margin={"l": 6, "r": 6, "t": 26, "b": 4},
    hoverdistance=28,
    xaxis=axis(side="top", showticklabels=True, tickmode="array", tickfont={"size": 11, "color": "$faint"}),
    yaxis=axis(),
)
