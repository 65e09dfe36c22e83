"""The figures of a run so far: tokens per call, accepted tokens, times of the step, and what the theory says."""

from __future__ import annotations

from typing import Any

from ersd.trace.statistics import Statistics
from ersd.trace.step import Step
from visual.payload import theory

from .sentences.formatting import decimal


def values(step: Step, statistics: Statistics, cells: list[theory.Cell]) -> dict[str, Any]:
    """What is shown once `step` has been added to `statistics` (`Stats` in types.js)."""
    return {
        "per_call": decimal(statistics.tokens / statistics.steps),
        "tokens": statistics.tokens,
        "accepted": statistics.accepted,
        "drafted": statistics.drafted,
        "draws": statistics.draws,
        "ranks": list(statistics.accepted_by_rank().values()),
        "visits": statistics.visits,
        "times": {"draft": round(step.draft_ms, 1), "verify": round(step.target_ms, 1), "accept": round(step.verify_ms, 1)},
        "theory": theory.values(step, statistics, cells),
        "notes": theory.notes(step),
        "labels": theory.labels(step, statistics, cells),
    }


def bar(step: Step) -> dict[str, int]:
    """The timeline's blocks of a step: accepted drafted tokens, and the target's own."""
    return {"accepted": step.accepted, "own": len(step.emitted) - step.accepted}
