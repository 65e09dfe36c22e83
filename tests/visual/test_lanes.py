"""Where the time goes: the intervals that are sent, and what each guess saves and costs, against a run made by hand."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from ersd.costs import Costs
from ersd.settings import Settings
from visual.assets import WEB
from visual.payload.message_types.panels import Guesses
from visual.payload.messages import messages
from visual.payload.times.guess_prices import GUESSES_BEYOND, MAX_OWN_GUESSES, UNKNOWN
from visual.payload.times.lanes import WORDS, draft_spans

from .fakes import BY_KIND, bare_step, block_step, large_step, leaf_step, race_step, trace
from .fits import problems

CHAIN = Settings(topology="sequence", draft_tokens=2)
COSTS = Costs(target_1_ms=4.0, target_5_ms=5.0, target_17_ms=8.0, choice_ms=0.5, draft_ms=0.75, wider_ms=0.1)


def guesses_of(*steps, settings=CHAIN, costs=COSTS) -> dict:
    *_, end = messages(replace(trace(*steps), settings=settings, costs=costs))
    found = json.loads(end)["guesses"]
    assert problems(found, Guesses) == []
    return found


def half_kept(times: int = 500) -> list:
    """Of the first guesses every second one is accepted."""
    return [leaf_step("race"), large_step([-1])] * times


def test_a_run_made_by_hand():
    found = guesses_of(*half_kept())
    # tokens 1, 1.5, 1.75, …; a step takes 4.5 ms, then 0.75 + 4.25 + 1.5 * 0.5 = 5.75, then 1.5 + 4.5 + 1.75 * 0.5 = 6.875
    assert found["saves"][:2] == pytest.approx([0.5 * 4.5, 0.25 * 5.75 / 1.5], abs=0.01)
    assert found["costs"][:2] == pytest.approx([1.25, 1.125], abs=0.01)
    assert (found["best"], len(found["saves"])) == (1, 2 + GUESSES_BEYOND)
    assert found["headline"].startswith("More guesses stop paying at k = 2: with 1 guess a step is fastest, 1.17× the speed")
    assert found["headline"].endswith("; this run’s k = 2: 1.15×"), 1.75 * 4.5 / 6.875
    assert "From k = 4 on a step is slower" in found["sentence"], "1.875 · 4.5 / 8 is 1.05, 1.94 · 4.5 / 9.2 is 0.95"
    assert found["adds"][:2] == pytest.approx([0.5, 0.25], abs=0.01)
    assert [price["ms"] for price in found["prices"]] == pytest.approx([0.75, 0.25, 0.25, 0.5])
    assert "1000 nodes" in found["note"].replace(",", "")
    assert "It costs draft 0.75 + verify 0.25 + accept 0.13 = 1.1 ms" in found["sentence"], "with its part of choosing 0.25 tokens"


@pytest.mark.parametrize(
    "costs", [COSTS, replace(COSTS, draft_ms=9.0), replace(COSTS, target_1_ms=400.0, target_5_ms=401.0, target_17_ms=402.0)]
)
@pytest.mark.parametrize("topology", ["sequence", "batch", "tau_star"])
def test_the_printed_product_comes_out(costs, topology):
    found = guesses_of(*half_kept(7), race_step(), settings=replace(CHAIN, topology=topology, draft_tokens=8), costs=costs)
    one, other, product = re.search(r"saves ([\d.]+) · ([\d.,]+) = ([\d.,]+) ms", found["sentence"]).groups()
    decimals = len(product.partition(".")[2])
    assert float(one) * float(other.replace(",", "")) == pytest.approx(float(product.replace(",", "")), abs=0.5 * 10**-decimals + 1e-9)
    place = min(found["best"], len(found["saves"]) - 1)
    assert float(product.replace(",", "")) == pytest.approx(found["saves"][place], rel=0.05, abs=0.005)


@pytest.mark.parametrize("topology", ["sequence", "batch", "tau_star"])
def test_the_printed_parts_of_a_cost_add_up(topology):
    found = guesses_of(*half_kept(7), race_step(), settings=replace(CHAIN, topology=topology, draft_tokens=8))
    parts, cost = re.search(r"costs (.*?) = ([\d.]+) ms", found["sentence"]).groups()
    decimals = len(cost.partition(".")[2])
    assert sum(float(part.split()[1]) for part in parts.split(" + ")) == pytest.approx(float(cost), abs=0.5 * 10**-decimals + 1e-9)
    place = min(found["best"], len(found["costs"]) - 1)
    assert float(cost) == pytest.approx(found["costs"][place], abs=0.5 * 10**-decimals + 1e-9)
    assert ("draft" in parts) == (topology != "batch"), "a batch takes one call, however large"
    assert ("each further token in a draft call" in [price["label"] for price in found["prices"]]) == (topology == "tau_star")


def test_the_time_of_a_draft_call_at_load_stands_beside_that_of_the_run():
    steps = [replace(step, draft_calls=2, draft_ms=1.8) for step in half_kept(5)]
    note = guesses_of(*steps)["note"]
    assert "a draft call 0.75 ms, a target call for one token 4 ms" in note
    assert "drafting took 16.2 ms for 18 draft calls: 0.90 ms a call" in note, "all steps but the first"
    assert "In this run" not in guesses_of(*(replace(step, draft_calls=0) for step in half_kept(5)))["note"], "no draft call was recorded"


def test_of_many_guesses_only_some_are_shown():
    found = guesses_of(*half_kept(), settings=replace(CHAIN, draft_tokens=200))
    assert len(found["saves"]) == MAX_OWN_GUESSES + GUESSES_BEYOND
    assert "this run" not in found["headline"], "as many guesses are beyond what is computed"
    assert "this run’s k = 64" in guesses_of(*half_kept(), settings=replace(CHAIN, draft_tokens=64))["headline"]


def test_where_the_draft_is_dear_no_guess_pays():
    found = guesses_of(*half_kept(), costs=replace(COSTS, draft_ms=9.0))
    assert found["best"] == 0
    assert found["headline"].startswith("Drafting does not pay here, from k = 1 on")


def test_what_is_not_known_is_said():
    assert guesses_of(*half_kept(2), costs=None)["headline"] == UNKNOWN
    for change in ({"draft_ms": None}, {"draft_ms": 0.0}, {"target_1_ms": 0.0}, {"choice_ms": -9.0}):
        assert guesses_of(*half_kept(2), costs=replace(COSTS, **change))["headline"] == UNKNOWN
    assert "together" in guesses_of(block_step(), settings=BY_KIND["block"])["headline"]
    alone = guesses_of(bare_step(), settings=Settings("autoregressive"))
    assert (alone["headline"], alone["saves"]) == ("This run has no draft.", [])
    assert guesses_of(bare_step())["saves"] == []


def test_draft_calls_are_sent_with_the_step_or_not_at_all():
    step = replace(race_step(), draft_calls=2, draft_calls_ms=[[0.0123, 0.4], [0.41, 0.999]])
    assert draft_spans(step) == [[0.01, 0.4], [0.41, 1.0]]
    assert draft_spans(replace(step, draft_calls_ms=[])) is None, "an older trace"
    assert draft_spans(replace(step, draft_calls_ms=[[0.0, 0.4]])) is None
    assert draft_spans(replace(step, draft_calls_ms=[[0.0, 0.4], [0.41, None]])) is None, "the host did not wait"
    assert draft_spans(bare_step()) == []


def test_every_word_has_its_use():
    sources = "".join(path.read_text(encoding="utf-8") for path in sorted((WEB / "lanes").glob("*.js")))
    unused = [name for name in WORDS if not re.search(rf"words\.{name}\b", sources) and not name.startswith("key_")]
    assert set(unused) <= {"faster", "slower", "equal"}, "the end marks choose among these"
