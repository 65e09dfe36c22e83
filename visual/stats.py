"""The live figures: what the tiles and the theory beside them are called, and what they say after each step."""

from __future__ import annotations

from typing import Any

from ersd.settings import METHODS, Settings
from ersd.trace import Statistics, Step

from .words import brief

TILES: list[dict[str, str]] = [
    {"id": "per-call", "label": "tokens per target call", "help": "new tokens divided by target calls, so far"},
    {"id": "accepted", "label": "accepted of drafted", "help": "drafted tokens that became text, of all drafted tokens so far"},
    {"id": "by-rank", "label": "acceptance by rank", "help": "share of the visits at which the 1st, 2nd, 3rd … was accepted"},
    {"id": "tv", "label": "TV(P, Q) here", "help": "total variation distance of target and draft at the vertex shown"},
    {"id": "match", "label": "match probability", "help": "that draft and target have the same first arrival at the vertex shown"},
    {"id": "speed", "label": "tokens / s", "help": "new tokens per second of engine time, so far"},
    {"id": "time", "label": "ms this step", "help": "draft, target call and verification of this step"},
]
"""The tiles in their order; `help` is told on hover."""

RANKS = 6


def _line(label: str, theory: bool, words: str) -> dict[str, str | bool]:
    return {"label": label, "theory": theory, "help": words}


_OPTIMUM = "the best any rule can do with as many i.i.d. children; a race drafts without replacement and may pass it"
THEORY: dict[str, dict[str, Any]] = {
    "here": {
        "label": "acceptance here",
        "lines": [
            _line("predicted", True, "probability that this rule accepts one of the children at the vertex shown"),
            _line("optimum", True, _OPTIMUM),
        ],
    },
    "acceptance": {
        "label": "acceptance so far",
        "lines": [
            _line("measured", False, "share of the visited vertices with children at which one was accepted"),
            _line("predicted", True, "mean of this rule's predicted acceptance over the same vertices"),
            _line("optimum", True, f"mean over the same vertices: {_OPTIMUM}"),
        ],
    },
    "calls": {
        "label": "tokens per call",
        "lines": [
            _line("measured", False, "new tokens divided by target calls, so far"),
            _line("this tree", True, "tokens this step was expected to give when its tree was chosen"),
            _line("bound", True, "(log|Ω| + log(k + 1)) / H[R]: no tree of k tokens gives more, with the H[R] measured so far"),
        ],
    },
    "rejections": {
        "label": "rejections so far",
        "lines": [
            _line("measured", False, "drafted tokens rejected"),
            _line("Σ TV", True, "running sum of TV(P, Q): the expected number of rejections, the fewest without bias (arXiv 2411.00841)"),
        ],
    },
    "bias": {
        "label": "⚠ biased output",
        "lines": [
            _line("TV paid", True, "mean TV between the output's law and P at the visited vertices; an exact rule pays 0"),
            _line("rejected", False, "share of the drafted tokens that were rejected; together with the TV paid it makes up TV(P, Q)"),
            _line("TV(P, Q)", True, "mean of TV(P, Q) at the same vertices"),
        ],
    },
}
"""The cells of the theory strip; the values come in the order of the lines."""


def cells(settings: Settings) -> list[str]:
    """Which cells a run shows, from first to last."""
    if warning(settings):
        return ["here", "acceptance", "calls", "bias"]
    standard = (settings.algorithm, settings.topology) == METHODS["standard"]
    return ["here", "acceptance", "calls", *(["rejections"] if standard else [])]


def warning(settings: Settings) -> str:
    """What must be said all along about a run whose output is not distributed as the target's; an empty string where it is."""
    if settings.algorithm != "lossy" or not settings.leniency:
        return ""
    return f"⚠ biased on purpose: lossy, leniency {settings.leniency:g}"


def values(step: Step, statistics: Statistics) -> dict[str, Any]:
    """What tiles and theory show once `step` has been added to `statistics`: `[value, small print]` or bars by tile id,
    `theory` by cell (of the vertex shown the browser knows), `entropy` H[R]."""
    figures = statistics.to_dict()
    by_rank = figures["acceptance_by_rank"]
    share = figures["accepted"] / figures["drafted"] if figures["drafted"] else None
    return {
        "per-call": [f"{figures['tokens_per_call']:.2f}", f"expected here {step.expected:.2f}" if step.expected else _here(step)],
        "accepted": [f"{figures['accepted']:,}", f"of {figures['drafted']:,}" + (f" · {share:.0%}" if share is not None else "")],
        "by-rank": [round(by_rank.get(str(rank), 0.0), 3) for rank in range(1, RANKS + 1)],
        "speed": [f"{figures['tokens_per_second']:,.0f}", f"{figures['tokens']:,} tokens"],
        "time": [round(step.draft_ms, 1), round(step.target_ms, 1), round(step.verify_ms, 1)],
        "theory": _theory(step, statistics, figures),
        "entropy": brief(step.rank_entropy, 3),
    }


def _theory(step: Step, statistics: Statistics, figures: dict[str, Any]) -> dict[str, list[float | None]]:
    visits = statistics.visits
    told: dict[str, list[float | None]] = {
        "acceptance": [figures["acceptance"], figures["predicted_acceptance"], figures["optimal_acceptance"]],
        "calls": [figures["tokens_per_call"], step.expected, step.bound],
        "rejections": [figures["rejections"], figures["tv_sum"]],
    }
    if any(visit.bias for visit in step.walk):
        told["bias"] = [figures["bias"], figures["rejections"] / visits if visits else None, statistics.tv / visits if visits else None]
    # rounded here as on the tiles, so that the same figure reads the same in both places
    return {name: [None if value is None else round(value, 2) for value in numbers] for name, numbers in told.items()}


def _here(step: Step) -> str:
    return f"this step {len(step.emitted)}"
