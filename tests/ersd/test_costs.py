"""What the calls of a pair cost, and the speed-up that follows from it."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter

import pytest
import torch

import ersd
from ersd import calibration
from ersd.costs import LARGE_PAIRS, LLAMA_1B, LLAMA_70B, ON_H100, Costs, LargePair, Place, places
from ersd.models.pair import make_pair
from ersd.rules.base import Rule
from ersd.theory import speedup
from ersd.trace.statistics import Statistics

from .tiny import OneLayer, letters


def test_the_speed_up_is_the_time_one_by_one_over_that_of_the_steps():
    """Against a clock that is wound by hand: steps of some levels and one call each."""
    for draft, ratio, levels, tokens in ((0.5, 7.0, [3, 4, 4], [2, 5, 1]), (1.0, 57.0, [0], [1]), (2.0, 0.5, [8, 8], [9, 1])):
        call = ratio * draft
        taken = sum(level * draft + call for level in levels)
        steps = len(levels)
        expected = sum(tokens) * call / taken
        assert speedup(sum(tokens) / steps, ratio, sum(levels) / steps) == pytest.approx(expected)


def test_one_by_one_is_as_fast_as_one_by_one():
    assert speedup(1, 6.5, 0) == 1
    assert speedup(3, 1e12, 16) == pytest.approx(3), "where drafting costs nothing the tokens per call are the speed-up"


@pytest.mark.parametrize(
    ("arguments", "name"), [((-1, 2, 3), "tokens_per_call"), ((1, 0, 3), "ratio"), ((1, 2, float("nan")), "levels"), ((1, -2, 3), "ratio")]
)
def test_a_speed_up_of_nothing_is_refused(arguments, name):
    with pytest.raises(ValueError, match=f"{name} must be a number"):
        speedup(*arguments)


@pytest.fixture
def calls(monkeypatch) -> list[tuple[str, int]]:
    """(model, number of tokens) of every call through the caches that a pair opens."""
    made: list[tuple[str, int]] = []
    for role in ("target", "draft"):
        opened = getattr(ersd.ModelPair, f"open_{role}")

        def counting(pair, role=role, opened=opened):
            cache = opened(pair)
            extend = cache.extend
            cache.extend = lambda tokens, *rest, **more: (made.append((role, len(tokens))), extend(tokens, *rest, **more))[1]
            return cache

        monkeypatch.setattr(ersd.ModelPair, f"open_{role}", counting)
    return made


def test_costs_of_a_pair_are_those_of_its_calls(pair, calls):
    measured = calibration.measure(pair)["model"]
    assert {("target", 1), ("target", 5), ("target", 17), ("draft", 1)} <= set(calls)
    values = dataclasses.asdict(measured)
    assert (values.pop("device"), values.pop("source"), values.pop("wider_ms") >= 0) == ("cpu", "model", True)
    assert (values.pop("exit"), values.pop("layers")) == (0, 0)
    assert min(values.values()) > 0
    assert measured.one_by_one_ms == measured.target_1_ms + measured.choice_ms
    undrafted = calibration.measure(dataclasses.replace(pair, draft=None))
    assert list(undrafted) == ["ngram", "exit", "foreign", "routed"]


@pytest.mark.parametrize("context", [5, 20])
def test_a_pair_of_any_context_is_measured(context):
    models = [OneLayer(8, seed=seed, context=context).eval() for seed in (1, 2)]
    assert calibration.measure(make_pair(*models, letters(8)))["model"].target_17_ms > 0


def test_the_parts_of_a_step_are_timed_as_they_alternate_in_a_run(pair, calls, monkeypatch):
    """A clock in milliseconds: a call takes 1 and 1 per token, a target call 1000 more directly after another one, choosing a token 7."""
    now, last, choose = [0.0], [""], Rule.verify_tree

    def clock() -> float:
        while calls:
            role, tokens = calls.pop(0)
            now[0] += 1 + tokens + 1000 * (role == last[0] == "target")
            last[0] = role
        return now[0]

    def chosen(*arguments):
        now[0] += 7
        return choose(*arguments)

    monkeypatch.setattr(Rule, "verify_tree", chosen)
    monkeypatch.setattr(calibration, "now_ms", clock)
    monkeypatch.setattr(calibration, "PATIENCE_SECONDS", 100.0)
    measured = calibration.measure(pair)["model"]
    assert (measured.target_1_ms, measured.target_5_ms, measured.target_17_ms) == pytest.approx((1002, 6, 18))
    assert (measured.draft_ms, measured.wider_ms, measured.choice_ms) == pytest.approx((2, 1, 7))


def test_a_call_for_fewer_tokens_costs_no_more(pair, monkeypatch):
    """The call for five tokens met other load, and the page would say that more tokens take less time."""
    now = [0.0]

    def score(_, tokens):
        now[0] += {1: 6, 5: 12, 17: 9}[tokens]
        return torch.zeros(tokens, pair.vocab_size)

    monkeypatch.setattr(calibration, "_score", score)
    monkeypatch.setattr(calibration, "now_ms", lambda: now[0])
    measured = calibration.measure(pair)["model"]
    assert (measured.target_1_ms, measured.target_5_ms, measured.target_17_ms) == (6, 9, 9)


@pytest.mark.parametrize(
    ("takes", "median"), [([6, 5, 4, 2, 3, 1], 2.0), ([90, 70], 80.0), ([200], 200.0)], ids=["quick", "out of patience", "very slow"]
)
def test_the_median_of_the_last_calls_counts(monkeypatch, takes, median):
    now, coming = [0.0], iter(takes)
    monkeypatch.setattr(calibration, "now_ms", lambda: now[0])

    def work():
        now[0] += next(coming)

    assert calibration._median_ms(work, lambda: None) == pytest.approx(median)
    assert not list(coming)


def test_a_loaded_pair_has_its_costs(pair):
    assert pair.costs["model"].target_1_ms > 0


def test_a_busier_machine_makes_the_baseline_dearer():
    """The cost at load, scaled by what the target calls of a run took compared with what they took at load."""
    measured = Costs(4.0, 5.0, 8.0, 0.5, draft_ms=0.5)
    run = Statistics(call_sizes=Counter({5: 3, 17: 1}), steady_target_ms=3 * 5.0 + 8.0)
    assert Statistics().baseline_ms(measured) == run.baseline_ms(measured) == pytest.approx(4.5)
    run.steady_target_ms *= 2
    assert run.baseline_ms(measured) == pytest.approx(9.0)


def test_the_ratios_of_large_pairs_come_from_published_shapes():
    def parameters(layers: int, width: int, forward: int, heads: int, key_heads: int, tied: bool) -> int:
        vocabulary, head = 128_256, width // heads
        attention = 2 * width * width + 2 * width * key_heads * head
        return layers * (attention + 3 * width * forward + 2 * width) + width + vocabulary * width * (1 if tied else 2)

    assert parameters(16, 2048, 8192, 32, 8, tied=True) == LLAMA_1B
    assert parameters(80, 8192, 28672, 64, 8, tied=False) == LLAMA_70B


def test_the_pair_at_hand_comes_first_where_it_was_measured():
    large = [ON_H100, *(pair.label for pair in LARGE_PAIRS)]
    measured = Costs(4.0, 5.0, 7.0, 0.5, draft_ms=0.5, wider_ms=0.1)
    here, *others = places(measured)
    assert (here.label, here.ratio, [place.label for place in others]) == ("this machine", 8.0, large)
    steps = "measured at load, idle: call 4 ms, 5 with 4 drafted, 7 with 16; draft call 0.5 ms"
    assert here.source == f"{steps}, 0.1 for each further token in it; choosing a token 0.5 ms"
    older, *_ = places(dataclasses.replace(measured, wider_ms=None))
    assert older.source == f"{steps} alone; choosing a token 0.5 ms", "that more is left out is said"
    for unmeasured in (None, dataclasses.replace(measured, draft_ms=None)):
        assert [place.label for place in places(unmeasured)] == large
    assert LargePair("", "big", "small", 80, 4).ratio == 20
    models = [place.label.split(" on ")[0] for place in places(None)]
    assert len(set(models)) == len(models), "a pair has one name and one number"


@pytest.mark.parametrize("measured", [Costs(5.7749, 6.0, 7.0, 0.1, draft_ms=0.9051), Costs(0.04249, 1.0, 1.0, 0.1, draft_ms=0.0025149)])
def test_dividing_the_displayed_figures_gives_the_displayed_ratio(measured):
    here, *_ = places(measured)
    call, drafted = (float(re.search(rf"{name} ([\d.]+) ?ms|{name} ([\d.]+)", here.source)[1]) for name in (": call", "draft call"))
    assert f"{call / drafted:.3g}" == f"{here.ratio:.3g}"


def test_a_call_for_a_tree_costs_what_was_measured_and_a_straight_line_between():
    here, on_gpu, large = places(Costs(4.0, 5.0, 8.0, 0.5, draft_ms=0.5))
    assert [here.call(tokens) for tokens in (1, 3, 5, 11, 17, 29)] == [4.0, 4.5, 5.0, 6.5, 8.0, 11.0]
    assert 1 < on_gpu.call(65) / on_gpu.call(1) < 1.5, "on a GPU a call for a tree takes hardly longer"
    assert large.call(17) == large.call(1) == large.ratio, "where all wait for memory a tree costs no more"
    assert Place("", ((1, 8.0), (5, 7.5), (17, 7.0)), "").call(40) == 8.0, "a tree never costs less than one token"


def test_a_step_costs_all_that_it_does():
    """Its draft levels, of which all but the first score several tokens, its call, and a choice for every token that it writes."""
    here, *_ = places(Costs(4.0, 5.0, 8.0, 0.5, draft_ms=0.6, wider_ms=0.1))
    assert here.drafting(4, 5) == 4 * 0.6, "a chain: every level scores one token"
    assert here.drafting(4, 17) == pytest.approx(4 * 0.6 + 3 * 3 * 0.1)
    assert (here.drafting(1, 17), here.drafting(0, 1)) == (0.6, 0.0), "the first level scores the text's last token"
    assert here.speedup(3, 4, 17) == pytest.approx(3 * (4.0 + 0.5) / (3.3 + 8.0 + 3 * 0.5))
    assert here.formula(3, 4, 17) == "3.00 · (4 + 0.5) ms / (draft 3.3 + verify 8 + accept 3.00 · 0.5) ms"
    assert here.speedup(1, 0, 1) == 1, "without a draft it is as fast as without a draft"


def test_where_a_tree_costs_more_it_gives_less():
    assert speedup(4, 8.0, 7) == speedup(4, 8.0, 7, tree=8.0) == pytest.approx(32 / 15)
    assert speedup(4, 8.0, 7, tree=13.0) == pytest.approx(32 / 20)
    assert speedup(4, 8.0, 7, tree=13.0, choice=2.0) == pytest.approx(40 / 28)
    with pytest.raises(ValueError, match="tree must be a number above 0"):
        speedup(4, 8.0, 7, tree=0.0)
    with pytest.raises(ValueError, match="choice must be a number of at least 0"):
        speedup(4, 8.0, 7, choice=-1.0)
