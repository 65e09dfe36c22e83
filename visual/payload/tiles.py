"""The tiles: labels of the live figures, and their values after each step."""

from __future__ import annotations

from typing import Any

from ersd.trace.model import Step
from ersd.trace.statistics import Statistics
from visual.payload import speedup, theory

from .sentences.formatting import decimal, plural


def _tile(name: str, label: str, help: str, shows: str = "run", small: str = "", untold: str = "") -> dict[str, str]:
    return {"id": name, "label": label, "untold": untold, "help": help, "shows": shows, "small": small, "none": "no draft here"}


TILES: list[dict[str, str]] = [
    _tile("per-call", "up to this step", "new tokens divided by target calls, up to this step", untold="before this step"),
    _tile("whole", "whole run", "new tokens divided by target calls, of the whole run, or of it so far", "whole"),
    _tile("accepted", "accepted of drafted", "drafted tokens that became text, of all drafted tokens so far"),
    _tile(
        "by-rank",
        "accepted by rank",
        "how often the draft's 1st, 2nd, 3rd … was accepted; together as many as all accepted",
        "ranks",
    ),
    _tile("tv", "TV(P, Q) here", "total variation distance of target and draft at the vertex shown", "vertex", "0 alike, 1 apart"),
    _tile("speed", "tokens / s", "new tokens per second of engine time, up to this step; without step 1, which reads the prompt too"),
    _tile("time", "ms this step", "draft, target call and verification of this step", "times"),
]
"""The tiles in their order. `shows`: a figure of the `run` up to the step shown, of the `whole` run, of the `vertex` shown (with `small`
print, and `none` where there is no figure), the accepted tokens by rank (`ranks`) or the `times` of the step. `untold`: the label while the
step is still playing and the figures are those before it. `help`: shown on hover."""


def values(step: Step, statistics: Statistics, cells: list[theory.Cell]) -> dict[str, Any]:
    """What tiles and theory show once `step` has been added to `statistics` (`Stats` in types.js)."""
    return {
        "tiles": _tiles(statistics),
        "ranks": list(statistics.accepted_by_rank().values()),
        "visits": statistics.visits,
        "times": {"draft": round(step.draft_ms, 1), "target": round(step.target_ms, 1), "verify": round(step.verify_ms, 1)},
        "theory": theory.values(step, statistics, cells),
        "notes": theory.notes(step),
        "labels": theory.labels(step, statistics, cells),
    }


def _tiles(statistics: Statistics) -> dict[str, dict[str, str]]:
    figures = statistics.to_dict()
    calls = f"{plural(statistics.tokens, 'token')} / {plural(statistics.steps, 'call')}"
    share = f" · {decimal(100 * statistics.accepted / statistics.drafted, 0)}%" if statistics.drafted else ""
    speed = figures["tokens_per_second"]
    draws = f" ({statistics.draws:,} draws)" if statistics.draws > statistics.drafted else share
    return {
        "per-call": {"value": decimal(figures["tokens_per_call"]), "small": calls},
        "accepted": {"value": f"{statistics.accepted:,}", "small": f"of {statistics.drafted:,}{draws}"},
        "speed": {"value": f"{speed:,.0f}" if speed else "–", "small": speedup.over(statistics.steps)},
    }
