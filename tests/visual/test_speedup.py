"""The speed-up: its factor, its sentences and the printed arithmetic."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from ersd.costs import LARGE_PAIRS, ON_H100, Costs, places
from ersd.settings import Settings
from ersd.trace.model import Trace
from ersd.trace.statistics import Statistics, statistics
from visual.payload.messages import RunMessages, messages
from visual.payload.sentences.formatting import decimal
from visual.payload.times.speedup import elsewhere, gain, values

from .fakes import SETTINGS, bare_step, race_step, trace

COSTS = Costs(target_1_ms=1.5, target_5_ms=1.7, target_17_ms=2.5, choice_ms=0.1, draft_ms=0.25)
"""Of a call on the five tokens of `race_step`: 1.7 ms, which takes 2.0 ms there."""


def sent(*steps, costs=COSTS, settings=SETTINGS) -> list[dict]:
    run = RunMessages("Once", settings, "a pair", costs)
    run.begin()
    return [json.loads(run.step(step))["speedup"] for step in steps]


def test_the_baseline_is_measured_at_load_and_scaled_by_the_target_calls_of_the_run():
    first, second, third = sent(race_step(), race_step(), bare_step())
    assert first["alone"] == 1.6, "the first step reads the prompt and scales nothing"
    assert second["alone"] == float(decimal(1.6 * 2.0 / 1.7))
    assert third["alone"] == 2.0 == float(decimal(statistics([race_step(), race_step(), bare_step()]).baseline_ms(COSTS)))
    assert first["factor"] is None
    assert "step 1 reads the prompt" in first["missing"]
    assert second["factor"] == pytest.approx(1.88 / (3.1 / 2), abs=0.005)  # two tokens in 3.1 ms
    assert third["factor"] == pytest.approx(2.0 / (6.2 / 3), abs=0.005)
    assert second["missing"] == third["missing"] == ""


def reason_after(*steps, costs=COSTS, baseline=1.6, is_recorded=False) -> dict:
    return values(steps[-1], statistics(steps), costs, True, baseline, is_recorded)


def test_the_reason_is_the_factor_of_the_run_and_comes_out():
    slow = replace(race_step(), draft_ms=2.51, target_ms=4.44, verify_ms=0.123)
    for steps in ([race_step()] * 2, [race_step(), slow, bare_step(), slow], [bare_step(), slow], [slow] * 7):
        found = reason_after(*steps)
        gave, took, draft, call, check, over, under, factor = map(float, re.findall(r"\d+\.\d\d", found["reason"]))
        assert (over, under) == (gave, took)
        assert round(draft + call + check, 2) == took
        assert decimal(gave / took) == decimal(factor) == decimal(found["factor"])
        rest = steps[1:]
        assert gave == pytest.approx(sum(len(step.emitted) for step in rest) / len(rest), abs=0.005)
        assert took == pytest.approx(sum(step.ms for step in rest) / len(rest) / 1.6, abs=0.005)
    assert reason_after(race_step())["reason"] == "", "the first step also reads the prompt"


def test_the_reason_names_the_machine_and_on_a_cpu_what_a_gpu_would_give():
    steps = [race_step()] * 2
    found = reason_after(*steps)
    assert found["reason"].startswith("On this CPU, a call after the first gave 2.00 tokens")
    on_gpu = next(place for place in places(COSTS) if place.label == ON_H100).speedup(*found["basis"])
    assert found["hint"] == f"1B → 8B on an H100 is expected to reach {on_gpu:.2f}×"
    recorded = reason_after(*steps, costs=replace(COSTS, device="cuda"), is_recorded=True)
    assert recorded["reason"].startswith("On the GPU it was recorded on, ")
    assert recorded["hint"] == ""
    assert reason_after(race_step())["hint"] == "", "nothing is known after the first step"


@pytest.mark.parametrize("parts", [(1.0, 2.0, 0.1), (1.04, 2.04, 0.04), (0.06, 0.05, 0.05), (3.333, 6.666, 0.011)])
def test_the_printed_sum_comes_out(parts):
    step = replace(race_step(), **dict(zip(("draft_ms", "target_ms", "verify_ms"), parts, strict=True)))
    first, second = sent(race_step(), step)
    assert first["step"].endswith("3.1 ms with the prompt")
    draft, call, check, total = map(float, re.fullmatch(r"draft (.+) \+ verify (.+) \+ accept (.+) = (.+) ms", second["step"]).groups())
    assert round(draft + call + check, 1) == total
    assert second["price"] == "measured at load, a call for 5 tokens 1.7 ms / for one 1.5 ms = 1.1"
    assert sent(bare_step())[0]["price"] == ""


def test_a_step_says_what_its_call_usually_takes_and_how_fast_it_can_be():
    (found,) = sent(race_step())
    assert found["call"] == {"usual": pytest.approx(1.7 / 1.6), "most": pytest.approx(2 * 1.5 / 1.7)}
    assert sent(race_step(), costs=None)[0]["call"] is None


def test_expected_speed_ups_follow_from_the_printed_figures_of_the_run_so_far():
    _, second = sent(race_step(), race_step())
    assert second["basis"] == [2, 2, 5], "two tokens and two draft calls in every step, four drafted tokens and the root"
    begun = json.loads(RunMessages("Once", SETTINGS, "a pair", COSTS).begin())["elsewhere"]
    assert [place["label"].split(":")[0] for place in begun] == ["this machine", ON_H100, *(pair.label for pair in LARGE_PAIRS)]
    assert all(place["source"] and place["help"] for place in begun)
    _, more_calls = sent(race_step(), replace(race_step(), draft_calls=5))  # of the draft than levels
    assert more_calls["basis"] == [2, 3.5, 5]
    assert gain(statistics([race_step(), race_step(), bare_step()]), True, None)["basis"] == (1.67, 1.33, 3.667)
    assert elsewhere(replace(COSTS, draft_ms=0.001))[0]["label"] == "this machine: 1500"


def test_times_too_small_or_too_large_to_be_printed_are_divided_as_they_are():
    total = Statistics()
    for ms, expected in ((1e-9, None), (1e-9, 2.0), (1e9, 0.0)):
        total.add(replace(bare_step(), draft_ms=0.0, target_ms=ms, verify_ms=0.0))
        factor = gain(total, True, 2e-9)["factor"]
        assert factor == (None if expected is None else pytest.approx(expected, abs=0.01))


def test_recorded_runs_and_runs_without_a_draft_have_no_factor():
    _, recorded = sent(race_step(), race_step(), costs=None)
    assert (recorded["factor"], recorded["alone"], recorded["basis"]) == (None, None, [2, 2, 5])
    assert recorded["missing"] == "time not recorded"
    _, plain = sent(bare_step(), bare_step(), settings=Settings(algorithm="autoregressive"))
    assert (plain["factor"], plain["missing"], plain["basis"]) == (None, "this run has no draft", None)


def test_a_recorded_run_is_compared_by_the_costs_recorded_with_it():
    run = replace(trace(race_step(), race_step()), costs=COSTS)
    begin, _, second, _ = (json.loads(message) for message in messages(Trace.from_json(run.to_json())))
    assert second["speedup"]["factor"] == pytest.approx(1.88 / (3.1 / 2), abs=0.005)
    assert begin["elsewhere"][0]["label"] == "recording machine: 6"


def test_the_headline_says_why_in_figures_that_come_out():
    slow, dear = replace(race_step(), draft_ms=0.1, target_ms=9.0), replace(race_step(), draft_ms=5.0)
    slower = r"Slower than without a draft on this CPU, (.+)×: a step gives (.+) tokens, but takes as long as (.+) without, "
    for steps, words in (
        ([race_step()] * 2, r"(.+)× as fast as without a draft on this CPU: a step gives (.+) tokens in the time that (.+) take without"),
        ([slow] * 3, slower + r"(.+) of that to check 5\.0 tokens in one call"),
        ([dear] * 3, slower + "(.+) of that for drafting"),
    ):
        found = reason_after(*steps)
        factor, gave, took, *blamed = map(float, re.fullmatch(words, found["why"]).groups())
        assert decimal(gave / took) == decimal(factor) == decimal(found["factor"])
        assert f"{decimal(gave)} ÷ {decimal(took)}" in found["reason"]
        assert all(f" {decimal(one)}" in found["reason"] for one in blamed)
    assert reason_after(race_step())["why"] == ""
