"""The butterfly chart of a decision: a row per token, the draft's bars to the left of its name, the target's to the right.

Bars are arrival times on a logarithmic scale, or probabilities (`sentences.kinds.Kind.axis`). This file has the style; the numbers come
with each node (`decision.py`), and the browser draws bars and hover labels from them.
"""

from __future__ import annotations

from ersd.trace.model import MOST_ROWS

from .theme import MONO, SIGNS, PlotlyData, axis, base_layout

LABEL_COLUMNS = 12
"""Characters of a token that fit between the two sides."""
LEAST_ROWS = 14
"""Rows of the axis at least, so that the bars of a short table are not thicker."""
DECADES = (-2, 3)
"""The scale of times, 0.01 to 1000; the same at every node, so that equal bars are equal times."""
ROOM = 1.34
"""Where the axis of a side ends; the longest bar ends at 1 and its number follows it."""
SIDE = 0.365
"""Share of the width for each side; the rest, in the middle, is for the tokens."""

TICKS = {
    "tickvals": [(decade - DECADES[0]) / (DECADES[1] - DECADES[0]) for decade in range(DECADES[0], DECADES[1] + 1)],
    "ticktext": ["", "0.1", "1", "10", "100", ""],
}


def _side(xaxis: str) -> PlotlyData:
    return {
        "type": "bar",
        "orientation": "h",
        "xaxis": xaxis,
        "yaxis": "y",
        "width": 0.74,
        "textposition": "none",
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _before(xaxis: str) -> PlotlyData:
    """Outlines of the bars before rejections took from them."""
    outline = {"color": "$soft", "line": {"color": "$drafted", "width": 1}}
    return {**_side(xaxis), "width": 0.86, "hoverinfo": "skip", "hovertemplate": None, "marker": outline}


def _breaks(xaxis: str) -> PlotlyData:
    """Cuts through bars that extend beyond the scale."""
    cut = {"symbol": "line-ne", "size": 13, "line": {"color": "$panel", "width": 2.5}}
    return {"type": "scatter", "mode": "markers", "xaxis": xaxis, "yaxis": "y", "marker": cut, "hoverinfo": "skip", "cliponaxis": False}


def _labels(xaxis: str, position: str, size: float) -> PlotlyData:
    return {
        "type": "scatter",
        "mode": "text",
        "xaxis": xaxis,
        "yaxis": "y",
        "textposition": position,
        "textfont": {"family": MONO, "size": size, "color": "$ink"},
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
    }


TRACES: dict[str, PlotlyData] = {
    "draft_before": _before("x"),
    "target_before": _before("x2"),
    "draft": _side("x"),
    "target": _side("x2"),
    "draft_breaks": _breaks("x"),
    "target_breaks": _breaks("x2"),
    "tokens": _labels("x3", "middle center", 11.5),
    "draft_values": {**_labels("x", "middle left", 11), "hoverinfo": "skip", "hovertemplate": None},
    "target_values": {**_labels("x2", "middle right", 11), "hoverinfo": "skip", "hovertemplate": None},
}
"""Outlines, bars and cuts, the tokens between the sides, and the numbers at the ends of the important bars."""

_SCALE: PlotlyData = {
    "showticklabels": True,
    "tickmode": "array",
    "tickfont": {"size": 10.5},
    "showgrid": True,
    "gridcolor": "$line",
    "tickangle": 0,
}
LAYOUT = base_layout(
    margin={"l": 4, "r": 4, "t": 4, "b": 22},
    barmode="overlay",
    hoverdistance=30,
    xaxis=axis(domain=[0, SIDE], range=[ROOM, 0], **_SCALE, **TICKS),
    xaxis2=axis(domain=[1 - SIDE, 1], range=[0, ROOM], **_SCALE, **TICKS),
    xaxis3=axis(domain=[SIDE, 1 - SIDE], range=[-1, 1]),
    yaxis=axis(range=[MOST_ROWS - 0.4, -0.6]),
)


def _mark(sign: str, drafted: bool, draft: str, target: str, ink: str) -> dict[str, str | bool]:
    return {"sign": sign, "drafted": drafted, "draft": draft, "target": target, "ink": ink}


MARKS: dict[str, dict[str, str | bool]] = {
    "accepted": _mark(SIGNS["accepted"], True, "$drafted", "$accepted", "$accepted-ink"),
    "accepted_leader": _mark(SIGNS["leader"] + SIGNS["accepted"], True, "$leader", "$accepted", "$accepted-ink"),
    "target": _mark(SIGNS["target"], False, "$bar", "$target", "$target-ink"),
    "rejected": _mark(SIGNS["rejected"], True, "$rejected", "$drafted", "$rejected-ink"),
    "leader": _mark(SIGNS["leader"], True, "$leader", "$drafted", "$leader-ink"),
    "drafted": _mark("", True, "$drafted", "$drafted", "$ink"),
    "": _mark("", False, "$bar", "$bar", "$faint"),
}
"""Mark of a row -> its sign, whether its token was drafted, the colours of its bars and of its name."""

DRAWING = {
    "cut": {"colour": "cut", "words": f"cut: after {10 ** DECADES[1]:,}"},
    "decades": {"first": DECADES[0], "last": DECADES[1]},
    "label_columns": LABEL_COLUMNS,
    "middle": round(1 - 2 * SIDE, 4),
    "least_rows": LEAST_ROWS,
}
"""Other values that the browser needs to draw a decision."""
