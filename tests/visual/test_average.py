"""A run is one text: what stands beside its figures, and what its method is expected to give on average."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import ersd
from assets.openings import FOR_TABLE
from ersd.settings import METHODS, Settings
from visual.payload.average import Average, beside_one_text
from visual.payload.compare.board import Comparison
from visual.payload.messages import RunMessages
from visual.server.average import average, of_embedded
from visual.server.recorded import first_look, first_message

USUAL = Settings(draft_tokens=8)
HALF = [0.5, 0.5]


def test_a_chain_and_a_batch_give_what_their_ranks_give():
    chain = average(replace(USUAL, topology="sequence", draft_tokens=2), lambda settings: HALF)
    batch = average(replace(USUAL, topology="batch", draft_tokens=2), lambda settings: HALF)
    assert chain is not None
    assert chain.tokens == 1 + 0.5 + 0.25
    assert batch is not None
    assert batch.tokens == 1 + 0.75


def test_at_temperature_0_the_chain_of_likeliest_tokens_counts():
    hazards = {"ersd": [0.9, 0.9], "greedy": [0.5, 0.5]}
    found = average(replace(USUAL, topology="batch", draft_tokens=2, temperature=0), lambda settings: hazards[settings.algorithm])
    assert found is not None
    assert found.tokens == 1.5


@pytest.mark.parametrize(
    "settings",
    [
        replace(USUAL, topology="dynamic"),
        replace(USUAL, algorithm="lossy", topology="sequence", leniency=0.3),
        replace(USUAL, algorithm="kseq", topology="multi_sequence"),
        replace(USUAL, algorithm="autoregressive"),
        replace(USUAL, source="frequent", frequent_tokens=64),
    ],
    ids=["shaped by the text", "biased", "K-SEQ", "no draft", "other guesses than those measured"],
)
def test_nothing_is_said_where_it_is_not_known(settings):
    assert average(settings, lambda settings: HALF) is None


def test_nothing_is_said_of_a_pair_that_was_not_measured():
    assert average(USUAL, lambda settings: ()) is None
    assert average(USUAL, lambda settings: None) is None


def test_the_embedded_pair_gives_about_that_on_several_texts(pair):
    settings = replace(USUAL, max_new_tokens=64)
    texts = enumerate(FOR_TABLE[:6])
    steps = [step for seed, text in texts for step in ersd.generate(pair, text, replace(settings, seed=seed), record=False)]
    measured = sum(map(len, steps)) / len(steps)
    expected = average(settings, pair.prior)
    assert expected is not None
    assert expected.tokens == pytest.approx(measured, rel=0.2)
    assert of_embedded(settings) == expected


@pytest.mark.parametrize(
    ("known", "changes", "words"),
    [
        (None, {}, "one text"),
        (Average(3.26), {}, "one text; average about 3.3"),
        (Average(3.26), {"temperature": 0.8}, "one text; average 3.3 at T\u00a0=\u00a01"),
        (Average(3.26), {"top_k": 50}, "one text; average 3.3 at T\u00a0=\u00a01"),
        (Average(3.26), {"temperature": 0.0}, "one text; average about 3.3"),
        (Average(3.93, is_least=True), {"temperature": 0.5}, "one text; average ≥ 3.9 at T\u00a0=\u00a01"),
        (Average(3.93, is_least=True), {}, "one text; average ≥ 3.9"),
        (None, {"algorithm": "autoregressive"}, "whole run"),
    ],
)
def test_the_words_beside_the_figures(known, changes, words):
    assert beside_one_text(known, replace(USUAL, **changes))["words"] == words


def test_the_recorded_run_and_a_comparison_say_it():
    begin = json.loads(first_message())["messages"][0]
    expected = of_embedded(first_look().settings)
    assert expected is not None
    assert begin["one_text"]["words"] == f"one text; average {expected.short()} at T\u00a0=\u00a01"
    assert "measured for this pair" in begin["one_text"]["help"]
    plain = json.loads(RunMessages("Once", USUAL, "a pair").begin())
    assert plain["one_text"] == {"words": "one text", "help": ""}
    lanes = [USUAL, Settings(*METHODS["one by one"])]
    board = json.loads(Comparison(lanes, averages=[Average(3.26), None]).begin())
    assert [lane["average"] for lane in board["lanes"]] == ["average 3.3", ""]
    assert board["on_average"] == "average: tokens per call expected at temperature 1"
    assert json.loads(Comparison(lanes).begin())["on_average"] == ""
