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
    "page": "#f5f7fa",
    "panel": "#ffffff",
    "soft": "#f2f5f9",
    "ink": "#17212f",
    "muted": "#55637a",
    "faint": "#606d80",
    "line": "#dde3ea",
    "edge": "#c8d1dc",
    "bar": "#d3dae4",
    "drafted": "#93a2b8",
    "white": "#ffffff",
    "bar-ink": "#0c1118",
    "lane-1": "#94337f",
    "lane-2": "#17212f",
    "lane-3": "#5f6e85",
    "accepted-ink": "#007555",
    "rejected-ink": "#b04d00",
    "target-ink": "#005f96",
    "leader-ink": "#8f5f00",
    "accepted-soft": "#d9f0e7",
    "rejected-soft": "#fdf0e6",
    "target-soft": "#d8e8f5",
    "hover": "#17212f",
    "hover-ink": "#ffffff",
}
DARK = {
    **OKABE_ITO,
    "accepted-fill": ACCEPTED_FILL,
    "page": "#0c1118",
    "panel": "#141b25",
    "soft": "#1b2430",
    "ink": "#e8eef6",
    "muted": "#a9b6c8",
    "faint": "#8b99ac",
    "line": "#2a3544",
    "edge": "#44536a",
    "bar": "#3b4859",
    "drafted": "#7286a3",
    "white": "#ffffff",
    "bar-ink": "#0c1118",
    "lane-1": "#ec9fd8",
    "lane-2": "#e8eef6",
    "lane-3": "#8b99ac",
    "accepted-ink": "#3fd0a4",
    "rejected-ink": "#ff9b52",
    "target-ink": "#6cbcf2",
    "leader-ink": "#f5b942",
    "accepted-soft": "#0f3d31",
    "rejected-soft": "#3a2413",
    "target-soft": "#10344d",
    "hover": "#e8eef6",
    "hover-ink": "#17212f",
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
