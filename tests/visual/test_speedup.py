"""Was it worth it: the words and figures under the tiles."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from ersd.models.costs import LARGE_PAIRS, SLOWER, Costs
from ersd.settings import Settings
from ersd.theory.speed import speedup
from ersd.trace.statistics import Statistics
from visual.payload.messages import RunMessages
from visual.payload.sentences.formatting import decimal
from visual.payload.speedup import elsewhere, gain

from .fakes import SETTINGS, bare_step, race_step

COSTS = Costs(target_1_ms=1.5, target_5_ms=1.7, target_17_ms=2.5, choice_ms=0.1, draft_ms=0.25)


def _told(*steps, costs=COSTS, settings=SETTINGS):
    narrator = RunMessages("Once", settings, "a pair", costs)
    narrator.begin()
    return [json.loads(narrator.step(step))["speedup"] for step in steps]


def test_the_factor_is_one_by_one_over_this_run_from_the_second_step_on():
    first, second, third = _told(race_step(), race_step(), bare_step())
    assert first["factor"] is None, "it read the prompt"
    assert "told from step 2 on" in first["words"]
    assert second["factor"] == pytest.approx(1.6 / (3.1 / 2), abs=0.005)  # two tokens in 3.1 ms
    assert third["factor"] == pytest.approx(1.6 / (6.2 / 3), abs=0.005)
    assert second["words"] == "faster here"
    assert third["words"] == f"slower: {SLOWER}"


@pytest.mark.parametrize(("alone_ms", "words"), [(1.54, f"slower: {SLOWER}"), (1.55, "as fast here"), (1.56, "faster here")])
def test_the_words_are_true_of_the_factor_that_is_printed(alone_ms, words):
    narrator = RunMessages("Once", SETTINGS, "a pair", COSTS)
    narrator.step(race_step())
    narrator.alone_ms = alone_ms
    assert json.loads(narrator.step(race_step()))["speedup"]["words"] == words


def test_a_step_stands_beside_as_many_tokens_one_by_one_and_the_sum_comes_out():
    first, second = (one["step"] for one in _told(race_step(), race_step()))
    assert second == "draft 1.0 + call 2.0 + check 0.1 = 3.1 ms; one by one 2 tokens · 1.60 = 3.2 ms"
    assert "3.1 ms with the prompt; " in first
    assert "1 token " in _told(race_step(), bare_step())[1]["step"]


def test_who_knows_what_one_by_one_takes_while_the_run_goes_on_is_believed():
    narrator = RunMessages("Once", SETTINGS, "a pair", COSTS)
    narrator.step(race_step())
    narrator.alone_ms = 4.65
    told = json.loads(narrator.step(race_step()))["speedup"]
    assert told["factor"] == pytest.approx(4.65 / (3.1 / 2), abs=0.005)
    assert told["step"].endswith("one by one 2 tokens · 4.65 = 9.3 ms")
    assert told["alone"] == 4.65
    assert told["elsewhere"] == _told(race_step(), race_step())[1]["elsewhere"], "that is of a pair at rest"


@pytest.mark.parametrize("parts", [(1.04, 2.04, 0.04), (0.06, 0.05, 0.05), (3.333, 6.666, 0.011)])
def test_printed_sums_come_out_whatever_is_rounded(parts):
    step = replace(race_step(), **dict(zip(("draft_ms", "target_ms", "verify_ms"), parts, strict=True)))
    numbers = [float(number) for number in re.findall(r"[\d.]+", _told(race_step(), step)[1]["step"])]
    draft, call, check, total, count, alone, product = numbers
    assert round(draft + call + check, 1) == total
    assert decimal(count * alone, 1) == f"{product:.1f}", "halves are rounded as a reader does"


def test_elsewhere_is_the_formula_with_the_figures_so_far():
    _, second = _told(race_step(), race_step())
    per_call, levels = 2, 2  # two tokens and two levels in every step
    assert second["basis"] == [per_call, levels, 5], "four drafted tokens and the root, whose call takes 1.7 ms here and not 1.5"
    large = [speedup(per_call, float(f"{pair.ratio:.3g}"), levels) for pair in LARGE_PAIRS]
    assert second["elsewhere"] == [speedup(per_call, 6.0, levels, tree=6.8), *large]
    begun = json.loads(RunMessages("Once", SETTINGS, "a pair", COSTS).begin())["elsewhere"]
    assert [place["label"].split(":")[0] for place in begun] == ["this machine", *(pair.label for pair in LARGE_PAIRS)]
    assert all(place["source"] and place["help"] for place in begun)


def test_elsewhere_is_the_formula_of_the_figures_that_are_written():
    total = Statistics()
    for step in (race_step(), race_step(), bare_step()):
        total.add(step)
    costs = replace(COSTS, target_1_ms=1.4449, draft_ms=0.2951)
    here, *_ = gain(total, costs, True, None)["elsewhere"]
    label = elsewhere(costs)[0]["label"]
    tree = float(f"{4.88 + (5.76 - 4.88) * (8 / 3) / 4:.3g}")  # 8 tokens were drafted in three calls, and each scores its root too
    assert (here, label) == (speedup(1.67, 4.88, 1.33, tree), "this machine: 4.88")
    assert elsewhere(replace(costs, draft_ms=0.001))[0]["label"] == "this machine: 1440"


def test_elsewhere_counts_the_calls_of_the_draft_where_they_are_more_than_the_levels():
    _, second = _told(race_step(), replace(race_step(), draft_calls=5))
    assert second["elsewhere"][0] == speedup(2, 6.0, (2 + 5) / 2, tree=6.8)


def test_a_time_that_is_too_small_or_large_to_be_written_is_divided_as_it_is():
    total = Statistics()
    for ms in (1e-9, 1e-9, 1e9):
        total.add(replace(bare_step(), draft_ms=0.0, target_ms=ms, verify_ms=0.0))
        gained = gain(total, None, True, 2e-9)["factor"]
        assert gained == (None if total.steps == 1 else pytest.approx(2e-9 / (1e-9 if total.steps == 2 else 5e8), abs=0.01))


def test_a_recorded_run_claims_nothing_of_this_machine():
    _, second = _told(race_step(), race_step(), costs=None)
    assert second["factor"] is None
    assert "recorded run" in second["words"]
    assert "one by one" not in second["step"]
    assert len(second["elsewhere"]) == len(LARGE_PAIRS)


def test_one_by_one_is_not_compared_with_itself():
    _, second = _told(bare_step(), bare_step(), settings=Settings(algorithm="autoregressive"))
    assert second["factor"] is None
    assert second["words"] == "this is one by one"
    assert second["elsewhere"] == []
