"""The pictures show what the trace holds: steps of a run of every kind, read off the screen.

What is expected is computed here and in `decision_checks` from the trace alone, without `visual`; `reading` reads the screen.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from itertools import islice

import pytest

import ersd
from ersd.trace.model import Step, Trace
from visual.payload.sentences.formatting import decimal

from .decision_checks import check_bars, check_decision, is_short_for, visible
from .driver import go_to, wait_for_step
from .reading import numbers_in, read, reads_as, show_try, show_vertex

PROMPT = "Once upon a time there was a little girl named"
RUNS = {
    "race": {"algorithm": "ersd", "topology": "tau_star", "draft_tokens": 16},
    "coins": {"algorithm": "gsd", "topology": "batch", "draft_tokens": 4, "temperature": 1.5},
    "coins of kseq": {"algorithm": "kseq", "topology": "multi_sequence", "draft_tokens": 8, "temperature": 1.5},
    "coins of gsd_wor": {"algorithm": "gsd_wor", "topology": "batch", "draft_tokens": 4, "temperature": 1.5},
    "block": {"algorithm": "block", "topology": "sequence", "draft_tokens": 5},
    "likelihood": {"algorithm": "greedy", "topology": "tau_star", "draft_tokens": 8},
}
STEPS = 5
TALL = {"width": 1440, "height": 1400}
"""A window in which a decision has room for all its rows; in a lower one the last rows are left out."""
ROOT = -1


@pytest.fixture(scope="module")
def traces(pair) -> dict[str, Trace]:
    """A run of every kind, its first steps."""

    def first_steps(fields) -> Trace:
        settings = ersd.Settings(max_new_tokens=100, seed=5, **fields)
        steps = list(islice(ersd.generate(pair, PROMPT, settings), STEPS))
        emitted = [one for step in steps for one in step.emitted]
        text, tokens = "".join(one.text for one in emitted), [one.token for one in emitted]
        return Trace(PROMPT, settings, {"target": "big", "draft": "small"}, text, tokens, steps, "max_new_tokens")

    return {name: first_steps(fields) for name, fields in RUNS.items()}


@pytest.mark.parametrize("name", RUNS)
def test_every_step_shows_what_the_trace_says(play, traces, name):
    trace = traces[name]
    page = play(trace, **TALL)
    for number, step in walked(page, trace):
        shown = read(page, "player")
        check_text(shown, trace, number)
        check_whole_run(shown, trace)
        check_theory(shown, trace.steps[:number])
        check_tree(shown, step)
        check_timeline(shown, trace, number)
        decided = [visit for visit in step.walk if visit.tries][-1]
        check_decision(shown, step, decided)
        for place in range(len(decided.tries) if decided.kind == "coins" else 0):
            show_try(page, "player", place)
            check_bars(read(page, "player"), step, decided, place)
        for visit in step.walk:
            show_vertex(page, "player", visit.vertex)
            check_decision(read(page, "player"), step, visit)


def test_an_unknown_kind_of_decision_is_drawn_with_both_sides_and_true_sentences(play, traces):
    """The browser knows kinds by their table only, so a new one needs no JavaScript."""
    renamed = json.loads(traces["likelihood"].to_json())
    for step in renamed["steps"]:
        for visit in step["walk"]:
            visit["kind"] = "another-kind"
    trace = ersd.Trace.from_json(json.dumps(renamed))
    page = play(trace, **TALL)
    for _, step in walked(page, trace):
        shown = read(page, "player")
        decided = [visit for visit in step.walk if visit.tries][-1]
        check_bars(shown, step, decided)
        assert "likely" not in shown["sentence"]
        assert "race" not in shown["sentence"]
        assert visible(decided.text) in shown["sentence"]


def walked(page, trace: Trace) -> Iterator[tuple[int, Step]]:
    """Number and step, from the first to the last, each when it is on the screen; by the keys."""
    go_to(page, 1)
    for number, step in enumerate(trace.steps, 1):
        wait_for_step(page, number)
        yield number, step
        page.keyboard.press("ArrowRight")


# --- text, tiles, theory, tree, timeline ------------------------------------------------------------------------------------------


def check_text(shown, trace: Trace, number: int) -> None:
    emitted = [(one, index) for index, step in enumerate(trace.steps) for one in step.emitted]
    assert [one["words"] for one in shown["text"]] == [one.text for one, _ in emitted]
    for span, (one, index) in zip(shown["text"], emitted, strict=True):
        assert one.source in span["classes"]
        assert span["step"] == index
        assert ("here" in span["classes"]) == (index == number - 1)
        assert ("later" in span["classes"]) == (index > number - 1)
    assert re.fullmatch(rf"Step \s*{number} of {len(trace.steps)}", shown["where"])


def check_whole_run(shown, trace: Trace) -> None:
    tokens, calls = sum(len(step.emitted) for step in trace.steps), len(trace.steps)
    assert shown["figures"] == {"per_call": decimal(tokens / calls), "scope": "whole run"}


def check_theory(shown, steps: list[Step]) -> None:
    theory = shown["theory"]
    visits = [visit for step in steps for visit in step.walk if visit.tries]
    assert reads_as(theory["acceptance"]["measured"], sum(visit.accepted for visit in visits) / len(visits))
    for line, name in (("predicted", "predicted"), ("predicted ≤", "optimum")):
        known = [value for value in (getattr(visit, name) for visit in visits) if value is not None]
        if line in theory["acceptance"]:
            assert reads_as(theory["acceptance"][line], sum(known) / len(known) if known else None)
        else:
            assert not known, f"the {name} is known and not shown"
    if "predicted ≤" in theory["acceptance"]:
        assert float(theory["acceptance"]["predicted"]) <= float(theory["acceptance"]["predicted ≤"])
    calls = theory["calls"]
    assert reads_as(calls["measured"], sum(len(step.emitted) for step in steps) / len(steps))
    (expected,) = (value for line, value in calls.items() if line == f"expected, step {len(steps)}")
    expected = expected.removeprefix("≥ ")
    assert reads_as(expected, steps[-1].expected)
    (limit,) = (line for line in calls if line.startswith("≤"))
    levels = 1 + max(max(step.depths) for step in steps)
    assert reads_as(calls[limit], steps[-1].bound if limit == "≤ by H[R]" else levels)
    assert float(expected) <= float(calls[limit]) <= levels


def check_tree(shown, step: Step) -> None:
    vertices = {vertex["id"]: vertex for vertex in shown["vertices"]}
    drawn = {vertex["state"] for vertex in shown["vertices"]} - {"root"}
    drawn |= {"twice"} if any(times > 1 for times in step.draws) else set()
    drawn |= {"space"} if any(" " in text for text in (*step.texts, step.walk[-1].text)) else set()
    assert set(shown["tree_legend"]) - {"tries"} == drawn, "the legend lists what is in the picture"
    own = [] if step.walk[-1].accepted else [len(step.tokens)]
    assert sorted(vertices) == [ROOT, *range(len(step.tokens)), *own]
    places = [(vertex["column"], vertex["lane"]) for vertex in vertices.values()]
    assert len(set(places)) == len(places)
    accepted = [one.vertex for visit in step.walk for one in visit.tries if one.accepted]
    tried = {one.vertex for visit in step.walk for one in visit.tries} | {one.vertex for one in step.block}
    for vertex, text in enumerate(step.texts):
        expected = "accepted" if vertex in accepted else "rejected" if vertex in tried else "open"
        assert vertices[vertex]["state"] == expected, f"vertex {vertex}"
        times = step.draws[vertex] if step.draws else 1
        assert vertices[vertex]["label"].endswith(f" ×{times}") == (times > 1)
        assert vertices[vertex]["column"] == step.depths[vertex]
        assert is_short_for(vertices[vertex]["label"].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"), visible(text))
        assert reads_as(numbers_in(html.unescape(vertices[vertex]["hover"].split("<br>")[1]))[0], step.draft_probs[vertex], digits=3)
    for vertex in own:
        assert vertices[vertex]["state"] == "target"
        assert is_short_for(vertices[vertex]["label"], visible(step.walk[-1].text))


def check_timeline(shown, trace: Trace, number: int) -> None:
    accepted = [sum(one.source == "draft" for one in step.emitted) for step in trace.steps]
    assert shown["timeline"] == [accepted, [len(step.emitted) - kept for step, kept in zip(trace.steps, accepted, strict=True)]]
    assert shown["solid"] == [number - 1], "the step in view, and no other"
