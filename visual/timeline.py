"""The timeline: one bar per step, its accepted tokens and the one that is the target's own."""

from __future__ import annotations

from ersd.trace import Step

from .theme import Figure, axis, layout

HEIGHT = 72

# the browser adds the bars as the steps come; those of the step in view are solid
TEMPLATES: list[Figure] = [
    {"type": "bar", "name": "accepted", "marker": {"color": "$accepted"}},
    {"type": "bar", "name": "own", "marker": {"color": "$target"}},
]
for _template in TEMPLATES:
    _template["hovertemplate"] = "%{hovertext}<extra></extra>"

LAYOUT = layout(
    height=HEIGHT,
    margin={"l": 26, "r": 6, "t": 6, "b": 20},
    barmode="stack",
    bargap=0.18,
    xaxis=axis(range=[0.4, 24.6], showticklabels=True, tickfont={"size": 11}, nticks=12, tickformat="d", showline=True, linecolor="$line"),
    yaxis=axis(range=[0, 5.3], showgrid=True, gridcolor="$line", showticklabels=True, tickfont={"size": 11}, nticks=3, tickformat="d"),
    hoverdistance=200,
)


def bar(step: Step) -> list[int]:
    """The bar of a step: `[drafted tokens accepted, the target's own]`."""
    return [step.accepted, len(step.emitted) - step.accepted]
