"""What a pair's calls cost, and what that makes of the tokens per call."""

from __future__ import annotations

import dataclasses
import re
from collections import deque

import pytest

import ersd
from ersd.models import costs as known, stopwatch
from ersd.models.costs import Costs, LargePair, Place, places
from ersd.theory import speedup


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
    """What is asked of the caches that a pair opens: the model, and how many tokens."""
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
    """Every kind of call is made through the engine's cache, with so many tokens as its name says."""
    costs = stopwatch.measure(pair)
    assert {("target", 1), ("target", 5), ("target", 17), ("draft", 1)} <= set(calls)
    assert min(dataclasses.astuple(costs)) > 0
    assert costs.one_by_one_ms == costs.target_1_ms + costs.choice_ms
    assert stopwatch.measure(dataclasses.replace(pair, draft=None)).draft_ms is None


def test_calls_on_drafted_tokens_and_levels_of_the_draft_are_timed_in_turns_as_in_a_run(pair, calls, monkeypatch):
    """By a clock that is wound by hand: a call takes a second more behind one of the same model."""
    now, last, score = [0.0], [""], stopwatch._score

    def timed(cache, tokens):
        scored = score(cache, tokens)
        role, _ = calls[-1]
        now[0] += (0.001 if role == "draft" else tokens / 1000) + (role == last[0] == "target")
        last[0] = role
        return scored

    monkeypatch.setattr(stopwatch, "_score", timed)
    monkeypatch.setattr(stopwatch, "perf_counter", lambda: now[0])
    monkeypatch.setattr(stopwatch, "PATIENCE", 100.0)
    costs = stopwatch.measure(pair)
    assert (costs.target_1_ms, costs.target_5_ms, costs.target_17_ms) == pytest.approx((1001, 5, 17))
    assert costs.draft_ms == pytest.approx(1)


@pytest.mark.parametrize(
    ("takes", "median"), [([6, 5, 4, 2, 3, 1], 2.0), ([90, 70], 80.0), ([200], 200.0)], ids=["quick", "out of patience", "very slow"]
)
def test_what_a_call_costs_is_that_of_the_last_ones_in_a_row(monkeypatch, takes, median):
    now, coming = [0.0], iter(takes)
    monkeypatch.setattr(stopwatch, "perf_counter", lambda: now[0])

    def work():
        now[0] += next(coming) / 1000

    assert stopwatch._median(work, lambda: None) == pytest.approx(median)
    assert not list(coming)


def test_a_pair_that_is_loaded_knows_its_costs():
    assert ersd.load_pair().costs.target_1_ms > 0


def _fresh(pair, **more):
    """The same pair, beside whose runs nothing was timed yet."""
    return dataclasses.replace(pair, singles=deque(maxlen=stopwatch.KEPT), **more)


def _taking(now, seconds):
    """Scoring that takes so many seconds, call by call, by a clock that is wound by hand."""
    score = stopwatch._score

    def timed(cache, tokens):
        now[0] += next(seconds)
        return score(cache, tokens)

    return timed


def test_beside_a_run_one_by_one_takes_what_was_timed_there(pair, calls, monkeypatch):
    """By a clock that is wound by hand: a call takes 10 ms, a step of the run 30 ms."""
    now = [0.0]
    monkeypatch.setattr(stopwatch, "_score", _taking(now, iter(lambda: 0.01, None)))
    monkeypatch.setattr(stopwatch, "perf_counter", lambda: now[0])
    mine = _fresh(pair, costs=Costs(4.0, 5.0, 7.0, 0.5, draft_ms=0.5))  # two fit into a row
    beside = stopwatch.OneByOne(mine)
    told, timed = [], []
    for _ in range(900):
        told.append(beside.look())
        timed.append(len(mine.singles))
        now[0] += 0.03
    assert set(calls) == {("target", 1)}
    known = 0.03 * timed.index(stopwatch.FEWEST)  # seconds of the run until then
    row = 2 * 0.0045  # seconds at load
    looks = 1 + stopwatch.UNKNOWN_SHARE * known / row, stopwatch.SHARE * now[0] / row
    assert len(calls) - 1 <= 2 * sum(looks), "a small part of the run's time, and a smaller one where it is known"
    assert timed[-1] == stopwatch.KEPT
    assert told == pytest.approx([10] * len(told)), "from the first step on"
    assert stopwatch.OneByOne(mine).look() == pytest.approx(10), "known from the run before"


@pytest.mark.parametrize(("at_load", "in_a_row"), [(0.5, 20), (2.0, 5), (5.0, 2), (90.0, 1)])
def test_tokens_one_by_one_are_timed_in_a_row(pair, monkeypatch, at_load, in_a_row):
    """By a clock wound by hand: the first behind a step of the run takes longer."""
    takes = [3.0 * at_load, *(at_load for _ in range(in_a_row - 1))]
    now, mine = [0.0], _fresh(pair, costs=Costs(at_load, 5.0, 7.0, 0.0, draft_ms=0.5))
    monkeypatch.setattr(stopwatch, "_score", _taking(now, (each / 1000 for each in takes)))
    monkeypatch.setattr(stopwatch, "perf_counter", lambda: now[0])
    monkeypatch.setattr(stopwatch, "random", lambda: 0.0)
    stopwatch.OneByOne(mine).look()
    assert list(mine.singles) == pytest.approx(takes)


@pytest.mark.parametrize("known", [1, stopwatch.FEWEST])
def test_it_is_timed_at_any_time_of_a_run(pair, monkeypatch, known):
    """A browser is busiest when a run begins: what is timed then would be too much."""
    now, mine = [0.0], _fresh(pair, costs=Costs(10.0, 11.0, 12.0, 0.0, draft_ms=0.5))  # one at a time
    mine.singles.extend(known * [4.0])
    share = stopwatch.UNKNOWN_SHARE if known < stopwatch.FEWEST else stopwatch.SHARE
    monkeypatch.setattr(stopwatch, "perf_counter", lambda: now[0])
    monkeypatch.setattr(stopwatch, "_score", _taking(now, iter(lambda: 0.02, None)))
    for chance in (0.0, 0.5, 0.99):
        monkeypatch.setattr(stopwatch, "random", lambda chance=chance: chance)
        beside, begun = stopwatch.OneByOne(mine), now[0]
        while len(mine.singles) == known:
            now[0] += 0.001
            beside.look()
        assert now[0] - 0.02 - begun == pytest.approx(chance * stopwatch.IN_A_ROW_MS / 1000 / share, abs=0.0011)
        mine.singles.pop()


def test_what_is_held_up_now_and_then_does_not_count(pair):
    mine = _fresh(pair)
    beside = stopwatch.OneByOne(mine)
    beside._due = float("inf")
    mine.singles.extend([4.0, 4.5, 4.0, 40.0] * 4)
    assert beside.look() == 4.25


def test_nothing_is_timed_beside_runs_of_a_pair_that_was_not_measured(pair, calls):
    assert stopwatch.OneByOne(_fresh(pair, costs=None)).look() is None
    assert calls == []


def test_the_ratios_of_large_pairs_come_from_published_shapes():
    def parameters(layers: int, width: int, forward: int, heads: int, key_heads: int, tied: bool) -> int:
        vocabulary, head = 128_256, width // heads
        attention = 2 * width * width + 2 * width * key_heads * head
        return layers * (attention + 3 * width * forward + 2 * width) + width + vocabulary * width * (1 if tied else 2)

    assert parameters(16, 2048, 8192, 32, 8, tied=True) == known.LLAMA_1B
    assert parameters(32, 4096, 14336, 32, 8, tied=False) == known.LLAMA_8B
    assert parameters(80, 8192, 28672, 64, 8, tied=False) == known.LLAMA_70B


def test_the_pair_at_hand_comes_first_where_it_was_measured():
    large = [pair.label for pair in known.LARGE_PAIRS]
    measured = Costs(4.0, 5.0, 7.0, 0.5, draft_ms=0.5)
    here, *others = places(measured)
    assert (here.label, here.ratio, [place.label for place in others]) == ("this machine", 8.0, large)
    assert here.source == "at load: call 4 ms, 5 with 4 drafted, 7 with 16; draft level 0.5 ms"
    for costs in (None, dataclasses.replace(measured, draft_ms=None)):
        assert [place.label for place in places(costs)] == large
    assert LargePair("", "big", "small", 80, 4).ratio == 20


@pytest.mark.parametrize("costs", [Costs(5.7749, 6.0, 7.0, 0.1, draft_ms=0.9051), Costs(0.04249, 1.0, 1.0, 0.1, draft_ms=0.0025149)])
def test_who_divides_the_figures_told_comes_to_the_ratio_told(costs):
    for place in places(costs):
        *called, drafted = (float(figure) for figure in re.findall(r" ([\d.]+)(?: ms| with|B(?=,|$))", place.source))
        assert [f"{call / drafted:.3g}" for call in called] == [f"{cost:.3g}" for _, cost in place.calls]


def test_a_call_for_a_tree_costs_what_was_measured_and_a_straight_line_between():
    here, large, _ = places(Costs(4.0, 5.0, 8.0, 0.5, draft_ms=0.5))
    assert [here.call(tokens) for tokens in (1, 3, 5, 11, 17, 29)] == [8.0, 9.0, 10.0, 13.0, 16.0, 22.0]
    assert large.call(17) == large.call(1) == large.ratio, "where all wait for memory a tree costs no more"
    assert Place("", ((1, 8.0), (5, 7.5), (17, 7.0)), "").call(40) == 8.0, "a tree never costs less than one token"


def test_where_a_tree_costs_more_it_gives_less():
    assert speedup(4, 8.0, 7) == speedup(4, 8.0, 7, tree=8.0) == pytest.approx(32 / 15)
    assert speedup(4, 8.0, 7, tree=13.0) == pytest.approx(32 / 20)
    with pytest.raises(ValueError, match="tree must be a number above 0"):
        speedup(4, 8.0, 7, tree=0.0)
