"""What is said of methods beside one another: counted token by token, and promised only where it holds."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import ersd
from ersd.models.costs import Costs
from ersd.settings import Settings
from ersd.trace.model import Emitted
from visual.payload.compare import EXACT, YARDSTICK, Comparison, Lane, likeness
from visual.payload.sentences.exactness import badge, law_of, text_of
from visual.payload.sentences.formatting import decimal

from .fakes import race_step, silent_step

USUAL = Settings(draft_tokens=4, max_new_tokens=12, seed=3)
ALONE = replace(USUAL, algorithm="autoregressive")
STANDARD = replace(USUAL, algorithm="gsd", topology="sequence")
GREEDY = replace(USUAL, algorithm="greedy")
LOSSY = replace(USUAL, algorithm="lossy", topology="sequence", leniency=0.3)
COLD = {"temperature": 0.0}


def lane(settings: Settings, tokens: str, is_over: bool = True, near_tie: int = -1) -> Lane:
    """A method that has written these letters, a token each."""
    made = Lane(settings)
    made.emitted = [Emitted(ord(one), one, "target", near_tie=place == near_tie) for place, one in enumerate(tokens)]
    made.names = [f"“{one}”" for one in tokens]
    made.is_over = is_over
    return made


def said(settings: Settings, tokens: str, other: str, beside: Settings = ALONE, **more) -> str:
    return likeness(lane(settings, tokens, **more), lane(beside, other))["words"]


def test_the_same_text_is_promised_only_where_it_holds():
    assert said(USUAL, "abc", "abc").startswith("the same text, token by token: 3 of 3. It would be with any tree, any k and any draft")
    assert said(STANDARD, "abc", "abc") == "the same text, token by token: 3 of 3. This time; nothing promises it"
    assert said(LOSSY, "abc", "abc").endswith("nothing promises it")
    assert said(GREEDY, "abc", "abc").endswith("nothing promises it")
    assert said(replace(STANDARD, **COLD), "ab", "ab", beside=replace(ALONE, **COLD)).endswith("with any tree, any k and any draft")
    assert said(GREEDY, "ab", "ab", beside=replace(ALONE, **COLD)).endswith("with any tree, any k and any draft")
    assert said(STANDARD, "ab", "ab", beside=STANDARD).endswith("The same settings: the same run")


def test_texts_are_compared_as_far_as_both_are_written():
    assert said(USUAL, "ab", "abc", is_over=False).startswith("the same so far: 2 of 2 tokens")
    assert said(USUAL, "ab", "abc").startswith("the same so far: 2 of 2 tokens")  # one was stopped earlier
    assert said(USUAL, "", "abc", is_over=False) == "nothing to compare yet"


def test_the_first_token_that_differs_is_told_and_of_which_law_the_text_is():
    assert said(STANDARD, "abX", "abc") == "another text of the same law: differs from token 3 on: “X”, not “c”"
    assert said(LOSSY, "Xbc", "abc") == "another text, of another law: differs from token 1 on: “X”, not “a”"
    assert said(GREEDY, "Xbc", "abc").startswith("another text, of another law")
    found = likeness(lane(STANDARD, "abX"), lane(ALONE, "abc"))
    assert (found["kind"], found["same"], found["first"]) == ("other", 2, 2)


def test_a_text_that_rounding_has_turned_is_not_called_another_one():
    assert said(USUAL, "abX", "abc") == "differs from token 3 on: “X”, not “c”. In exact arithmetic the texts are the same"
    assert ", a near tie (≈) that rounding turned. In exact" in said(USUAL, "abX", "abc", near_tie=2)


def test_a_token_that_adds_nothing_to_the_text_is_named_as_everywhere():
    one, other = Lane(USUAL), Lane(ALONE)
    one.add(silent_step())
    other.add(race_step())
    assert "differs from token 1 on: “<|end|>”, not “␣loved”" in likeness(one, other)["words"]


def test_tokens_are_compared_and_not_how_they_are_written():
    one, other = lane(USUAL, "a"), lane(ALONE, "a")
    one.emitted[0] = replace(one.emitted[0], token=7)
    assert likeness(one, other)["first"] == 0


@pytest.mark.parametrize("algorithm", list(ersd.ALGORITHMS))
def test_laws_and_badges_agree(algorithm):
    settings = replace(USUAL, algorithm=algorithm, topology="sequence", leniency=0.3)
    kind = badge(settings)["kind"]
    assert (law_of(settings) is None) == (kind == "biased")
    assert (text_of(settings) is not None) == (kind == "same-text")
    assert kind in EXACT


def test_what_is_promised_happens(pair):
    settings = Settings(max_new_tokens=16, draft_tokens=6, seed=5)
    families: dict[object, set[tuple[int, ...]]] = {}
    for temperature in (0.0, 1.0):
        for algorithm in ("ersd", "autoregressive", "gsd", "greedy"):
            one = replace(settings, algorithm=algorithm, topology="sequence", temperature=temperature)
            if text_of(one) is not None:
                families.setdefault(text_of(one), set()).add(tuple(ersd.run(pair, "Once upon a time", one).token_ids))
    assert len(families) == 2
    assert all(len(texts) == 1 for texts in families.values())


def test_the_board_is_told_every_call_once(pair):
    runs = [USUAL, ALONE]
    costs = Costs(2.0, 2.0, 2.0, 0.0, draft_ms=0.5)
    comparison = Comparison(runs, costs)
    begin = json.loads(comparison.begin())
    assert [one["name"] for one in begin["lanes"]] == ["ERSD τ* · k = 4", "one by one · no draft"]
    assert comparison.lanes[1] is comparison.yardstick
    traces = [ersd.run(pair, "Once upon a time", settings) for settings in runs]
    counts: list[list[int]] = [[], []]
    for call in range(max(len(trace.steps) for trace in traces)):
        for place, trace in enumerate(traces):
            if call < len(trace.steps):
                comparison.add(place, trace.steps[call])
        more = json.loads(comparison.more())
        for place, told in enumerate(more["lanes"]):
            counts[place] += told["counts"]
    assert counts == [[len(step.emitted) for step in trace.steps] for trace in traces]
    mine, alone = (told["row"] for told in more["lanes"])
    assert mine["per_call"] == decimal(traces[0].stats["tokens_per_call"])
    assert (mine["calls"], alone["calls"]) == (str(len(traces[0].steps)), "12")
    assert (alone["factor"], alone["elsewhere"]) == (None, [])
    assert len(mine["elsewhere"]) == len(begin["elsewhere"])
    assert more["lanes"][1]["text"]["words"] == YARDSTICK
    assert json.loads(comparison.end())["words"] == f"Finished: {len(traces[0].steps)} and 12 calls."


def rows(runs: list[Settings], costs: Costs | None, pair) -> tuple[str, list[dict]]:
    """What is said of the times, and the table of whole runs."""
    comparison = Comparison(runs, costs)
    here = json.loads(comparison.begin())["here"]
    for place, settings in enumerate(runs):
        for step in ersd.run(pair, "Once upon a time", settings).steps:
            comparison.add(place, step)
    return here, [lane["row"] for lane in json.loads(comparison.more())["lanes"]]


@pytest.mark.parametrize("costs", [None, Costs(1000.0, 1000.0, 1000.0, 0.0, draft_ms=0.5)])
def test_beside_one_by_one_speed_is_against_its_time_here_and_the_quotient_of_what_is_printed(pair, costs):
    here, (mine, standard, alone) = rows([USUAL, STANDARD, ALONE], costs, pair)
    assert here == "times as fast = ms per token of one by one ÷ ms per token"
    for row in (mine, standard):
        assert row["factor"] == round(float(alone["ms"]) / float(row["ms"]), 2)
    assert alone["factor"] is None


def test_without_it_speed_is_against_what_was_measured_at_load(pair):
    here, (mine, _) = rows([USUAL, STANDARD], Costs(3.0049, 3.5, 4.0, 0.1, draft_ms=0.5), pair)
    assert here == "times as fast = 3.10 ÷ ms per token; one by one takes 3.10 ms, measured at load"
    assert mine["factor"] == round(3.10 / float(mine["ms"]), 2)
    here, (mine, _) = rows([USUAL, STANDARD], None, pair)
    assert (here, mine["factor"]) == ("", None)
