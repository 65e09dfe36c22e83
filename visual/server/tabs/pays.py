"""The route of "Does it pay for me?" in the Curves tab: the fields come as JSON, as they were typed, and what the tab draws goes back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.routing import Route

from ersd import theory
from ersd.formatting import number_in, quoted
from ersd.settings import STEP_COSTS
from ersd.theory.tree_estimate import later_guesses
from visual.payload.curves.pays import message
from visual.payload.message_types.curves import PaysKit
from visual.payload.messages import compact

from ..questions import question_route, refusal
from .curves import recorded_curves

ADDRESS = "pays"
MAX_TEXT = 2000
"""Characters of the rates or of the log line."""
LABELS = {"rates": "Acceptance rates", "target-ms": "A target call", "draft-ms": "A draft call", "row-ms": "One more row"}
"""Field -> its label on the page (pays/engine.html)."""
KIT: PaysKit = {"address": ADDRESS, "fields": list(LABELS)}
"""What the browser needs to know before it asks."""


def route() -> Route:
    """Where the browser asks, for `launch`."""
    return question_route(ADDRESS, lambda body: run_in_threadpool(lambda: answer(json.loads(body))))


def answer(asked: Any) -> str:
    """The message for a request. What was typed and cannot be taken is an answer too: `refused`, a sentence, and the `field`."""
    if not isinstance(asked, Mapping):
        raise ValueError("a request must be a JSON object")
    try:
        acceptance = theory.read_acceptance(_text(asked.get("rates")))
        target, draft, row = (bounds.check(name, number_in(str(asked.get(name)).strip())) for name, (_, bounds) in STEP_COSTS.items())
    except ValueError as problem:
        return refusal(problem, LABELS)
    first = recorded_curves().lines[0]
    lender = f"in the recorded pair at T = {first.temperature:g}"
    return compact(message(acceptance, (target, draft, row), later_guesses(first.lines["batch"].accepted), lender))


def _text(rates: Any) -> str:
    if not isinstance(rates, str) or len(rates) > MAX_TEXT:
        raise ValueError(f"rates must be text of at most {MAX_TEXT} characters, got {quoted(rates)}")
    return rates
