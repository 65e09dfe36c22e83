"""Whose race was this: a run sends the clocks of the test for its seed, its words come out, and every bad request is named."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from scipy.stats import gamma

import ersd
from ersd.trace.model import Trace
from visual.payload.message_types.panels import TextOfClocks
from visual.payload.message_types.run import StepMessage
from visual.payload.messages import messages
from visual.payload.watermark import MAX_BYTES, clock_sum, scientific, text_of_clocks
from visual.server.pairs import Pairs
from visual.server.watermark import answer

from .fakes import BY_KIND, bare_step, coin_step, race_step, trace
from .fits import problems

PROMPT = "Once upon a time there was a little girl named"
SETTINGS = ersd.Settings("ersd", "tau_star", 12, temperature=0.8, seed=12, max_new_tokens=96)


@pytest.fixture(scope="module")
def runs(pair):
    """By the keys of the clocks."""
    return {keys: ersd.run(pair, PROMPT, replace(SETTINGS, keys=keys)) for keys in ("position", "context")}


@pytest.fixture(scope="module")
def pairs(pair):
    made = Pairs({"own": lambda: pair, "other": lambda: pair})
    made.get("own")
    return made


def sent(run: Trace) -> list[dict]:
    return [step["clocks"] for step in map(json.loads, messages(run)) if step["type"] == "step"]


@pytest.mark.parametrize("keys", ["position", "context"])
def test_the_clocks_of_a_run_are_those_of_the_test(runs, pair, keys):
    run = runs[keys]
    before = pair.encode(PROMPT)
    # with its prompt, since a context of the prompt is not tested again
    found = ersd.watermark([*before, *run.token_ids], 12, 0, keys).clocks[len(before) :]
    clocks = [clock for part in sent(run) for clock in part["clocks"]]
    assert clocks == [None if clock is None else pytest.approx(clock, rel=1e-4) for clock in found]
    last = sent(run)[-1]["sum"]
    assert last["count"] == sum(clock is not None for clock in found)
    assert float(last["total"]) == pytest.approx(sum(clock for clock in found if clock is not None), abs=0.006)
    assert last["is_recognised"]
    assert sent(run)[0]["start"] == len(before)
    assert Trace.from_json(run.to_json()) == run


def test_a_draft_changes_no_clock_and_coins_have_none(runs, pair):
    def clocks(run: Trace) -> list:
        return [clock for part in sent(run) for clock in part["clocks"]]

    plain = ersd.run(pair, PROMPT, replace(SETTINGS, algorithm="autoregressive"))
    assert clocks(plain) == [pytest.approx(clock, rel=1e-4) for clock in clocks(runs["position"])]
    *_, coins, _ = map(json.loads, messages(replace(trace(coin_step()), settings=BY_KIND["coins"])))
    assert "clocks" not in coins


def test_a_step_made_by_hand():
    _, first, second, _ = map(json.loads, messages(trace(race_step(), bare_step("race"))))
    assert problems(first, StepMessage) == problems(second, StepMessage) == []
    assert first["clocks"]["clocks"] == [0.06, 0.27]
    assert first["clocks"]["p"] == [0.5, 0.6]
    assert first["clocks"]["sum"]["total"] == "0.33"
    step = race_step()
    repeated = replace(step, emitted=[replace(step.emitted[0], is_repeated=True), step.emitted[1]])
    _, only, _ = map(json.loads, messages(trace(repeated)))
    assert only["clocks"]["clocks"] == [None, 0.27]
    assert only["clocks"]["sum"]["count"] == 1


@pytest.mark.parametrize(("total", "count"), [(54.9, 96), (91.44, 97), (75.39, 97), (130.0, 96), (0.01, 2), (1.0, 96)])
def test_what_is_printed_can_be_checked_with_a_calculator(total, count):
    found = clock_sum(12, total, count)
    number, printed, pvalue = re.search(r"P\(Gamma\((\d+), 1\) ≤ ([\d.]+)\) = ([^ ]+(?: × 10[⁻\d⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)\.", found["says"]).groups()
    expected = gamma.cdf(float(printed), int(number))
    assert pvalue == scientific(expected)
    rare = re.search(r"(\d+) of ([\d.,]+) ?((?:million ?)*)other texts", found["says"])
    if rare:
        size = 1e6 ** rare[3].count("million")
        assert float(rare[1]) / (float(rare[2].replace(",", "")) * size) == pytest.approx(expected, rel=0.06, abs=0.005)
    assert found["is_recognised"] == (expected <= 1e-3)
    assert found["low"] < count < found["high"] or count < 4


def test_words():
    assert [scientific(value) for value in (0.0, 3.4e-7, 0.00123, 0.0094, 0.5, 0.999, 1.0)] == [
        "0", "3.4 × 10⁻⁷", "0.0012", "0.0094", "0.50", "1", "1",
    ]  # fmt: skip
    assert "So small a sum comes in 1 of 3.1 million other texts" in clock_sum(12, 54.9, 96)["says"]
    assert "So small a sum comes in 63 of 100 other texts" in clock_sum(12, 98.9, 96)["says"]
    assert clock_sum(7, 54.9, 96)["headline"] == "✓ Recognised: the clocks of seed 7 wrote this text"
    assert clock_sum(7, 90.0, 96)["headline"] == "? Cannot tell whether seed 7 wrote this text"
    nothing = clock_sum(7, 0.0, 0)
    assert (nothing["is_recognised"], nothing["says"]) == (False, "No clock can be tested yet.")


def test_further_seeds_are_corrected_for_and_said():
    once, often = clock_sum(12, 67.5, 96), clock_sum(12, 67.5, 96, tests=40)
    assert once["is_recognised"]
    assert not often["is_recognised"], "as small a sum is no wonder after 40 tries"
    said = re.search(r"1 − \(1 − ([\d.]+) × 10⁻⁴\)\^40 = ([\d.]+)\. Recognised: from 1 of 1,000\.$", often["says"])
    assert float(said[2]) == pytest.approx(1 - (1 - float(said[1]) * 1e-4) ** 40, abs=0.0006)
    assert "40 seeds or starts were tried on this text" in often["says"]


def asked(pairs, **changes):
    fields = {"text": " Mia. Mia loved to play", "seed": "12", "start": "11", "keys": "position", "models": "own", "tests": 1}
    return json.loads(answer(pairs, fields | changes))


@pytest.mark.parametrize("keys", ["position", "context"])
def test_a_text_is_tested_as_in_the_terminal(runs, pairs, keys):
    run = runs[keys]
    text = "".join(one.text for step in run.steps for one in step.emitted)
    start = run.steps[0].position
    found = asked(pairs, text=text, start=str(start), keys=keys)
    assert problems(found, TextOfClocks) == []
    expected = ersd.watermark(run.token_ids, 12, start, keys)
    assert found["clocks"] == [None if clock is None else pytest.approx(clock, rel=1e-4) for clock in expected.clocks]
    assert "".join(found["texts"]) == text
    assert found["sum"]["is_recognised"]
    assert found["band"][-1][0] == found["sum"]["count"] == expected.count
    assert not asked(pairs, text=text, start=str(start), keys=keys, seed=" 13 ")["sum"]["is_recognised"]
    # a word in the front part
    words = text.split(" ")
    changed = " ".join([*words[:8], "very", *words[8:]])
    assert asked(pairs, text=changed, start=str(start), keys=keys)["sum"]["is_recognised"] == (keys == "context")


def test_texts_of_every_kind(pairs):
    for text in ("x", "é 🎉 日本語", "a\nb\tc", "word " * 2000, "‮mirrored"):
        for keys in ("position", "context"):
            found = asked(pairs, text=text, keys=keys)
            assert len(found["texts"]) == len(found["clocks"])
            assert problems(found, TextOfClocks) == []
    assert asked(pairs, text="x", keys="context")["sum"]["count"] == 0
    assert text_of_clocks([" a"], [None], 3, 1)["band"] == []


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"text": ""}, "text", "Text must be some text, got ''."),
        ({"text": " \n"}, "text", "Text must be some text, got ' \\n'."),
        ({"text": None}, "text", "Text must be some text, got None."),
        ({"text": "a\0"}, "text", "Text must be a text, got one with a zero byte at 1."),
        ({"text": "a\ud800"}, "text", "Text must be whole characters, got '\\ud800' at 1."),
        ({"text": "é" * 5_000_000}, "text", f"Text must have at most {MAX_BYTES:,} bytes, got 10,000,000."),
        ({"seed": "-1"}, "seed", "Seed must be a whole number from 0 to 9007199254740991, got -1."),
        ({"seed": "twelve"}, "seed", "Seed must be a whole number from 0 to 9007199254740991, got 'twelve'."),
        ({"seed": True}, "seed", "Seed must be a whole number from 0 to 9007199254740991, got True."),
        ({"start": "1.5"}, "start", "Start must be a whole number from 0 to 1000000, got 1.5."),
        ({"keys": "word"}, "keys", "Clocks depend on must be one of position, context, got 'word'."),
        ({"models": "x"}, "models", "Models must be loaded, for its tokenizer (own), got 'x'."),
        ({"models": "other"}, "models", "Models must be loaded, for its tokenizer (own), got 'other'."),
        ({"models": ["own"]}, "models", "Models must be loaded, for its tokenizer (own), got ['own']."),
    ],
)  # fmt: skip
def test_what_cannot_be_tested_is_named(pairs, changes, field, words):
    assert asked(pairs, **changes) == {"refused": words, "field": field}


@pytest.mark.parametrize("tests", [0, 10_001, "2", None, 1.5])
def test_the_number_of_tries_is_bounded(pairs, tests):
    with pytest.raises(ValueError, match=r"^tests must be a whole number from 1 to 10000, got"):
        asked(pairs, tests=tests)
    with pytest.raises(ValueError, match="must be a JSON object"):
        answer(pairs, [])


def test_without_models_nothing_is_tested():
    assert (
        json.loads(answer(None, {"text": "x", "seed": 1, "start": 1, "keys": "position", "models": "own", "tests": 1}))["field"] == "models"
    )
