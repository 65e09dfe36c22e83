"""The gallery: every recorded run is what a fresh run gives, shows what its card says, and the card says nothing that is not so."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import ersd
from ersd.trace.model import Trace
from visual.payload.gallery import CARDS, UNLIKELY
from visual.payload.sentences.numbers import apart
from visual.server import compare_recorded
from visual.server.recorded import read
from visual.ui.controls import PROMPT
from visual.ui.gallery_tab import FOLDER, message
from visual.ui.page import usual_settings

NAMES = [name for card in CARDS for name in card.runs]
COMPARED = compare_recorded.FOLDER
PATHS = {name: FOLDER / f"{name}.json" for name in NAMES} | {
    f"compared-{name}": COMPARED / f"{name}.json" for name in compare_recorded.METHODS
}
"""Of every recorded run, those of the Compare tab too."""
CLOSE = {"rel": 1e-3, "abs": 1e-5}
"""Numbers may differ by what other machines round otherwise."""
CLOSE_OF_LEFT = {"rel": 1e-2, "abs": 1e-4}
"""What a rejection leaves of the target is a difference, divided by what may be little."""


def recorded(name: str) -> Trace:
    return read(FOLDER / f"{name}.json", "a command")


def plain(step) -> dict[str, Any]:
    """A step without its times; the rows of a table in the order of their tokens, as those of equal numbers may change places."""
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
        for place, (first, second) in enumerate(zip(one, other, strict=True)):
            assert_same(first, second, f"{where}[{place}]")
    elif isinstance(one, float) and isinstance(other, float):
        assert one == pytest.approx(other, **(CLOSE_OF_LEFT if ".left" in where else CLOSE)), where
    else:
        assert one == other, where


@pytest.mark.parametrize("name", PATHS)
def test_a_recorded_run_is_what_a_fresh_one_gives(pair, name):
    was = read(PATHS[name], "a command")
    now = ersd.run(pair, was.prompt, was.settings)
    assert (now.text, now.token_ids, now.stopped) == (was.text, was.token_ids, was.stopped)
    assert_same([plain(step) for step in was.steps], [plain(step) for step in now.steps], "steps")


def test_the_recorded_comparison_is_what_the_controls_ask_for_at_first():
    runs = compare_recorded.traces()
    assert [run.settings for run in runs] == list(compare_recorded.first_settings(usual_settings()).values())
    assert {run.prompt for run in runs} == {PROMPT}
    ersd_run, _, alone = runs
    assert ersd_run.token_ids == alone.token_ids
    assert len(ersd_run.steps) < len(alone.steps) / 3
    assert {path.stem for path in COMPARED.iterdir()} == set(compare_recorded.METHODS)
    assert max(path.stat().st_size for path in COMPARED.iterdir()) < 500_000


def test_there_are_six_cards_and_no_other_files():
    assert len(CARDS) == 6
    assert {path.stem for path in FOLDER.glob("*.json")} == set(NAMES)
    assert max(path.stat().st_size for path in FOLDER.glob("*.json")) < 500_000


@pytest.mark.parametrize("card", CARDS, ids=[card.title for card in CARDS])
def test_a_card_shows_its_effect_and_says_two_sentences(card):
    traces = [recorded(name) for name in card.runs]
    assert [dataclasses.replace(trace.settings, seed=0) for trace in traces] == list(card.runs.values())
    views = card.find(traces)
    assert views is not None
    told = card.tell(traces, views)
    assert all(sentence.endswith(".") for sentence in told)
    assert any(sign.isdigit() for sign in "".join(told)), "with numbers of its own"
    for name, view in zip(card.runs, views, strict=True):
        assert f'"view":{{"step":{view.step},' in message(name)


def sentences(name: str) -> tuple[str, str]:
    card = next(card for card in CARDS if name in card.runs)
    traces = [recorded(one) for one in card.runs]
    return card.tell(traces, card.find(traces))


def test_the_text_of_ersd_is_that_of_one_by_one(pair):
    races, coins = recorded("ersd"), recorded("standard")
    alone = ersd.run(pair, races.prompt, dataclasses.replace(races.settings, algorithm="autoregressive"))
    assert races.text == alone.text != coins.text
    first, _ = sentences("ersd")
    assert f"{len(races.token_ids)} tokens in {len(races.steps)} target calls" in first
    assert f"as many in {len(coins.steps)}." in first
    assert len(races.token_ids) == len(coins.token_ids)
    assert (races.prompt, races.settings.seed) == (coins.prompt, coins.settings.seed)


def test_the_greedy_text_is_the_target_s_own(pair):
    trace = recorded("greedy")
    alone = ersd.run(pair, trace.prompt, dataclasses.replace(trace.settings, algorithm="autoregressive", temperature=0.0))
    assert trace.text == alone.text


def test_the_lossy_run_accepted_what_the_target_hardly_writes():
    trace = recorded("lossy")
    card = next(card for card in CARDS if "lossy" in card.runs)
    (view,) = card.find([trace])
    visit = next(visit for visit in trace.steps[view.step].walk if visit.vertex == view.vertex)
    assert visit.accepted
    assert next(row.p for row in visit.rows if row.token == visit.token) < UNLIKELY


def test_standard_decoding_cuts_what_block_keeps_by_the_same_coin(pair):
    trace = recorded("block")
    kept = trace.steps[0]
    cut = next(ersd.generate(pair, trace.prompt, dataclasses.replace(trace.settings, algorithm="gsd")))
    assert cut.tokens == kept.tokens
    assert cut.walk[0].tries[0].coin == pytest.approx(kept.block[0].coin)
    assert cut.accepted == 0
    ratio, coin = apart(kept.block[0].ratio, kept.block[0].coin)
    assert f"has p/q = {ratio} and the coin {coin}: with this very coin" in sentences("block")[0]
    assert float(ratio) < float(coin), "as printed"
    assert f"all {len(kept.tokens)} tokens together, and keeps {kept.accepted}." in sentences("block")[1]
