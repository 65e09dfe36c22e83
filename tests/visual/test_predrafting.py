"""Drafting while the target verifies: the printed sums come out, and nothing is said where nothing can be known."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import ersd
from ersd.costs import Costs
from ersd.settings import Settings
from visual.payload.message_types.panels import Predrafting
from visual.payload.messages import messages

from .fakes import coin_step, leaf_step, race_step, trace
from .fits import problems

RECORDED = Path(__file__).resolve().parents[2] / "assets" / "recorded"
NUMBER = r"([\d,]+\.\d)(?![\d×])"
COSTS = Costs(target_1_ms=4.0, target_5_ms=5.0, target_17_ms=8.0, choice_ms=0.5, draft_ms=0.75, wider_ms=0.1)


def predrafting_of(run: ersd.Trace) -> dict | None:
    *_, end = messages(run)
    found = json.loads(end)["predrafting"]
    assert found is None or problems(found, Predrafting) == []
    return found


def recorded(name: str) -> ersd.Trace:
    return ersd.Trace.from_json((RECORDED / name).read_text(encoding="utf-8"))


def numbers(text: str) -> list[float]:
    return [float(one.replace(",", "")) for one in re.findall(NUMBER, text)]


@pytest.mark.parametrize("name", ["first-look.json", "gallery/ersd.json", "gallery/large-tree.json"])
def test_the_printed_sums_come_out(name):
    run = recorded(name)
    found = predrafting_of(run)
    _, whole, *width = found["sentences"]
    verifying, wait, ahead, again, drafting, usual = numbers(whole)
    assert verifying == again
    assert verifying + wait == pytest.approx(ahead)
    assert verifying + drafting == pytest.approx(usual)
    assert wait == pytest.approx(sum(found["waits"]), abs=0.01)
    assert drafting == pytest.approx(sum(round(step.draft_ms, 1) for step in run.steps[1:]), abs=0.01)
    assert f"{sum(found['is_prepared'])} of {len(run.steps) - 1} trees (steps 2–{len(run.steps)})" in whole
    assert numbers(found["headline"]) + numbers(found["whole"]) == [ahead, usual, ahead]
    assert float(re.search(r"([\d.]+)×", found["headline"])[1]) == pytest.approx(usual / ahead, abs=0.0051)
    if width:
        (slower,), (free,) = map(numbers, width)
        assert free <= ahead <= slower


def test_of_the_first_run_both_prices_of_width_are_said():
    *_, price, free = predrafting_of(recorded("first-look.json"))["sentences"]
    assert re.match(r"Here each further token in a draft call costs 0\.\d\d ms", price)
    assert free.startswith("If it cost nothing")


def test_where_it_is_no_faster_it_says_so():
    steps = [race_step(), *(replace(race_step(), draft_ms=1.0) for _ in range(3))]
    rare = [replace(step, walk=[step.walk[0], replace(step.walk[1], rank=None)]) for step in steps]
    found = predrafting_of(replace(trace(*rare), settings=Settings(draft_tokens=4), costs=COSTS))
    assert found["headline"] == "Even on a second device it would not make this run faster"
    assert found["waits"] == [1.0] * 3


def test_without_a_price_of_width_one_sentence_says_so():
    run = replace(trace(leaf_step("race"), replace(leaf_step("race"), leaf_rank=1)), settings=Settings(draft_tokens=4))
    for wider in (None, 0.0):
        sentences = predrafting_of(replace(run, costs=replace(COSTS, wider_ms=wider)))["sentences"]
        assert len(sentences) == 3
        assert "is taken to cost no more" in sentences[-1]


def test_nothing_is_said_without_a_race_or_costs():
    race = replace(trace(leaf_step("race"), leaf_step("race")), settings=Settings(draft_tokens=4))
    for costs in (None, replace(COSTS, draft_ms=None), replace(COSTS, wider_ms=-1.0)):
        assert predrafting_of(replace(race, costs=costs)) is None
    assert predrafting_of(replace(trace(leaf_step("race")), settings=Settings(draft_tokens=4), costs=COSTS)) is None, "one step alone"
    coins = replace(trace(coin_step(), coin_step()), settings=Settings("gsd", "batch", draft_tokens=4), costs=COSTS)
    assert predrafting_of(coins) is None
    assert predrafting_of(replace(race, settings=Settings(draft_tokens=4, source="exit"), costs=COSTS)) is None
