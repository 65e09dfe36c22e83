"""The colours and the base layout of all pictures. Pictures name colours ("$accepted"); the browser inserts the light or dark value."""

from __future__ import annotations

from typing import Any

PlotlyData = dict[str, Any]
"""A Plotly trace or layout, or a part of one, as plain data."""

# Okabe and Ito's palette, safe for colour-blind readers; a sign or a shape repeats every use
OKABE_ITO = {"accepted": "#009E73", "rejected": "#D55E00", "target": "#0072B2", "leader": "#E69F00"}
ACCEPTED_FILL = "#00805d"
"""Darker, as the background of white text."""

LIGHT = {
    **OKABE_ITO,
    "accepted-fill": ACCEPTED_FILL,
    "page": "#ffffff",
    "panel": "#ffffff",
    "soft": "#f5f7f9",
    "sunk": "#eaeef2",
    "ink": "#15202b",
    "muted": "#4f5d6c",
    "faint": "#5f6b78",
    "line": "#dfe4ea",
    "edge": "#b9c3ce",
    "bar": "#dde3ea",
    "drafted": "#8092a6",
    "button": "#1f2b38",
    "button-ink": "#ffffff",
    "white": "#ffffff",
    "bar-ink": "#0c1118",
    "lane-1": "#94337f",
    "lane-2": "#15202b",
    "lane-3": "#5f6e85",
    "accepted-ink": "#006b4f",
    "rejected-ink": "#a84800",
    "target-ink": "#005a8d",
    "leader-ink": "#7a5200",
    "accepted-soft": "#dff3ec",
    "rejected-soft": "#fdf1e8",
    "target-soft": "#e0edf7",
    "hover": "#15202b",
    "hover-ink": "#ffffff",
}
DARK = {
    **OKABE_ITO,
    "accepted-fill": ACCEPTED_FILL,
    "page": "#0f151c",
    "panel": "#0f151c",
    "soft": "#171f29",
    "sunk": "#212c38",
    "ink": "#eaf0f6",
    "muted": "#aebac7",
    "faint": "#94a1b0",
    "line": "#2a3643",
    "edge": "#4a5a6c",
    "bar": "#32404f",
    "drafted": "#66788c",
    "button": "#e4ebf2",
    "button-ink": "#10171f",
    "white": "#ffffff",
    "bar-ink": "#0c1118",
    "lane-1": "#ec9fd8",
    "lane-2": "#eaf0f6",
    "lane-3": "#94a1b0",
    "accepted-ink": "#45d3a8",
    "rejected-ink": "#ff9d57",
    "target-ink": "#6bb8ee",
    "leader-ink": "#f3be4e",
    "accepted-soft": "#10312a",
    "rejected-soft": "#33200f",
    "target-soft": "#10293d",
    "hover": "#eaf0f6",
    "hover-ink": "#15202b",
}
PALETTES = {"light": LIGHT, "dark": DARK}

SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'Liberation Sans', 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Noto Sans Mono', 'DejaVu Sans Mono', monospace"

SIGNS = {"accepted": "✓", "rejected": "✕", "target": "★", "leader": "◆"}
"""The sign that repeats a colour, by its meaning. ★ marks the target's own token only; a winner that was drafted is ✓."""


def css_variables() -> str:
    """The palettes as CSS custom properties such as `--ersd-ink`; Gradio gives the dark page the class `dark`."""
    blocks = []
    for selector, palette in ((":root", LIGHT), (".dark", DARK)):
        lines = "".join(f"--ersd-{name}:{colour};" for name, colour in palette.items())
        blocks.append(f"{selector}{{{lines}}}")
    return f":root{{--ersd-sans:{SANS};--ersd-mono:{MONO};}}" + "".join(blocks)


def base_layout(**more: Any) -> PlotlyData:
    """The base layout: transparent, no margins, nothing to drag, so that a picture never moves under the reader."""
    base: PlotlyData = {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": SANS, "size": 12, "color": "$muted"},
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
        "uirevision": "keep",
        "hoverlabel": {
            "bgcolor": "$hover",
            "bordercolor": "$hover",
            "align": "left",
            "font": {"family": SANS, "size": 12.5, "color": "$hover-ink"},
        },
    }
    return {**base, **more}


def axis(**more: Any) -> PlotlyData:
    """A bare axis of fixed range."""
    return {
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
        "showline": False,
        "showticklabels": False,
        "ticks": "",
        "tickangle": 0,
        "ticklabeloverflow": "allow",  # hiding some would make Plotly measure all at every drawing
        **more,
    }
