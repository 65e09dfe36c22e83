"""What the tools tell an agent: the figures of a run, of a comparison, of a step, in a few lines of plain text, and a link to see it."""

from __future__ import annotations

import io
from typing import Any
from urllib.parse import urlencode

from rich.console import Console

import ersd
from ersd.cli.report import report
from ersd.cli.tree import draft_tree, legend
from ersd.formatting import decimal, plural
from ersd.trace.step import Step
from visual.payload.decision import decision
from visual.payload.sentences.exactness import badge
from visual.payload.sentences.headline import headline
from visual.payload.sentences.names import run_name, source_name, used
from visual.payload.sentences.nodes import text_before

from ..parameters import plain_values
from ..tabs.compare import EVERY_SOURCE

MAX_ANSWER_CHARACTERS = 2000
"""Characters of an answer."""
MAX_TEXT_CHARACTERS, MAX_LIST_CHARACTERS = 500, 500
"""Characters of a run's text, and of its list of steps."""
TREE_LINES = 20
"""Lines of a drawn tree; a larger one is left to the page."""


def run_answer(trace: ersd.Trace, address: str, models: str) -> str:
    """A run: its text, its figures, what every call gave."""
    settings = trace.settings
    steps = "\n".join(f"{step.index + 1}: {_said(step, settings)}" for step in trace.steps)
    parts = [
        f"{run_name(settings)}. {badge(settings)['words']}.",
        f"Text: {cut(trace.text, MAX_TEXT_CHARACTERS)}",
        f"Target calls:\n{cut(steps, MAX_LIST_CHARACTERS)}",
        *report(trace.steps, settings, trace.costs),
    ]
    return answer(parts, link(address, trace, models))


def comparison_answer(compared: dict[str, Any], address: str, models: str) -> str:
    """A comparison, from the answer of `/compare`: who needed fewest calls, and whether the texts are the same."""
    parts = [compared["headline"]]
    for one in compared["methods"]:
        figures = one["figures"]
        drafted = f", {figures['accepted']} of {figures['drafted']} drafted tokens accepted" if figures["drafted"] else ""
        counts = f"{plural(figures['tokens'], 'token')} in {plural(figures['steps'], 'target call')}"
        guesses = f", guesses from {source_name(one['source'])}" if one["source"] not in (None, "model") else ""
        parts.append(
            f"{one['method']}{guesses}: {counts}, {decimal(figures['tokens_per_call'])} per call{drafted}. {one['likeness']['words']}"
        )
    traces = [one["trace"] for one in compared["methods"]]
    shared = traces[0]["settings"]
    methods = compared["methods"]
    if compared["source"] == EVERY_SOURCE:
        methods = [methods[0], methods[-1]]
    query = {
        "tab": "compare",
        "methods": ",".join(one["method"] for one in methods),
        "draft_tokens": ",".join(str(one["trace"]["settings"]["draft_tokens"]) for one in methods),
        "source": compared["source"],
        "prompt": traces[0]["prompt"],
        "models": models,
        **{name: shared[name] for name in ("temperature", "top_k", "top_p", "max_new_tokens", "seed")},
    }
    return answer(parts, f"{address}/?{urlencode(query)}")


def step_answer(trace: ersd.Trace, number: int, address: str, models: str) -> str:
    """A step, by its number from 1: what was drafted, and how every token was decided."""
    step = trace.steps[number - 1]
    before = trace.prompt + "".join(one.text for earlier in trace.steps[: number - 1] for one in earlier.emitted)
    tree = _drawn(step, before)
    parts = [f"Step {number} of {len(trace.steps)}, {run_name(trace.settings)}: {_said(step, trace.settings)}."]
    for visit in step.walk:
        sent = decision(step, visit, text_before(step, visit.vertex, before))
        parts.append(f"{sent['title']} {sent['say']}")
    lines = tree.count("\n") + 1
    counts = ", ".join(f"{step.states.count(state)} {state}" for state in ("accepted", "rejected", "not reached"))
    drafted = f"Drafted: {plural(len(step.tokens), 'token')}, {counts}."
    parts.append(f"{drafted}\n{tree}" if lines <= TREE_LINES else f"{drafted} The page draws the tree.")
    return answer(parts, link(address, trace, models, step=number))


def link(address: str, trace: ersd.Trace, models: str, **more: object) -> str:
    """The page's link to this run; `models`: the pair's name there."""
    settings = trace.settings
    values = plain_values(settings)
    query = {"prompt": trace.prompt, "models": models, **{name: values[name] for name in used(settings)}, **more}
    return f"{address}/?{urlencode(query)}"


def answer(parts: list[str], address: str) -> str:
    """The parts as paragraphs, cut where they are too long, and the link, which is never cut; a longer one is left out."""
    shown = f"\n\nSee it: {address}" if len(address) < MAX_ANSWER_CHARACTERS // 2 else "\n\nThe prompt is too long for a link."
    return cut("\n".join(parts), MAX_ANSWER_CHARACTERS - len(shown)) + shown


def cut(text: str, room: int) -> str:
    """A text of at most this many characters; … says that it goes on."""
    return text if len(text) <= room else f"{text[: room - 2]} …"


def _said(step: Step, settings: ersd.Settings) -> str:
    return "".join({"accepted": "✓ ", "target": "★ "}.get(kind, "") + words for kind, words in headline(step, settings))


def _drawn(step: Step, before: str) -> str:
    """The draft tree in characters."""
    out = io.StringIO()
    console = Console(file=out, width=100, color_system=None)
    console.print(draft_tree(step, before))
    console.print(legend())
    return out.getvalue().rstrip()
