"""The timeline: one bar per step, its accepted tokens and the target's own token."""

from __future__ import annotations

from typing import Any

from ersd.trace.model import Step

from .theme import PlotlyData, axis, base_layout

HEIGHT = 64
"""Height of the panel, pixels."""


def _bars(colour: str) -> PlotlyData:
    return {"type": "bar", "marker": {"color": colour}, "hovertemplate": "%{hovertext}<extra></extra>"}


TRACES: dict[str, PlotlyData] = {"accepted": _bars("$accepted"), "own": _bars("$target")}
"""The browser adds a bar per step; the bar of the step in view is solid."""


def _name(text: str, **position: Any) -> PlotlyData:
    return {"text": text, "showarrow": False, "xref": "paper", "yref": "paper", "font": {"size": 11}, **position}


LAYOUT = base_layout(
    height=HEIGHT,
    margin={"l": 40, "r": 32, "t": 6, "b": 20},
    annotations=[
        _name("tokens", x=0, y=0.5, xanchor="right", xshift=-21, textangle=-90),
        _name("step", x=1, y=0, xanchor="left", yanchor="top", yshift=4),
    ],
    barmode="stack",
    bargap=0.18,
    xaxis=axis(range=[0.4, 24.6], showticklabels=True, tickfont={"size": 11}, nticks=12, tickformat="d", showline=True, linecolor="$line"),
    yaxis=axis(range=[0, 5.3], showgrid=True, gridcolor="$line", showticklabels=True, tickfont={"size": 11}, nticks=3, tickformat="d"),
    hoverdistance=200,
)


def bar(step: Step) -> dict[str, int]:
    """The bar of a step, in tokens: accepted drafted tokens, and the target's own."""
    return {"accepted": step.accepted, "own": len(step.emitted) - step.accepted}
