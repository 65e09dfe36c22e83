"""How the tree looks: colours of boxes and edges, the templates of its labels, and the layout of the picture. Sizes are the browser's."""

from __future__ import annotations

from ..message_types.kit import BoxColours, TreeKit
from ..theme import SANS, PlotlyData, axis, base_layout

BOX_COLOURS: dict[str, BoxColours] = {
    "accepted": {"fill": "$accepted-fill", "line": "$accepted-fill"},
    "target": {"fill": "$target", "line": "$target"},
    "rejected": {"fill": "$panel", "line": "$rejected"},
    "not reached": {"fill": "$panel", "line": "$drafted"},
    "root": {"fill": "$soft", "line": "$soft"},
}
"""By state of a node."""

EDGE_COLOURS: dict[str, str] = {"accepted": "$accepted", "target": "$target", "rejected": "$drafted", "not reached": "$drafted"}
"""By state of the node that an edge leads to."""

_INK = {"accepted": "$white", "rejected": "$rejected-ink", "not reached": "$muted", "target": "$white", "root": "$ink"}


def _nodes(state: str) -> PlotlyData:
    """Labels and dots of one state. The boxes are shapes; their markers are invisible and catch the pointer."""
    return {
        "type": "scatter",
        "name": state,
        "mode": "markers+text",
        "hovertemplate": "%{hovertext}<extra></extra>",
        "marker": {
            "symbol": "circle",
            "color": "$panel",
            "line": {"width": 1.5, "color": "$rejected" if state == "rejected" else "$drafted"},
        },
        "textposition": "middle center",
        "textfont": {"family": SANS, "color": _INK[state]},
        "cliponaxis": False,
    }


TRACES: dict[str, PlotlyData] = {state: _nodes(state) for state in BOX_COLOURS}
"""Templates by state."""

LAYOUT = base_layout(hoverdistance=20, xaxis=axis(), yaxis=axis())
"""The axes are the pixels of the picture, from its upper left corner."""

KIT: TreeKit = {"layout": LAYOUT, "traces": TRACES, "box_colours": BOX_COLOURS, "edge_colours": EDGE_COLOURS}
"""What the browser needs to draw a tree."""
