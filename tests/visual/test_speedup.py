"""The speed-up: its factor, its sentences and the printed arithmetic."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from ersd.models.costs import LARGE_PAIRS, ON_H100, Costs, places
from ersd.settings import Settings
from ersd.theory.speed import speedup
from ersd.trace.model import Trace
from ersd.trace.statistics import Statistics, statistics
from visual.payload.messages import RunMessages, messages
from visual.payload.sentences.formatting import decimal
from visual.payload.speedup import elsewhere, gain, values

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
    assert third["alone"] == 2.0 == float(decimal(COSTS.baseline_ms(statistics([race_step(), race_step(), bare_step()]))))
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
    on_gpu = found["elsewhere"][[place.label for place in places(COSTS)].index(ON_H100)]
    assert found["hint"] == f"1B → 8B on an H100 would reach {on_gpu:.2f}×"
    recorded = reason_after(*steps, costs=replace(COSTS, device="cuda"), is_recorded=True)
    assert recorded["reason"].startswith("On the GPU it was recorded on, ")
    assert recorded["hint"] == ""
    assert reason_after(race_step())["hint"] == "", "nothing is known after the first step"


@pytest.mark.parametrize("parts", [(1.0, 2.0, 0.1), (1.04, 2.04, 0.04), (0.06, 0.05, 0.05), (3.333, 6.666, 0.011)])
def test_printed_sums_and_products_come_out(parts):
    step = replace(race_step(), **dict(zip(("draft_ms", "target_ms", "verify_ms"), parts, strict=True)))
    first, second = (one["step"] for one in sent(race_step(), step))
    assert "3.1 ms with the prompt; " in first
    assert re.fullmatch(
        r"draft [\d.]+ \+ verify [\d.]+ \+ accept [\d.]+ = [\d.]+ ms; without a draft 2 tokens · [\d.]+ = [\d.]+ ms; .*", second
    )
    draft, call, check, total, count, baseline, product = (float(number) for number in re.findall(r"[\d.]+", second)[:7])
    assert round(draft + call + check, 1) == total
    assert decimal(count * baseline, 1) == f"{product:.1f}", "halves are rounded as a reader does"


def test_elsewhere_is_the_formula_with_the_figures_so_far():
    _, second = sent(race_step(), race_step())
    per_call, levels = 2, 2  # two tokens and two levels in every step
    assert second["basis"] == [per_call, levels, 5], "four drafted tokens and the root, whose call takes 1.7 ms at load and not 1.5"
    large = [speedup(per_call, float(f"{pair.ratio:.3g}"), levels) for pair in LARGE_PAIRS]
    _, on_gpu, *_ = places(COSTS)
    assert second["elsewhere"] == [
        speedup(per_call, 6.0, levels, tree=6.8),
        speedup(per_call, on_gpu.ratio, levels, on_gpu.call(5)),
        *large,
    ]
    begun = json.loads(RunMessages("Once", SETTINGS, "a pair", COSTS).begin())["elsewhere"]
    assert [place["label"].split(":")[0] for place in begun] == ["this machine", ON_H100, *(pair.label for pair in LARGE_PAIRS)]
    assert all(place["source"] and place["help"] for place in begun)
    _, more_calls = sent(race_step(), replace(race_step(), draft_calls=5))  # of the draft than levels
    assert more_calls["elsewhere"][0] == speedup(2, 6.0, (2 + 5) / 2, tree=6.8)


def test_elsewhere_is_the_formula_of_the_printed_figures():
    costs = replace(COSTS, target_1_ms=1.4449, draft_ms=0.2951)
    here, *_ = gain(statistics([race_step(), race_step(), bare_step()]), costs, True, None)["elsewhere"]
    label = elsewhere(costs)[0]["label"]
    tree = float(f"{4.88 + (5.76 - 4.88) * (8 / 3) / 4:.3g}")  # 8 tokens were drafted in three calls, and each scores its root too
    assert (here, label) == (speedup(1.67, 4.88, 1.33, tree), "this machine: 4.88")
    assert elsewhere(replace(costs, draft_ms=0.001))[0]["label"] == "this machine: 1440"


def test_times_too_small_or_too_large_to_be_printed_are_divided_as_they_are():
    total = Statistics()
    for ms, expected in ((1e-9, None), (1e-9, 2.0), (1e9, 0.0)):
        total.add(replace(bare_step(), draft_ms=0.0, target_ms=ms, verify_ms=0.0))
        factor = gain(total, None, True, 2e-9)["factor"]
        assert factor == (None if expected is None else pytest.approx(expected, abs=0.01))


def test_recorded_runs_and_runs_without_a_draft_have_no_factor():
    _, recorded = sent(race_step(), race_step(), costs=None)
    assert (recorded["factor"], recorded["alone"], len(recorded["elsewhere"])) == (None, None, 1 + len(LARGE_PAIRS))
    assert recorded["missing"] == "not recorded with this run"
    assert "without a draft" not in recorded["step"]
    _, plain = sent(bare_step(), bare_step(), settings=Settings(algorithm="autoregressive"))
    assert (plain["factor"], plain["missing"], plain["elsewhere"]) == (None, "this run has no draft", [])


def test_a_recorded_run_is_compared_by_the_costs_recorded_with_it():
    run = replace(trace(race_step(), race_step()), costs=COSTS)
    begin, _, second, _ = (json.loads(message) for message in messages(Trace.from_json(run.to_json())))
    assert second["speedup"]["factor"] == pytest.approx(1.88 / (3.1 / 2), abs=0.005)
    assert begin["elsewhere"][0]["label"] == "the machine it was recorded on: 6"
