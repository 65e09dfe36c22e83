"""The run of the Curves tab: a measurement of one pair, streamed as it goes; and a recorded one to begin with."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from typing import Any

from ersd.curves import Plan, Progress, measure
from ersd.curves.plan import ALLOWED_DRAFTED, numbers_in
from ersd.curves.results import CURVES, Curves, Lines, Point
from ersd.machine import now_ms
from visual.payload import messages
from visual.payload.curves import message
from visual.payload.messages import Message

from ..endpoints import run_error
from ..logs import Entry, logged
from ..pairs import EMBEDDED, Pairs
from ..queue import RUNS
from ..recorded import RECORDED
from ..zero_gpu import on_gpu, time_limit

NAMES = ("models", "temperature_1", "temperature_2", "drafted", "texts", "calls", "seed", "prompts", "source")
"""The values of a request, in order."""
RECORDED_CURVES = RECORDED.parent / "curves" / "embedded.json"
COMMAND = "python -m assets.record_curves"
RECORDED_STATUS = "Recorded. Press Measure to measure on this machine."
UPDATE_SECONDS = 1.0
"""How often the page is sent the points: drawing them takes time from the measurement on the same machine."""
KNOWN_AFTER_SECONDS = 4.0
"""Before this time nothing is said about the time that is left."""


@cache
def recorded_curves() -> Curves:
    """The recorded measurement. ValueError if it is damaged."""
    try:
        return Curves.from_json(RECORDED_CURVES.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        how = f"restore it with git checkout, or record it again with {COMMAND}"
        raise ValueError(f"{RECORDED_CURVES} is damaged, or of another version: {how}") from None


@cache
def recorded() -> str:
    """The messages of the recorded measurement."""
    return message.recording(recorded_curves(), EMBEDDED, RECORDED_STATUS)


def curves_endpoint(pairs: Pairs) -> Callable[..., Iterator[Message]]:
    """The function of the Measure button: takes the values of NAMES, streams messages, one or more on lines of their own."""

    def curves(*values: Any, run: str = "") -> Iterator[str]:
        request = dict(zip(NAMES, values, strict=True))
        with logged("curves") as entry:
            try:
                yield from _messages(pairs, request, entry, run)
            except Exception as problem:  # whatever it is, the page must show it
                entry.fail(problem)
                yield messages.error(run_error(problem).message, run=run)

    def runs_of(*values: Any) -> Any:
        return plan_of(dict(zip(NAMES, values, strict=True))).settings()

    return RUNS.streaming(on_gpu(curves, "curves", runs_of, pairs.run_seconds))


def plan_of(request: dict[str, Any]) -> Plan:
    """The measurement of a request; ValueError naming what is wrong."""
    second = request["temperature_2"]
    temperatures = [request["temperature_1"], *([] if second is None else [second])]
    prompts = [line.strip() for line in str(request["prompts"]).splitlines() if line.strip()]
    drafted = numbers_in("drafted", request["drafted"], ALLOWED_DRAFTED)
    return Plan(temperatures, drafted, request["texts"], request["calls"], request["seed"], prompts, request["source"])


def _messages(pairs: Pairs, request: dict[str, Any], entry: Entry, run: str) -> Iterator[str]:
    plan = plan_of(request)
    models = request["models"]
    for loading in pairs.loading_progress(models, RUNS.check_client):
        yield messages.status(loading, run)
    pair = pairs.get(models)
    expected = len(CURVES) * len(plan.drafted) * len(plan.temperatures)
    yield message.begin(run, models, plan.temperatures, pair.costs.get(plan.source), expected)
    seconds, last = time_limit(pairs.run_seconds, *plan.settings()), 0.0
    start, start_ms = time.monotonic(), now_ms()
    lines: list[Lines] = []
    points: dict[tuple[str, float, int], Point] = {}

    def state(progress: Progress) -> Message:
        taken = (now_ms() - start_ms) / 1e3
        left = taken * (1 - progress.done) / progress.done if progress.done and taken > KNOWN_AFTER_SECONDS else None
        return message.points(run, points.values(), lines, progress.done, left, progress.doing, plan.source)

    with closing(RUNS.steps(lambda: measure(pair, plan))) as measurement:
        for progress in measurement:
            entry.tokens += progress.tokens
            if progress.point:
                points[progress.point.key] = progress.point
            if progress.lines:
                lines.append(progress.lines)
                yield f"{message.lines(run, progress.lines)}\n{state(progress)}"
            elif time.monotonic() - last > UPDATE_SECONDS:
                last = time.monotonic()
                yield state(progress)
            if time.monotonic() - start > seconds:
                raise TimeoutError(f"Ended early: a measurement may take {seconds:g} s here. Ask for fewer texts, calls or drafted tokens.")
    yield state(Progress(1.0, ""))
    yield message.end(run, f"Measured in {(now_ms() - start_ms) / 1e3:.0f} s.")
