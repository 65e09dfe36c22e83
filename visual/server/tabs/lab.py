"""The lab's route: probabilities, a rule and a number of trials come as JSON, and everything that the tab draws goes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from starlette.routing import Route

from ersd import lab, theory
from ersd.rules.base import Rule
from ersd.rules.registry import TRAITS
from visual.payload.lab.message import Subject, message
from visual.payload.lab.presets import KIT as PRESETS, MAX_TOKENS, MIN_TOKENS
from visual.payload.message_types.lab import LabKit
from visual.payload.messages import compact
from visual.payload.sentences.formatting import text_of
from visual.payload.sentences.names import algorithm_name

from ..questions import question_route

ADDRESS = "lab"
MAX_GUESSES = 6
TRIALS = (1, 100, 10_000)
MAX_SEED = 2**53 - 1
"""The largest whole number that a browser keeps exactly."""
LENIENCY = 0.3
"""Of the lenient rule, large enough for its bias to show."""
KIT: LabKit = {
    "address": ADDRESS,
    "presets": PRESETS,
    "rules": {
        name: {
            "label": algorithm_name(name),
            "most": traits.most_children,
            "joint": traits.joint,
            "samples": traits.uses_sampling,
        }
        for name, traits in TRAITS.items()
    },
    "bugs": {name: {"label": bug.label, "rules": list(bug.offered)} for name, bug in lab.BUGS.items()},
    "guesses": MAX_GUESSES,
    "trials": list(TRIALS),
    "usual": {"rule": "ersd", "k": 2, "seed": 1},
}
"""What the browser needs to know before it asks."""

_thread = ThreadPoolExecutor(1, "lab")
"""Counting takes a tenth of a second. One thread for a whole class: more would compete for the interpreter with all other answers."""


def route() -> Route:
    """Where the browser asks, for `launch`."""
    return question_route(ADDRESS, lambda body: asyncio.wrap_future(_thread.submit(lambda: answer(json.loads(body)))))


def answer(asked: Any) -> str:
    """The message for a request; ValueError naming the field, its value and what is allowed."""
    subject, rule = _subject(asked)
    trials = _number(asked, "trials", lambda value: value in TRIALS, f"one of {', '.join(map(str, TRIALS))}")
    seed = _number(asked, "seed", lambda value: 0 <= value <= MAX_SEED, f"a whole number from 0 to {MAX_SEED}")
    trial = _number(asked, "trial", lambda value: 0 <= value < TRIALS[-1], f"a whole number from 0 to {TRIALS[-1] - 1}")
    found = lab.experiment(rule, subject.p, subject.q, subject.k, trials, seed, MAX_GUESSES)
    step = lab.record(rule, subject.p, subject.q, subject.k, trial, seed, [text_of(name) for name in subject.names])
    return compact(message(subject, found, step, lab.clocks_of(rule, seed, trial, len(subject.p))))


def _subject(asked: Any) -> tuple[Subject, Rule]:
    if not isinstance(asked, Mapping):
        raise ValueError("a request to the lab must be a JSON object")
    algorithm, bug_name = asked.get("rule"), asked.get("bug") or ""
    if not isinstance(algorithm, str) or algorithm not in TRAITS:
        raise ValueError(f"rule must be one of {', '.join(TRAITS)}, got {algorithm!r}")
    rule, bug = lab.rule_of(algorithm, LENIENCY), lab.BUGS.get(bug_name if isinstance(bug_name, str) else "")
    if bug_name and (bug is None or algorithm not in bug.offered):
        allowed = [name for name, one in lab.BUGS.items() if algorithm in one.offered]
        raise ValueError(f"bug of {algorithm} must be {' or '.join(allowed) or 'empty'}, got {bug_name!r}")
    says = why = hint = ""
    if bug:
        rule, says, hint = bug.offered[algorithm], bug.does, bug.hint
        why = bug.why if algorithm in bug.rules else bug.why_exact
    p, q = (_probabilities(asked, name) for name in ("p", "q"))
    if len(p) != len(q):
        raise ValueError(f"p and q must have as many tokens, got {len(p)} and {len(q)}")
    theory.race_match(p, q)  # refuses what does not sum to 1
    k = _number(asked, "k", lambda value: 1 <= value <= MAX_GUESSES, f"a whole number from 1 to {MAX_GUESSES}")
    is_exact = not bug or algorithm in bug.exact
    return Subject(algorithm, bug.label if bug else "", says, why, hint, is_exact, _names(asked, len(p)), p, q, k), rule


def _probabilities(asked: Mapping[str, Any], name: str) -> list[float]:
    values = asked.get(name)
    if not isinstance(values, list) or not MIN_TOKENS <= len(values) <= MAX_TOKENS:
        raise ValueError(f"{name} must be a list of {MIN_TOKENS} to {MAX_TOKENS} probabilities")
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise ValueError(f"{name} must have numbers from 0 to 1, got {value!r}")
    return [float(value) for value in values]


def _names(asked: Mapping[str, Any], count: int) -> list[str]:
    names = asked.get("names")
    if not isinstance(names, list) or len(names) != count or not all(isinstance(name, str) and len(name) <= 40 for name in names):
        raise ValueError(f"names must be a list of {count} texts of at most 40 characters")
    return names


def _number(asked: Mapping[str, Any], name: str, allowed: Callable[[int], bool], words: str) -> int:
    value = asked.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not allowed(value):
        raise ValueError(f"{name} must be {words}, got {value!r}")
    return value
