"""Settings, traces and links, given anything at all: either they are taken, or a ValueError says in a few words what is wrong."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given, settings, strategies as st

import ersd
from ersd.settings import MOST_CHARACTERS, RANGES

FIELDS = ersd.Settings().to_dict()
TRICKY = [
    0, 1, -1, 2**53, 10**400, -(10**400), 0.5, 1e308, float("nan"), float("inf"), -float("inf"), True, None, "", " ", "4", "9" * 5000, "²",
    "\x00\x1b[2J", "😀", "\ud800", "\u202eabc", "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', [], [1] * 5000, {}, b"x",
    "ersd", "gsd", "dynamic", "sequence", (2, 1), [2, 1.5], [[1]], {"path": "x"}, "4,2", ",", "1," * 100, object,
]  # fmt: skip
anything = st.one_of(st.sampled_from(TRICKY), st.integers(), st.floats(), st.text(max_size=20), st.lists(st.integers(-5, 300), max_size=20))
LONGEST = 700


def refusal(attempt) -> str:
    """What a call says that refuses its arguments; empty if it takes them."""
    try:
        attempt()
    except ValueError as error:
        return str(error)
    return ""


@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from(sorted(FIELDS)), anything, max_size=4))
def test_settings_take_what_is_in_range_and_name_the_field_of_what_is_not(values):
    said = refusal(lambda: ersd.Settings(**values))
    if said:
        assert said.split(" ")[0] in values or said.startswith("topology must be one of")
        assert len(said) < LONGEST
        return
    made = ersd.Settings(**values)
    for name, between in RANGES.items():
        assert between.low <= getattr(made, name) <= between.high
    assert ersd.Settings.from_dict(json.loads(json.dumps(made.to_dict()))) == made


@settings(max_examples=100)
@given(st.one_of(anything, st.text(max_size=200)))
def test_prompts_are_taken_or_refused_in_words(pair, prompt):
    said = refusal(lambda: pair.encode(prompt))
    assert not said or said.startswith("prompt must ")
    assert len(said) < LONGEST


def test_the_longest_prompt_is_counted_before_it_is_read(pair):
    assert "at most 1,000,000 characters, got 1,000,001" in refusal(lambda: pair.encode("x" * (MOST_CHARACTERS + 1)))


@pytest.fixture(scope="module")
def plain(pair) -> dict:
    """A trace as plain data."""
    return json.loads(ersd.run(pair, "Once", ersd.Settings("block", "sequence", draft_tokens=2, max_new_tokens=4)).to_json())


def places(data, path=()):
    """Every place in nested plain data."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield (*path, key)
        yield from places(value, (*path, key))


def changed(data, path, value):
    """The data with something else at one place; `...` takes it away."""
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
    [..., None, True, -7, 10**30, 1e999, float("nan"), "x", "\ud800", "<img src=x onerror=alert(1)>", [], {}, [None], {"x": 1}]
)


@settings(max_examples=400)
@given(st.data())
def test_a_trace_that_was_tampered_with_is_read_whole_or_refused_with_the_place(plain, data):
    path = data.draw(st.sampled_from(list(places(plain))))
    text = json.dumps(changed(plain, path, data.draw(WRONG)))
    said = refusal(lambda: ersd.Trace.from_json(text))
    assert len(said) < LONGEST
    if not said:
        trace = ersd.Trace.from_json(text)
        assert ersd.Trace.from_json(trace.to_json()) == trace
        trace.to_json().encode()
        assert trace.stats["tokens"] == len(trace.token_ids)


def nested(inner):
    return st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["version", "steps", "settings"]), inner, max_size=3)


json_texts = st.recursive(st.none() | st.integers() | st.text(max_size=5), nested, max_leaves=8).map(json.dumps)


@settings(max_examples=100)
@given(st.text(max_size=50) | json_texts)
def test_what_is_no_trace_is_refused(text):
    assert refusal(lambda: ersd.Trace.from_json(text)).startswith("this is not ")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ((("steps", 0, "parents", 1), 5), "trace.steps[0].parents[1] must be a vertex before it, or -1, got 5"),
        ((("steps", 0, "parents", 0), 1), "trace.steps[0].parents[0] must be a vertex before it, or -1, got 1"),
        ((("steps", 0, "depths"), [1]), "trace.steps[0].depths must be as many as tokens, 2, got 1"),
        ((("steps", 0, "draft_probs", 0), 1.5), "trace.steps[0].draft_probs[0] must be a probability, got 1.5"),
        ((("steps", 0, "walk"), []), "trace.steps[0].walk must be at least one visit"),
        ((("steps", 0, "walk", 0, "tries", 0, "vertex"), 9), "trace.steps[0].walk[0].tries must be of vertices of the tree, got 9"),
        ((("steps", 0, "walk", 0, "tries", 0), ...), "trace.steps[0].walk[0].tries must be 1 accepted one, as the visit says, got 0"),
        ((("steps", 0, "emitted", 0, "source"), "x"), "trace.steps[0].emitted[0].source must be draft or target, got 'x'"),
        ((("steps", 0, "emitted", 0), ...), "trace.steps[0].emitted must be the tokens that the walk chose, ["),
        ((("steps", 0, "emitted", 0, "text"), 5), "trace.steps[0].emitted[0].text must be text of whole characters, got 5"),
        ((("steps", 0, "surprise"), 5), "trace.steps[0] has no part called 'surprise'"),
        ((("steps", 0, "tokens"), ...), "trace.steps[0].tokens is missing"),
        ((("token_ids", 0), 1), "trace.token_ids must be the tokens that the steps emit"),
        ((("stopped",), "bored"), "trace.stopped must be one of end of text"),
        ((("models",), {}), "trace.models.target is missing"),
        ((("settings", "seed"), -1), "seed must be a whole number"),
        ((("settings", "x"), -1), "x is not a setting"),
    ],
)
def test_the_place_of_what_cannot_be_is_named(plain, change, words):
    made = changed(plain, *change)
    assert refusal(lambda: ersd.Trace.from_json(json.dumps(made))).startswith(words)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"version": NaN}', '{"version": ' + "9" * 5000 + "}", "\x00", ""])
def test_what_is_not_json_is_told(text):
    assert refusal(lambda: ersd.Trace.from_json(text)).startswith("this is not ")
