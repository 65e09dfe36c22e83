"""Two workbenches on one page, with the prefixes "" and "second-": each has its own controls, preview, links and player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import gradio as gr
import pytest

import ersd
from visual.payload.messages import recording
from visual.server.pairs import Pairs
from visual.ui.controls import PROMPT
from visual.ui.generate_tab import generate_tab

from .browser import launched, visits
from .driver import (
    choose,
    choose_method,
    chosen,
    data,
    follow,
    generate,
    press_generate,
    setup,
    state,
    wait_for,
    wait_for_preview,
    wait_for_step,
    wait_until_chosen,
    wait_until_under_way,
)

PREFIXES = ("", "second-")
USUAL = ersd.Settings(draft_tokens=4, max_new_tokens=12)
CONTRACT = (
    "prompt method algorithm topology draft-tokens temperature top-k top-p max-new-tokens seed models generate stop copy-link preview "
    "player player-text player-tree player-race player-timeline player-stats"
)
"""The ids that a workbench without a prefix has."""
IDS = "() => [...document.querySelectorAll('.workbench')].map((one) => [...one.querySelectorAll('*')].map((it) => it.id).filter(Boolean))"
"""The ids in each workbench."""
STANDS_OUT = "([id, stands]) => (getComputedStyle(document.getElementById(id)).fontWeight > 400) === stands"


@pytest.fixture(scope="module")
def recordings(pair) -> dict[str, str]:
    return {prefix: recording(ersd.run(pair, "One day", USUAL), f"This is the {prefix}player.") for prefix in PREFIXES}


@pytest.fixture(scope="module")
def side_by_side(pair, recordings) -> Iterator[str]:
    with gr.Blocks() as blocks:
        for prefix in PREFIXES:
            generate_tab(blocks, Pairs({"embedded": lambda: pair}), USUAL, recordings[prefix], prefix)
    with launched(blocks) as address:
        yield address


@pytest.fixture(scope="module")
def page(browser, side_by_side) -> Iterator:
    """One page for all tests, so what one finds is what the others left."""
    with visits(browser) as visit:
        page = visit(side_by_side)
        for prefix in PREFIXES:
            page.wait_for_selector(f"#{prefix}player[data-step]:not([data-step='0'])")
        yield page


def _text(page, prefix: str) -> str:
    return page.inner_text(f"#{prefix}player-text")


def test_no_id_stands_twice(page):
    ids = page.evaluate(IDS)
    assert [one for one, count in Counter(ids[0] + ids[1]).items() if count > 1] == []
    for prefix, own in zip(PREFIXES, ids, strict=True):
        assert {prefix + name for name in CONTRACT.split()} <= set(own)


def test_each_runs_its_own_settings_at_the_same_time(page, pair):
    runs = {
        "": ("The dog ran", {"draft_tokens": 3, "max_new_tokens": 10, "seed": 5}),
        "second-": ("One day", {"draft_tokens": 6, "max_new_tokens": 14, "seed": 6}),
    }
    choose_method(page, "ERSD τ*")
    choose_method(page, "standard", "second-")
    for prefix, (prompt, fields) in runs.items():
        setup(page, prefix, prompt=prompt, **fields)
    for prefix in PREFIXES:
        follow(page, "as fast as it comes", prefix)
        press_generate(page, prefix)
    for prefix, (prompt, fields) in runs.items():
        wait_for(page, "done", "error", prefix=prefix)
        method = {"algorithm": "gsd", "topology": "sequence"} if prefix else {}
        expected = ersd.run(pair, prompt, ersd.Settings(**method, **fields))
        assert _text(page, prefix) == prompt + expected.text
        assert data(page, "steps", prefix) == str(len(expected.steps))


def test_stop_stops_its_own_run_and_buttons_show_their_own_state(page, unhurried):
    before = [state(page), _text(page, "")]
    choose_method(page, "one by one", "second-")
    setup(page, "second-", prompt=PROMPT, temperature=0.8, max_new_tokens=400, seed=7)  # a text that fills the whole context
    press_generate(page, "second-")
    wait_until_under_way(page, "second-")
    page.click("#stop")
    for button, stands in {"generate": True, "stop": False, "second-generate": False, "second-stop": True}.items():
        page.wait_for_function(STANDS_OUT, arg=[button, stands])
    steps = int(data(page, "steps", "second-"))
    page.wait_for_function("steps => document.querySelector('#second-player').dataset.steps > steps", arg=steps)
    page.click("#second-stop")
    wait_for(page, "stopped", prefix="second-")
    assert [state(page), _text(page, "")] == before


def test_method_parts_and_preview_follow_in_their_own_workbench(page):
    setup(page, draft_tokens=5)
    wait_for_preview(page, "5 drafted tokens")
    first = [chosen(page, name) for name in ("method", "algorithm", "topology")]
    drawn = page.inner_html("#preview")
    choose_method(page, "SpecInfer", "second-")
    setup(page, "second-", branching="3,2")
    wait_for_preview(page, "9 drafted tokens, 2 levels", "second-")
    assert page.locator("#branching").count() == 0
    choose(page, "algorithm", "block", "second-")
    wait_for_preview(page, "SpecInfer tree → sequence: ", "second-")
    wait_until_chosen(page, "method", "block", "second-")
    assert [chosen(page, name) for name in ("method", "algorithm", "topology")] == first
    assert page.inner_html("#preview") == drawn
    mark = "option => getComputedStyle(option, '::after').content"
    for prefix, marked in (("", 0), ("second-", len(ersd.TOPOLOGIES) - 1)):
        page.click(f"#{prefix}topology input")
        options = page.locator(f"#{prefix}topology [role=option]")
        options.first.wait_for()
        assert sum("not for block" in option.evaluate(mark) for option in options.all()) == marked
        page.keyboard.press("Escape")


def test_a_link_takes_from_its_own_workbench_and_is_opened_there(page, visit, side_by_side):
    choose_method(page, "ERSD τ*")
    choose_method(page, "SpecInfer", "second-")
    setup(page, "second-", seed=8, branching="2,1", prompt="The dog ran")
    setup(page, seed=7)
    page.click("#copy-link")
    page.wait_for_function("location.search.includes('seed=7')")
    first = parse_qs(urlsplit(page.url).query)
    assert first["method"] == ["ERSD τ*"]
    assert not {"tab", "branching"} & set(first)
    page.click("#second-copy-link")
    page.wait_for_function("location.search.includes('seed=8')")
    query = urlsplit(page.url).query
    second = parse_qs(query)
    assert {name: second[name] for name in ("tab", "method", "branching", "prompt")} == {
        "tab": ["second"], "method": ["SpecInfer"], "branching": ["2,1"], "prompt": ["The dog ran"],
    }  # fmt: skip
    opened = visit(side_by_side, "?" + query)
    wait_for_preview(opened, "4 drafted tokens, 2 levels", "second-")
    for name, value in {"method": "SpecInfer", "branching": "2,1", "seed": "8"}.items():
        wait_until_chosen(opened, name, value, "second-")
    assert [chosen(opened, name) for name in ("method", "seed")] == ["ERSD τ*", "0"]


def test_keys_act_on_the_player_touched_last(page):
    for touched, other in (PREFIXES, PREFIXES[::-1]):
        steps = int(data(page, "steps", touched))
        page.click(f"#{touched}player [data-go=first]")
        page.click(f"#{touched}player [data-go=last]")
        wait_for_step(page, steps, touched)
        before = data(page, "step", other)
        page.keyboard.press("ArrowLeft")
        wait_for_step(page, steps - 1, touched)
        assert data(page, "step", other) == before


def test_two_tabs_take_only_links_to_themselves(visit, pair, recordings):
    with gr.Blocks() as blocks, gr.Tabs():
        for name, prefix in zip(("First", "Second"), PREFIXES, strict=True):
            with gr.Tab(name):
                generate_tab(blocks, Pairs({"embedded": lambda: pair}), USUAL, recordings[prefix], prefix)
    page = visit(blocks, "?tab=second&seed=-4")
    wait_for_preview(page, "4 drafted tokens")
    page.get_by_role("tab", name="Second").click()
    wait_for(page, "error", prefix="second-")
    assert "Seed must be a whole number" in page.inner_text("#second-player-status")
    assert data(page, "steps", "second-") != "0"  # the recorded run came first and stays
    wait_for_preview(page, "4 drafted tokens", "second-")  # this tab is set up, too
    generate(page, "second-", max_new_tokens=5, seed=2)
    assert state(page, "second-") == "done"
    page.get_by_role("tab", name="First").click()
    assert state(page) == "idle"
    assert page.inner_text("#player-status") == "This is the player."
