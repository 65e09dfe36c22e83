"""The recorded runs: each is what a fresh run gives, and the cards of the gallery show and say what is true of them."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import pytest

import ersd
from ersd.trace.model import Trace
from visual.payload.gallery import CARDS
from visual.payload.gallery.rules import UNLIKELY
from visual.payload.sentences.numbers import apart

RECORDED = Path(__file__).resolve().parents[2] / "assets" / "recorded"
FOLDER, COMPARED = RECORDED / "gallery", RECORDED / "comparison"
NAMES = [name for card in CARDS for name in card.runs]
PATHS = {name: FOLDER / f"{name}.json" for name in NAMES} | {f"compared-{path.stem}": path for path in COMPARED.iterdir()}
"""Every recorded run, those of the Compare tab included."""
TOLERANCE = {"rel_tol": 1e-3, "abs_tol": 1e-5}
"""Other machines round otherwise."""
TOLERANCE_OF_RESIDUALS = {"rel_tol": 1e-2, "abs_tol": 1e-4}
"""A residual is a difference, divided by what may be little."""
THEORY = {"rel_tol": 2e-2, "abs_tol": 2e-3}
"""Predictions are shown with two digits."""


def recorded(name: str) -> Trace:
    return Trace.from_json(PATHS[name].read_text(encoding="utf-8"))


def plain(step) -> dict[str, Any]:
    """A step without its times; the rows of a table in the order of their tokens, since equal numbers may swap."""
    data = {name: value for name, value in dataclasses.asdict(step).items() if not name.endswith("_ms")}
    for visit in data["walk"]:
        visit["rows"].sort(key=lambda row: row["token"])
    return data


def assert_same(one: Any, other: Any, where: str) -> None:
    if isinstance(one, dict):
        assert one.keys() == other.keys(), where
        for name in one:
            assert_same(one[name], other[name], f"{where}.{name}")
    elif isinstance(one, list):
        assert len(one) == len(other), where
        for index, (first, second) in enumerate(zip(one, other, strict=True)):
            assert_same(first, second, f"{where}[{index}]")
    elif isinstance(one, float) and isinstance(other, float):
        is_theory = where.endswith((".predicted", ".optimum", ".match", ".d_hm", ".bound", ".expected"))
        tolerance = TOLERANCE_OF_RESIDUALS if ".left" in where else THEORY if is_theory else TOLERANCE
        assert math.isclose(one, other, **tolerance), (where, one, other)
    else:
        assert one == other, where


@pytest.mark.parametrize("name", PATHS)
def test_a_recorded_run_is_what_a_fresh_one_gives(pair, name):
    was = recorded(name)
    now = ersd.run(pair, was.prompt, was.settings)
    assert (now.text, now.token_ids, now.stopped) == (was.text, was.token_ids, was.stopped)
    assert_same([plain(step) for step in was.steps], [plain(step) for step in now.steps], "steps")


def test_the_recorded_comparison_is_the_tabs_first_one():
    from visual.server.tabs import compare_recorded
    from visual.ui.controls import PROMPT
    from visual.ui.page import usual_settings

    runs = compare_recorded.traces()
    first = compare_recorded.first_settings(usual_settings())
    names = [name for name in first if (COMPARED / f"{name}.json").exists()]
    assert {path.stem for path in COMPARED.iterdir()} == set(names) >= {"model", compare_recorded.NO_DRAFT}
    assert [run.settings for run in runs] == [first[name] for name in names]
    assert {run.prompt for run in runs} == {PROMPT}
    assert len({tuple(run.token_ids) for run in runs}) == 1, "one text, whoever guesses"
    assert len(runs[0].steps) < len(runs[-1].steps) / 3


def test_there_are_eight_cards_and_no_other_or_large_files():
    assert len(CARDS) == 8
    assert {path.stem for path in FOLDER.glob("*.json")} == set(NAMES)
    assert max(path.stat().st_size for path in PATHS.values()) < 500_000


def card_of(name: str) -> tuple[list[Trace], Any, tuple[str, str]]:
    """The runs of a card, the views that it finds in them, and its sentences."""
    card = next(card for card in CARDS if name in card.runs)
    traces = [recorded(one) for one in card.runs]
    assert [dataclasses.replace(trace.settings, seed=0) for trace in traces] == list(card.runs.values())
    views = card.find(traces)
    assert views is not None
    return traces, views, card.tell(traces, views)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.title)
def test_a_card_shows_its_effect_and_describes_it_in_two_sentences_with_numbers(card):
    traces, views, sentences = card_of(next(iter(card.runs)))
    assert all(sentence.endswith(".") for sentence in sentences)
    assert any(sign.isdigit() for sign in "".join(sentences))
    for trace, view in zip(traces, views, strict=True):
        visited = [visit.vertex for visit in trace.steps[view.step].walk]
        assert view.vertex is None or view.vertex in visited


def test_texts_are_those_of_plain_decoding(pair):
    def undrafted(trace: Trace, **changes) -> Trace:
        return ersd.run(pair, trace.prompt, dataclasses.replace(trace.settings, algorithm="autoregressive", **changes))

    (races, coins), _, (first, _) = card_of("ersd")
    assert races.text == undrafted(races).text != coins.text
    assert f"{len(races.token_ids)} tokens in {len(races.steps)} target calls" in first
    assert f"(standard) took {len(coins.steps)} calls." in first
    assert len(races.token_ids) == len(coins.token_ids)
    assert (races.prompt, races.settings.seed) == (coins.prompt, coins.settings.seed)
    greedy = recorded("greedy")
    assert greedy.text == undrafted(greedy, temperature=0.0).text


def test_the_lossy_run_accepted_what_the_target_hardly_writes():
    (trace,), (view,), _ = card_of("lossy")
    visit = next(visit for visit in trace.steps[view.step].walk if visit.vertex == view.vertex)
    assert visit.accepted
    assert next(row.p for row in visit.rows if row.token == visit.token) < UNLIKELY


def test_standard_decoding_cuts_what_block_keeps_by_the_same_coin(pair):
    (trace,), _, (first, second) = card_of("block")
    kept = trace.steps[0]
    cut = next(ersd.generate(pair, trace.prompt, dataclasses.replace(trace.settings, algorithm="gsd")))
    assert (cut.tokens, cut.accepted) == (kept.tokens, 0)
    assert cut.walk[0].tries[0].coin == pytest.approx(kept.block[0].coin)
    ratio, coin = apart(kept.block[0].ratio, kept.block[0].coin)
    assert f"has p ÷ q = {ratio} and the coin {coin}. With this coin" in first
    assert float(ratio) < float(coin), "as printed"
    assert f"all {len(kept.tokens)} tokens together and keeps {kept.accepted}." in second
