"""The pictures show what the trace holds: steps of a run of every kind, read off the screen.

What is expected is computed here from the trace alone; of `visual` only the names of tokens are used. `reading` reads the screen.
"""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Iterator
from itertools import islice

import pytest

import ersd
from ersd.trace.model import Trace
from ersd.trace.step import Row, Step, Visit
from visual.payload.decision import opening
from visual.payload.sentences.formatting import decimal, token_label
from visual.payload.sentences.kinds.table import KINDS, run_kind

from .driver import go_to, wait_for_step
from .reading import PIXELS, Axis, at_height, middle, numbers_in, read, reads_as, show_vertex

PROMPT = "Once upon a time there was a little girl named"
RUNS = {
    "race": {"algorithm": "ersd", "topology": "tau_star", "draft_tokens": 16},
    "coins": {"algorithm": "gsd", "topology": "batch", "draft_tokens": 4, "temperature": 1.5},
    "coins of kseq": {"algorithm": "kseq", "topology": "multi_sequence", "draft_tokens": 8, "temperature": 1.5},
    "coins of gsd_wor": {"algorithm": "gsd_wor", "topology": "batch", "draft_tokens": 4, "temperature": 1.5},
    "block": {"algorithm": "block", "topology": "sequence", "draft_tokens": 5},
    "likelihood": {"algorithm": "greedy", "topology": "tau_star", "draft_tokens": 8},
    "favourites": {"algorithm": "spechub", "topology": "specinfer", "branching": (3, 2), "temperature": 1.5},
    "half_race": {"algorithm": "half_race", "topology": "tau_star", "draft_tokens": 8},
    "laps": {"algorithm": "ersd", "topology": "poisson", "draft_tokens": 24, "sequences": 8, "temperature": 1.5},
}
STEPS = 2
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
        opened = opening(step, KINDS[run_kind(trace.settings)])
        check_decision(shown, step, next(visit for visit in step.walk if visit.vertex == opened))
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
        decided = step.walk[-1]
        check_bars(shown, decided)
        assert "likely" not in shown["sentence"]
        assert "race" not in shown["sentence"]
        assert bare(token_label(decided.text, decided.token)) in shown["sentence"]


def walked(page, trace: Trace) -> Iterator[tuple[int, Step]]:
    """Number and step, from the first to the last, each when it is on the screen; by the keys."""
    go_to(page, 1)
    for number, step in enumerate(trace.steps, 1):
        wait_for_step(page, number)
        yield number, step
        page.keyboard.press("ArrowRight")


# --- text, figures, theory, tree, timeline ----------------------------------------------------------------------------------------


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
    assert shown["figures"] == {"per_call": decimal(tokens / calls), "scope": "one text"}


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
    """Every token has its state; of a folded tree those that are shown by themselves."""
    vertices = {vertex["id"]: vertex for vertex in shown["vertices"] if vertex["id"] is not None}
    own = [] if step.walk[-1].accepted else [len(step.tokens)]
    assert {ROOT, *own} <= set(vertices) <= {ROOT, *range(len(step.tokens)), *own}
    accepted = [one.vertex for visit in step.walk for one in visit.tries if one.accepted]
    tried = {one.vertex for visit in step.walk for one in visit.tries} | {one.vertex for one in step.block}
    path = [ROOT, *accepted, *own]
    assert len({vertices[vertex]["y"] for vertex in path if vertex in vertices}) == 1, "the path is one row, the highest"
    assert min(vertex["y"] for vertex in vertices.values()) == vertices[ROOT]["y"]
    for vertex, text in enumerate(step.texts):
        if vertex not in vertices:
            continue
        expected = "accepted" if vertex in accepted else "rejected" if vertex in tried else "not reached"
        assert vertices[vertex]["state"] == expected, f"vertex {vertex}"
        label = re.sub(r"<[^>]+>|[✓✕★]", "", html.unescape(vertices[vertex]["label"])).strip()
        if label:  # else it is a dot
            times = step.draws[vertex] if step.draws else 1
            assert label.endswith(f"×{times}") == (times > 1)
            assert is_short_for(label.partition(" ×")[0], token_label(text, step.tokens[vertex]))
        assert reads_as(numbers_in(html.unescape(vertices[vertex]["hover"].split("<br>")[1]))[0], step.draft_probs[vertex], digits=3)
    for vertex in own:
        assert vertices[vertex]["state"] == "target"


def check_timeline(shown, trace: Trace, number: int) -> None:
    accepted = [sum(one.source == "draft" for one in step.emitted) for step in trace.steps]
    assert shown["timeline"] == [accepted, [len(step.emitted) - kept for step, kept in zip(trace.steps, accepted, strict=True)]]
    assert shown["solid"] == [number - 1], "the step in view, and no other"


# --- a decision -------------------------------------------------------------------------------------------------------------------


def check_decision(shown, step: Step, visit: Visit) -> None:
    assert shown["title"].split(":")[0].split()[1] == str(step.number_of(visit)), "numbered as over the tree"
    check_bars(shown, visit)
    if visit.kind == "race":
        check_numbers(shown, visit)
    check_tries(shown, step, visit)
    if not (visit.kind == "block" and visit.accepted):  # then the sentence is about coins alone
        assert bare(token_label(visit.text, visit.token)) in shown["sentence"], shown["sentence"]
    here = shown["theory"].get("here", {})
    assert reads_as(here.get("predicted", "–"), visit.predicted)


def check_bars(shown, visit: Visit) -> None:
    """A row per token in the trace's order; every bar ends at its value on its axis."""
    names = shown["names"]
    assert len(names) == len(visit.rows)
    for name, row in zip(names, visit.rows, strict=True):
        assert is_short_for(name["words"].partition(" ×")[0], token_label(row.text, row.token))
    lane = sum(middle_across(name) for name in names) / len(names)
    for side in ("draft", "target"):
        values = values_of(visit, side)
        bars = shown[side]["outlines"] or shown[side]["bars"]
        if values is None:
            assert bars == []
            continue
        ticks = [tick for tick in shown["ticks"] if (middle_across(tick) < lane) == (side == "draft")]
        axis = Axis.of(ticks, logarithmic=visit.kind == "race" or (visit.kind == "half_race" and side == "target"))
        if visit.kind == "laps" and side == "draft":
            check_laps(names, bars, visit, axis)
            continue
        assert len(bars) == len(values)
        for name, bar, value in zip(names, bars, values, strict=True):
            assert abs(middle(bar) - middle(name)) < 4, "a bar is in the row of its token"
            assert_length(bar, value, axis, grows_left=side == "draft")


def check_laps(names, bars, visit: Visit, axis: Axis) -> None:
    """Laps end to end, a bar for each arrival, ended where it arrived; what does not arrive in time goes on beyond the last arrival."""
    stop = axis.pixel(visit.arrivals[-1].time)
    for name, row in zip(names, visit.rows, strict=True):
        own = [bar for bar in bars if abs(middle(bar) - middle(name)) < 4]
        times = [one.time for one in visit.arrivals if one.token == row.token]
        for time in times:
            assert min(abs(bar["left"] - axis.pixel(time)) for bar in own) <= PIXELS
        if times:
            assert min(bar["left"] for bar in own) >= stop - PIXELS
        else:
            assert_length(own[0], arrival(row, row.q), axis, grows_left=True)
            assert own[0]["left"] < stop - PIXELS or arrival(row, row.q) < 1.05 * visit.arrivals[-1].time


def values_of(visit: Visit, side: str) -> list[float] | None:
    """Arrival times in a race, else probabilities, row by row. The draft has no clocks in half a race."""
    if side == "draft" and all(row.q is None for row in visit.rows):
        return None
    if visit.kind in ("race", "laps") or (visit.kind == "half_race" and side == "target"):
        return [arrival(row, row.q if side == "draft" else row.p) for row in visit.rows]
    if side == "draft":
        return [row.q or 0.0 for row in visit.rows]
    return [row.p for row in visit.rows]


def arrival(row: Row, chance: float | None) -> float:
    assert row.clock is not None
    return row.clock / chance if chance else math.inf


def assert_length(bar, value: float, axis: Axis, grows_left: bool) -> None:
    end = bar["left"] if grows_left else bar["right"]
    first, last = (0.01, 100.0) if axis.logarithmic else (0.0, axis.ticks[-1][0])
    onward = -1 if grows_left else 1
    if value > last:
        assert (end - axis.pixel(last)) * onward >= -PIXELS
    elif value <= 1.5 * first:
        assert bar["right"] - bar["left"] <= 20, "the least length"
    elif abs(axis.pixel(value) - axis.pixel(max(first, 1e-9) if axis.logarithmic else 0.0)) > 8:
        assert abs(end - axis.pixel(value)) <= PIXELS, (value, bar, axis)


def check_numbers(shown, visit: Visit) -> None:
    """The divisions printed beside the bars come out, and say what the trace holds."""
    children = {row.token for row in visit.rows[: len({one.vertex for one in visit.tries})]}
    for name, row in zip(shown["names"], visit.rows, strict=True):
        if row.token != visit.token and row.token not in children:
            continue
        clock = at_height(shown["clocks"], middle(name))
        assert clock is not None
        assert reads_as(clock["words"], row.clock)
        for side, chance in (("draft", row.q), ("target", row.p)):
            if not chance:
                continue
            texts = [one["words"] for one in shown[side]["within"] + shown[side]["beyond"] if abs(middle(one) - middle(name)) < 6]
            numbers = numbers_in(re.sub(r"\b\d+(?:st|nd|rd|th)\b", "", " ".join(texts).replace("÷.", "÷ 0.")))
            assert "÷" not in "".join(texts) or any(reads_as(one, chance) for one in numbers), (texts, chance)
            time = arrival(row, chance)
            assert any(reads_as(one, time) for one in numbers) or "k" in " ".join(texts) or time > 999, (texts, time)


def check_tries(shown, step: Step, visit: Visit) -> None:
    """A row per coin: the token, where its coin lies and up to where it is kept."""
    if step.block:
        kept = sum(one.source == "draft" for one in step.emitted)
        expected = [
            (step.texts[one.vertex], step.tokens[one.vertex], one.coin, one.keep, place < kept) for place, one in enumerate(step.block)
        ]
        assert [one["isCut"] for one in shown["tries"]] == [place == kept - 1 for place in range(len(expected))]
    elif visit.kind in ("coins", "favourites"):
        expected = [(step.texts[one.vertex], step.tokens[one.vertex], one.coin, one.ratio, one.accepted) for one in visit.tries]
    else:
        expected = []
    assert len(shown["tries"]) == len(expected)
    for row, (text, token, coin, keep, is_kept) in zip(shown["tries"], expected, strict=True):
        assert row["state"] == ("accepted" if is_kept else "rejected")
        assert row["name"] == token_label(text, token)
        assert abs(float(row["coin"]) - coin) < 1e-3
        assert abs(float(row["keep"]) - min(1.0, keep)) < 1e-3
        assert reads_as(numbers_in(row["says"])[0], coin)
        assert ("not below" in row["says"]) == (coin >= keep) or "remains" in row["says"] or "limit" in row["says"]


def middle_across(box) -> float:
    return (box["left"] + box["right"]) / 2


def bare(label: str) -> str:
    """A token as it stands in a box: without the quotation marks of punctuation."""
    return re.sub("^“(.*)”$", r"\1", label)


def is_short_for(label: str, name: str) -> bool:
    """A label is a name or its beginning."""
    return name.startswith(label.removesuffix("…"))
