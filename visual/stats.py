"""The live figures: what the tiles are called and what they say after each step."""

from __future__ import annotations

from typing import Any

from ersd.trace import Statistics, Step

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


def values(step: Step, statistics: Statistics) -> dict[str, Any]:
    """What the tiles show once `step` has been added to `statistics`: `[value, small print]` or bars by tile id."""
    figures = statistics.to_dict()
    by_rank = figures["acceptance_by_rank"]
    share = figures["accepted"] / figures["drafted"] if figures["drafted"] else None
    return {
        "per-call": [f"{figures['tokens_per_call']:.2f}", f"expected here {step.expected:.2f}" if step.expected else _here(step)],
        "accepted": [f"{figures['accepted']:,}", f"of {figures['drafted']:,}" + (f" · {share:.0%}" if share is not None else "")],
        "by-rank": [round(by_rank.get(str(rank), 0.0), 3) for rank in range(1, RANKS + 1)],
        "speed": [f"{figures['tokens_per_second']:,.0f}", f"{figures['tokens']:,} tokens"],
        "time": [round(step.draft_ms, 1), round(step.target_ms, 1), round(step.verify_ms, 1)],
    }


def _here(step: Step) -> str:
    return f"this step {len(step.emitted)}"
