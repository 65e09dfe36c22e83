"""Reading traces: what was recorded comes back equal; anything else is refused by a sentence that names the field."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import ersd
from ersd.trace import reader
from ersd.trace.model import OLDEST_VERSION, VERSION

from ..hostile import LONGEST, refusal

RECORDED = sorted((Path(__file__).parents[3] / "assets" / "recorded").rglob("*.json"))


@pytest.fixture(scope="module")
def plain(pair) -> dict:
    """A short trace as plain data."""
    return json.loads(ersd.run(pair, "Once", ersd.Settings("block", "sequence", draft_tokens=2, max_new_tokens=4)).to_json())


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_trace_comes_back_equal(path):
    text = path.read_text(encoding="utf-8")
    trace = ersd.Trace.from_json(text)
    written = json.loads(trace.to_json())
    assert [step.pop("states") for step in written["steps"]] == [step.states for step in trace.steps]
    recorded = json.loads(text)
    recorded["settings"] = {"keys": "position", "price": 0.0, "frequent_tokens": 1024} | recorded["settings"]  # newer than some
    for step in recorded["steps"]:
        step.pop("states", None)
    if recorded["version"] == OLDEST_VERSION:
        recorded["version"] = VERSION
        assert [step.pop(name) for step in written["steps"] for name in ("draft_calls_ms", "target_call_ms")] == 2 * len(trace.steps) * [[]]
    assert written == {"costs": None, **recorded}  # some were recorded before there were costs and states
    assert ersd.Trace.from_json(trace.to_json()) == trace
    assert all(type(value) is float for step in trace.steps for visit in step.walk for row in visit.rows for value in (row.p, *row.left))


def paths(data, path=()):
    """Every path into nested plain data."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield (*path, key)
        yield from paths(value, (*path, key))


def changed(data, path, value):
    """The data with another value at one path; `...` removes what is there."""
    made = copy.deepcopy(data)
    holder = made
    for key in path[:-1]:
        holder = holder[key]
    if value is ...:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return made


WRONG = st.sampled_from(
    [..., None, True, -7, 10**30, 1.0, 1e999, float("nan"), "x", "\ud800", "<img src=x onerror=alert(1)>", [], {}, [None], {"x": 1}]
)


@settings(max_examples=200)
@given(st.data())
def test_a_trace_that_was_tampered_with_is_read_whole_or_refused(plain, data):
    text = json.dumps(changed(plain, data.draw(st.sampled_from(list(paths(plain)))), data.draw(WRONG)))
    message = refusal(lambda: ersd.Trace.from_json(text))
    assert len(message) < LONGEST
    if not message:
        trace = ersd.Trace.from_json(text)
        assert ersd.Trace.from_json(trace.to_json()) == trace
        trace.to_json().encode()
        assert trace.stats["tokens"] == len(trace.token_ids)


STEP = ("steps", 0)
RANKS = {"ranks": [1], "room": 4, "prior": [], "prior_visits": 0}


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        # types
        ((*STEP, "emitted", 0, "text"), 5, "trace.steps[0].emitted[0].text must be text of whole characters, got 5"),
        ((*STEP, "tokens", 1), 1.0, "trace.steps[0].tokens[1] must be a whole number, got 1.0"),
        ((*STEP, "tokens", 1), True, "trace.steps[0].tokens[1] must be a whole number, got True"),
        ((*STEP, "tokens", 1), 2**63, "trace.steps[0].tokens[1] must be a whole number, got 9223372036854775808"),
        ((*STEP, "draft_ms"), "1", "trace.steps[0].draft_ms must be a number, got '1'"),
        ((*STEP, "draft_ms"), float("inf"), "trace.steps[0].draft_ms must be a number, got inf"),
        ((*STEP, "walk", 0, "tv"), 10**400, "trace.steps[0].walk[0].tv must be a number, got a number of more than 200 digits"),
        ((*STEP, "walk", 0, "accepted"), 1, "trace.steps[0].walk[0].accepted must be true or false, got 1"),
        ((*STEP, "walk"), {}, "trace.steps[0].walk must be a list, got {}"),
        ((*STEP, "walk", 0), [], "trace.steps[0].walk[0] must be a list of named values, got []"),
        (("models",), [], "trace.models must be a list of named values, got []"),
        (("models", "draft"), None, "trace.models.draft must be text of whole characters, got None"),
        ((*STEP, "surprise"), 5, "trace.steps[0] has no part called 'surprise'"),
        ((*STEP, "tokens"), ..., "trace.steps[0].tokens is missing"),
        (("settings",), 3, "trace.settings must be a list of named values, got 3"),
        (("settings", "seed"), -1, "seed must be a whole number from 0 to 9007199254740991, got -1"),
        (("settings", "x"), -1, "x is not a setting"),
        (("ranks",), RANKS | {"prior_visits": 0.5}, "trace.ranks.prior_visits must be a whole number, got 0.5"),
        # parts that do not fit
        ((*STEP, "parents", 1), 5, "trace.steps[0].parents[1] must be a node before it, or -1, got 5"),
        ((*STEP, "parents", 0), 1, "trace.steps[0].parents[0] must be a node before it, or -1, got 1"),
        ((*STEP, "depths"), [1], "trace.steps[0].depths must be as many as tokens, 2, got 1"),
        ((*STEP, "depths", 1), 3, "trace.steps[0].depths[1] must be 2, got 3"),
        ((*STEP, "tokens"), [0] * 257, "trace.steps[0].tokens must be at most 256, got 257"),
        ((*STEP, "draws"), [1], "trace.steps[0].draws must be as many as tokens, 2, or none, got 1"),
        ((*STEP, "draft_probs", 0), 1.5, "trace.steps[0].draft_probs[0] must be a probability, got 1.5"),
        ((*STEP, "walk"), [], "trace.steps[0].walk must be at least one visit"),
        ((*STEP, "walk", 0, "vertex"), 2, "trace.steps[0].walk[0].vertex must be a node, or -1, got 2"),
        ((*STEP, "walk", 0, "vertex"), 0, "trace.steps[0].walk must be at least a visit of the root, got "),
        ((*STEP, "walk", 0, "tries", 0, "vertex"), 9, "trace.steps[0].walk[0].tries must be of nodes of the tree, got 9"),
        ((*STEP, "walk", 0, "tries", 0), ..., "trace.steps[0].walk[0].tries must be 1 accepted one, as the visit says, got 0"),
        ((*STEP, "block", 0, "vertex"), -1, "trace.steps[0].block must be of nodes of the tree, got -1"),
        ((*STEP, "emitted", 0, "source"), "x", "trace.steps[0].emitted[0].source must be draft or target, got 'x'"),
        ((*STEP, "emitted", 0), ..., "trace.steps[0].emitted[0] must be the token that the walk chose, "),
        ((*STEP, "emitted", 0, "source"), "target", "trace.steps[0].emitted[1] must be the last token, since it comes after one of the "),
        ((*STEP, "emitted", -1, "source"), "draft", "trace.steps[0].emitted[2] must be a drafted token after the one before it, got "),
        ((*STEP, "emitted"), [], "trace.steps[0].emitted must be at least one token"),
        ((*STEP, "index"), 1, "trace.steps[0].index must be 0, got 1"),
        (("token_ids", 0), 1, "trace.token_ids must be the tokens that the steps emit"),
        (("ranks",), RANKS, "trace.ranks.ranks must be as many as tokens, 4, got 1"),
        (("stopped",), "bored", "trace.stopped must be one of end of text"),
        (("models",), {}, "trace.models.target is missing"),
        (("version",), 1, "this is not a trace of version 2 to 3"),
    ],
)  # fmt: skip
def test_the_field_that_cannot_be_is_named(plain, path, value, message):
    text = json.dumps(changed(plain, path, value))
    assert refusal(lambda: ersd.Trace.from_json(text)).startswith(message)


def nested(inner):
    return st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["version", "steps", "settings"]), inner, max_size=3)


json_texts = st.recursive(st.none() | st.integers() | st.text(max_size=5), nested, max_leaves=8).map(json.dumps)


@settings(max_examples=50)
@given(st.text(max_size=50) | json_texts)
def test_what_is_no_trace_is_refused(text):
    assert refusal(lambda: ersd.Trace.from_json(text)).startswith("this is not ")


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"version": NaN}', '{"version": ' + "9" * 5000 + "}", "\x00", "", "\ud800", '{"version": "\\ud800"}']
)
def test_what_is_not_json_is_refused_in_one_sentence(text):
    message = refusal(lambda: ersd.Trace.from_json(text))
    assert message.startswith("this is not ")
    assert len(message) < LONGEST


def test_many_faults_are_counted_and_not_described(monkeypatch):
    monkeypatch.setattr(reader, "MAX_ERRORS", 1000)
    text = json.dumps({"version": 2, "models": {str(number): number for number in range(1001)}})
    assert refusal(lambda: ersd.Trace.from_json(text)) == "this is not a trace: 1,007 of its parts are wrong"


@pytest.mark.parametrize(("step", "problem"), [("{}", ".index is missing"), ("1", " must be a list of named values, got 1")])
def test_of_a_million_wrong_steps_the_first_is_named(step, problem):
    """To report all takes gigabytes."""
    whole = {"version": 2, "prompt": "", "settings": {}, "models": {}, "text": "", "token_ids": [], "stopped": "", "steps": "MANY"}
    text = json.dumps(whole).replace('"MANY"', f"[{','.join([step] * 10**6)}]")
    assert refusal(lambda: ersd.Trace.from_json(text)) == f"trace.steps[0]{problem}"
