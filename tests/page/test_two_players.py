"""The player is a component: several on one page, whatever their ids, each with its own state and steps; the keys go to one of them."""

from __future__ import annotations

import gradio as gr
import pytest

from tests.visual.fakes import coin_step, greedy_step, race_step, trace
from visual.payload.messages import recording
from visual.ui.player import player

LEFT, RIGHT = "left-player", "7 of 9"
"""Ids; the second could not stand in a selector as it is."""
RUNS = {
    LEFT: trace(race_step(), coin_step(), race_step()),
    RIGHT: trace(greedy_step(), race_step(), coin_step(), greedy_step()),
}


def part(name: str, rest: str = "", inside: str = "") -> str:
    """The selector of a player, or of the part with `rest` behind its id."""
    return f'[id="{name}{rest}"] {inside}'


def step_of(page, name: str) -> str:
    return page.get_attribute(part(name), "data-step")


def wait_for_step(page, name: str, step: int) -> None:
    page.wait_for_selector(f'[id="{name}"][data-step="{step}"]')


def to_first(page, name: str) -> None:
    """Touches a player and goes to its first step."""
    page.click(part(name, inside="[data-go=last]"), force=True)  # it may be there already, then the button is off
    wait_for_step(page, name, len(RUNS[name].steps))  # before, the other button may be off
    page.click(part(name, inside="[data-go=first]"))
    wait_for_step(page, name, 1)


@pytest.fixture
def side_by_side(visit):
    with gr.Blocks() as blocks:
        for name, run in RUNS.items():
            player(name, recording(run, f"This is {name}."))
    page = visit(blocks)
    for name in RUNS:
        page.wait_for_selector(part(name, "-tree", ".point"))
    return page


@pytest.fixture
def in_tabs(visit):
    with gr.Blocks() as blocks, gr.Tabs():
        for name, run in RUNS.items():
            with gr.Tab(name):
                player(name, recording(run, f"This is {name}."))
    page = visit(blocks)
    page.wait_for_selector(part(LEFT, "-tree", ".point"))
    return page


def test_two_players_on_one_page_do_not_mix_and_the_keys_act_on_the_one_last_touched(side_by_side):
    page = side_by_side
    for name, run in RUNS.items():
        assert page.inner_text(part(name, "-status")) == f"This is {name}."
        assert page.get_attribute(part(name), "data-steps") == str(len(run.steps))
        for rest in ("-text", "-tree", "-race", "-timeline", "-stats", "-theory"):
            assert page.locator(part(name, rest)).count() == 1
    before = step_of(page, RIGHT)
    for key in ("ArrowRight", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    wait_for_step(page, LEFT, 1)  # nothing was touched: the first on the page
    assert step_of(page, RIGHT) == before
    to_first(page, RIGHT)
    page.keyboard.press("ArrowRight")
    wait_for_step(page, RIGHT, 2)
    assert step_of(page, LEFT) == "1"
    page.click(part(LEFT, inside=".ersd-say"))
    page.keyboard.press("ArrowRight")
    wait_for_step(page, LEFT, 2)
    page.click(part(LEFT, inside="[data-go=last]"))
    wait_for_step(page, LEFT, 3)
    assert step_of(page, RIGHT) == "2"


def test_in_two_tabs_a_player_is_drawn_when_its_tab_opens_and_has_the_keys(in_tabs):
    page = in_tabs
    to_first(page, LEFT)
    page.get_by_role("tab", name=RIGHT).click()
    page.wait_for_selector(part(RIGHT, "-tree", ".point"))
    page.wait_for_selector(part(RIGHT, inside=".ersd-race-plot .bars"))
    assert page.inner_text(part(RIGHT, "-status")) == f"This is {RIGHT}."
    # the one last touched cannot be seen any more
    page.locator("body").click(position={"x": 2, "y": 2})
    first = int(step_of(page, RIGHT))
    page.keyboard.press("ArrowLeft" if first > 1 else "ArrowRight")
    wait_for_step(page, RIGHT, first - 1 if first > 1 else 2)
    assert step_of(page, LEFT) == "1"
    page.get_by_role("tab", name=LEFT).click()
    page.locator("body").click(position={"x": 2, "y": 2})
    page.keyboard.press("ArrowRight")
    wait_for_step(page, LEFT, 2)
