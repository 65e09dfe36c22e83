"""The Compare board: texts compared token by token, promises only where they hold, and one baseline for all methods."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import ersd
from ersd.costs import Costs
from ersd.settings import Settings
from ersd.trace.step import Emitted
from visual.payload.compare.board import Comparison, recording
from visual.payload.compare.lane import EXACT, Lane
from visual.payload.compare.words import YARDSTICK, headline, likeness
from visual.payload.message_types import compare as types
from visual.payload.sentences.exactness import badge, distribution_key, text_key
from visual.payload.sentences.formatting import decimal
from visual.server.parameters import plain_values
from visual.server.tabs.compare import NAMES, SHARED_FIELDS, CompareRequest, lanes_in

from .fakes import race_step, silent_step, trace as trace_of
from .fits import problems

ERSD = Settings(draft_tokens=4, max_new_tokens=12, seed=3)
PLAIN = replace(ERSD, algorithm="autoregressive")
STANDARD = replace(ERSD, algorithm="gsd", topology="sequence")
GREEDY = replace(ERSD, algorithm="greedy")
LOSSY = replace(ERSD, algorithm="lossy", topology="sequence", leniency=0.3)
COLD_STANDARD, COLD = replace(STANDARD, temperature=0.0), replace(PLAIN, temperature=0.0)
PROMISE, CHANCE = "Guaranteed with any tree, any k and any draft.", "A coincidence: this method does not guarantee it."


def lane(settings: Settings, tokens: str, is_over: bool = True, near_tie: int = -1) -> Lane:
    """A method that has written these letters, a token each."""
    made = Lane(settings)
    made.emitted = [Emitted(ord(one), one, "target", near_tie=index == near_tie) for index, one in enumerate(tokens)]
    made.names = [f"“{one}”" for one in tokens]
    made.is_over = is_over
    return made


@pytest.mark.parametrize(
    ("settings", "text", "other", "yardstick", "more", "sentence"),
    [
        (ERSD, "abc", "abc", PLAIN, {}, f"The same text: 3 of 3 tokens. {PROMISE}"),
        (STANDARD, "abc", "abc", PLAIN, {}, f"The same text: 3 of 3 tokens. {CHANCE}"),
        (LOSSY, "ab", "ab", PLAIN, {}, f"The same text: 2 of 2 tokens. {CHANCE}"),
        (GREEDY, "ab", "ab", PLAIN, {}, f"The same text: 2 of 2 tokens. {CHANCE}"),
        (COLD_STANDARD, "ab", "ab", COLD, {}, f"The same text: 2 of 2 tokens. {PROMISE}"),
        (GREEDY, "ab", "ab", COLD, {}, f"The same text: 2 of 2 tokens. {PROMISE}"),
        (STANDARD, "ab", "ab", STANDARD, {}, "The same text: 2 of 2 tokens. Both runs have the same settings."),
        (ERSD, "ab", "abc", PLAIN, {"is_over": False}, f"The same so far: 2 of 2 tokens. {PROMISE}"),
        (ERSD, "ab", "abc", PLAIN, {}, f"The same so far: 2 of 2 tokens. {PROMISE}"),  # one was stopped earlier
        (ERSD, "", "abc", PLAIN, {"is_over": False}, "Nothing to compare yet."),
        (STANDARD, "abX", "abc", PLAIN, {}, "Another text from the same distribution: token 3 is “X” instead of “c”."),
        (LOSSY, "Xbc", "abc", PLAIN, {}, "Another text from another distribution: token 1 is “X” instead of “a”."),
        (GREEDY, "Xbc", "abc", PLAIN, {}, "Another text from another distribution: token 1 is “X” instead of “a”."),
        (ERSD, "abX", "abc", PLAIN, {}, "Differs: token 3 is “X” instead of “c”. In exact arithmetic the texts are the same."),
        (
            ERSD, "abX", "abc", PLAIN, {"near_tie": 2},
            "Differs: token 3 is “X” instead of “c”, a near tie (≈) that rounding decided. In exact arithmetic the texts are the same.",
        ),
    ],
)  # fmt: skip
def test_the_sentence_about_two_texts(settings, text, other, yardstick, more, sentence):
    found = likeness(lane(settings, text, **more), lane(yardstick, other))
    first = text.index("X") if "X" in text else None
    assert (found["words"], found["kind"], found["first"]) == (sentence, "same" if first is None else "other", first)
    assert found["same"] == (len(text) if first is None else first)


def test_tokens_are_compared_by_id_and_named_as_everywhere():
    one, other = lane(ERSD, "a"), lane(PLAIN, "a")
    one.emitted[0] = replace(one.emitted[0], token=7)
    assert likeness(one, other)["first"] == 0
    one, other = Lane(ERSD), Lane(PLAIN)
    one.add(silent_step())
    other.add(race_step())
    assert "token 1 is “<|end|>” instead of “loved”" in likeness(one, other)["words"]


@pytest.mark.parametrize("algorithm", list(ersd.ALGORITHMS))
def test_distributions_texts_and_badges_agree(algorithm):
    settings = replace(ERSD, algorithm=algorithm, topology="sequence", leniency=0.3)
    kind = badge(settings)["kind"]
    assert (distribution_key(settings) is None) == (kind == "biased")
    assert (text_key(settings) is not None) == (kind == "same-text")
    assert kind in EXACT


def test_promised_texts_are_the_same(pair):
    settings = Settings(max_new_tokens=16, draft_tokens=6, seed=5)
    families: dict[object, set[tuple[int, ...]]] = {}
    for temperature in (0.0, 1.0):
        for algorithm in ("ersd", "autoregressive", "gsd", "greedy"):
            one = replace(settings, algorithm=algorithm, topology="sequence", temperature=temperature)
            if text_key(one) is not None:
                families.setdefault(text_key(one), set()).add(tuple(ersd.run(pair, "Once upon a time", one).token_ids))
    assert [len(texts) for texts in families.values()] == [1, 1]


def test_the_board_gets_every_call_once(pair):
    runs = [ERSD, PLAIN]
    comparison = Comparison(runs, {"model": Costs(2.0, 2.0, 2.0, 0.0, draft_ms=0.5)})
    begin = json.loads(comparison.begin())
    assert [one["name"] for one in begin["lanes"]] == ["ERSD on a τ* tree · k = 4", "No draft"]
    assert comparison.lanes[1] is comparison.yardstick
    traces = [ersd.run(pair, "Once upon a time", settings) for settings in runs]
    counts: list[list[int]] = [[], []]
    for call in range(max(len(trace.steps) for trace in traces)):
        for index, trace in enumerate(traces):
            if call < len(trace.steps):
                comparison.add(index, trace.steps[call])
        more = json.loads(comparison.more())
        for index, one in enumerate(more["lanes"]):
            counts[index] += one["counts"]
        assert [sum(one["own"]) for one in more["lanes"]] == [
            len(trace.steps[call].emitted) - trace.steps[call].accepted if call < len(trace.steps) else 0 for trace in traces
        ]
    assert counts == [[len(step.emitted) for step in trace.steps] for trace in traces]
    mine, plain = (one["row"] for one in more["lanes"])
    assert mine["per_call"] == decimal(traces[0].stats["tokens_per_call"])
    assert (mine["calls"], plain["calls"]) == (str(len(traces[0].steps)), "12")
    assert (plain["factor"], plain["basis"]) == (None, None)
    assert mine["basis"][0] == float(mine["per_call"])
    assert more["lanes"][1]["text"]["words"] == YARDSTICK
    assert json.loads(comparison.end())["words"] == f"Finished: {len(traces[0].steps)} and 12 calls."


QUOTIENT = "ms per token without a draft ÷ ms per token; expected: on an idle machine"
COSTS = Costs(3.0, 3.5, 5.0, 0.1, draft_ms=0.5)
"""A call on the five tokens of `race_step` takes 3.5 ms at load, 2.0 ms in it."""


@pytest.mark.parametrize(
    ("runs", "costs", "here", "baseline_ms"),
    [
        ([ERSD, STANDARD, PLAIN], COSTS, f"measured: {QUOTIENT}", 3.1 / 2),
        ([ERSD, STANDARD, PLAIN], None, f"measured: {QUOTIENT}", 3.1 / 2),
        ([ERSD, STANDARD], COSTS, f"measured: {QUOTIENT.replace('draft', 'draft (at load, scaled to these calls)')}", 3.1 * (2 + 7) / 7),
        ([ERSD, STANDARD], None, "", None),
    ],
)  # fmt: skip
def test_all_methods_have_one_baseline(runs, costs, here, baseline_ms):
    """The calls of standard take 7 ms here: together with those of ERSD, 2 ms, that is more than at load."""
    comparison = Comparison(runs, {"model": costs} if costs else {})
    assert json.loads(comparison.begin())["here"] == here
    for index in range(len(runs)):
        for _ in range(2):
            comparison.add(index, replace(race_step(), target_ms=7.0) if runs[index] is STANDARD else race_step())
    rows = [one["row"] for one in json.loads(comparison.more())["lanes"]]
    for row in rows[:2]:
        assert row["factor"] == (None if baseline_ms is None else pytest.approx(float(decimal(baseline_ms)) / float(row["ms"]), abs=0.006))
    assert all(row["factor"] is None for row in rows[2:])


def test_the_headline_names_the_same_text_and_says_slower_in_words(pair):
    comparison = Comparison([ERSD, PLAIN], {"model": Costs(2.0, 2.0, 2.0, 0.0, draft_ms=0.5)})
    traces = [ersd.run(pair, "Once upon a time", settings) for settings in (ERSD, PLAIN)]
    for index, trace in enumerate(traces):
        for step in trace.steps:
            comparison.add(index, step)
    assert json.loads(comparison.more())["headline"] == "", "the methods are still running"
    for each in comparison.lanes:
        each.is_over = True
    begin = f"ERSD on a τ* tree wrote the same text in {len(traces[0].steps)} calls instead of 12."
    assert json.loads(comparison.more())["headline"].startswith(begin)
    assert headline(comparison.lanes, comparison.yardstick, [1.28, None]) == (
        f"{begin} Fastest for this text on this machine: ERSD on a τ* tree, 1.28× the speed without a draft."
    )
    assert "none was faster than decoding without a draft" in headline(comparison.lanes, comparison.yardstick, [0.63, None])


def test_the_messages_of_a_comparison_have_their_types():
    costs = {"model": Costs(1.0, 1.2, 1.5, 0.1, draft_ms=0.2), "ngram": Costs(1.0, 1.2, 1.5, 0.1, draft_ms=0.1, source="ngram")}
    for runs in ([ERSD, PLAIN, LOSSY], FROM_ALL):
        comparison = Comparison(runs, costs)
        for _ in range(2):
            comparison.add(0, race_step())
        sent = {"CompareBegin": comparison.begin(), "CompareMore": comparison.more(), "CompareEnd": comparison.end()}
        for name, message in {**sent, "CompareRecording": recording([trace_of(race_step()), trace_of(race_step())])}.items():
            assert not problems(json.loads(message), getattr(types, name)), name


FROM_ALL = [ERSD, replace(ERSD, source="ngram"), PLAIN]


@pytest.mark.parametrize(
    ("runs", "is_one"),
    [
        (FROM_ALL, True), (FROM_ALL[:2], True), ([*FROM_ALL[:2], replace(ERSD, source="exit")], True),
        ([ERSD, PLAIN], False),  # one source: nothing to compare
        ([ERSD, ERSD, PLAIN], False), ([ERSD, replace(ERSD, source="ngram", draft_tokens=5), PLAIN], False),
        ([ERSD, replace(GREEDY, source="ngram"), PLAIN], False), ([*FROM_ALL, PLAIN], False),
    ],
)  # fmt: skip
def test_one_text_is_shown_where_runs_differ_only_in_their_guesses(runs, is_one):
    comparison = Comparison(runs)
    begin = json.loads(comparison.begin())
    assert (begin["one_text"] is not None) == is_one == bool(comparison.one_text)
    comparison.add(0, race_step())
    assert (json.loads(comparison.more())["tokens"] != []) == is_one


def test_the_one_text_is_what_the_furthest_run_has_written_and_a_faulty_one_is_left_out():
    comparison = Comparison(FROM_ALL)
    written = ["abc", "abcd", "ab"]
    for index, tokens in enumerate(written):
        comparison.lanes[index] = lane(FROM_ALL[index], tokens)
    comparison.yardstick = comparison.lanes[2]
    assert comparison._tokens() == list("abcd")
    comparison.lanes[1] = lane(FROM_ALL[1], "aXcd")
    assert comparison._tokens() == list("abc")
    with_coins = [replace(one, algorithm="gsd", topology="sequence") if one.vertices else one for one in FROM_ALL]
    comparison = Comparison(with_coins)
    for index, tokens in enumerate(written):
        comparison.lanes[index] = lane(with_coins[index], tokens)
    comparison.yardstick = comparison.lanes[2]
    assert comparison._tokens() == list("ab"), "coins promise no text"


@pytest.mark.parametrize(
    ("texts", "coins", "begins"),
    [
        (("abc", "abc", "abc"), False, "2 sources of guesses, one and the same text: 1 to 2 calls instead of 3."),
        (("abc", "abX", "abc"), False, "1 of 2 sources of guesses wrote one and the same text: 1 to 2 calls instead of 3."),
        (("abc", "aXc", "abc"), True, "2 sources of guesses, each with another text from one distribution: 1 to 2 calls instead of 3."),
    ],
)  # fmt: skip
def test_the_headline_of_one_text_says_how_many_sources_wrote_it_and_who_was_fastest(texts, coins, begins):
    runs = [replace(one, algorithm="gsd", topology="sequence") if coins and one.vertices else one for one in FROM_ALL]
    lanes = [lane(settings, text) for settings, text in zip(runs, texts, strict=True)]
    for calls, one in enumerate(lanes, 1):
        one.statistics.steps = calls
    words = headline(lanes, lanes[2], [0.8, 1.2, None])
    assert words == f"{begins} Fastest for this text on this machine: n-grams, 1.20× the speed without a draft."


def test_every_source_has_its_own_costs_and_time():
    """Two steps of 2 tokens each, the second in 0.5 + 2.0 + 0.1 ms: 4 tokens in 5.2 ms, of which 1.0 for guessing."""
    costs = {"model": COSTS, "ngram": replace(COSTS, draft_ms=0.01, source="ngram")}
    comparison = Comparison(FROM_ALL, costs)
    begin = json.loads(comparison.begin())
    assert [one["place"] and one["place"]["level"] for one in begin["lanes"]] == [None, 0.01, None]
    step = race_step()
    for index in range(2):
        for _ in range(2):
            comparison.add(index, step)
    row = json.loads(comparison.more())["lanes"][1]["row"]
    assert row["basis"] is not None
    spent = row["spent"]
    assert spent["draft"] + spent["rest"] == pytest.approx(2 * step.ms, abs=0.11)
    assert spent["draft"] == pytest.approx(2 * step.draft_ms, abs=0.06)


def test_keys_hold_for_the_methods_that_have_clocks():
    values = dict.fromkeys(NAMES) | {name: plain_values(Settings())[name] for name in SHARED_FIELDS}
    values |= lanes_in("ERSD τ*,SpecInfer,one by one", "", 4) | {"prompt": "Once", "keys": "context"}
    assert [run.keys for run in CompareRequest(values).runs()] == ["context", "position", "context"]
    with pytest.raises(ValueError, match=r"^keys must be one of position, context, got 'word'$"):
        CompareRequest(values | {"keys": "word"}).runs()
