"""A live run, watched at the reader's own speed or as fast as it comes."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from tests.visual.fakes import race_step, residual_step, trace
from visual.payload.messages import recording

from .driver import data, follow, generate, go_to_first, setup, wait_for, wait_for_step

CHANGE_ONES_MIND = """() => new MutationObserver((_, observer) => {
  const { dataset } = document.querySelector('#player'), menu = document.querySelector('#follow');
  if (dataset.state !== 'running' || !(dataset.steps > 4) || dataset.step !== '1') return;
  observer.disconnect();
  window.before = dataset.step;
  menu.value = 'live';
  menu.dispatchEvent(new Event('change'));
}).observe(document.querySelector('#player'), { attributes: true })"""
"""Chooses "as fast as it comes" while a run comes in."""


def test_a_run_is_told_from_its_first_step_while_the_engine_runs_ahead(open_page):
    page = open_page()
    assert (data(page, "state"), data(page, "phase")) == ("idle", "text"), "nothing moves before Play is pressed"
    setup(page, max_new_tokens=24, draft_tokens=4, seed=3)
    page.select_option("#player .ersd-speed select", "0.25")
    page.click("#generate")
    page.wait_for_selector("#player[data-step='1'][data-phase=draft]")
    wait_for(page, "done")
    steps = int(data(page, "steps"))
    assert steps > 4
    assert data(page, "step") == "1", "its story takes longer than the run"
    follow(page, "as fast as it comes")
    page.wait_for_selector(f"#player[data-step='{steps}'][data-phase=text] [data-go=play][aria-label=Play]")
    follow(page, "at my speed")
    go_to_first(page)
    page.click("#player [data-go=play]")
    follow(page, "as fast as it comes")
    page.wait_for_selector("#player[data-step='1'][data-phase=draft]")
    follow(page, "at my speed")
    page.select_option("#player .ersd-speed select", "8")
    page.wait_for_selector(f"#player[data-step='{steps}'][data-phase=text] [data-go=play][aria-label=Play]")
    generate(page, seed=4)
    wait_for_step(page, int(data(page, "steps")))
    assert data(page, "phase") == "text", "as fast as it comes: the newest step, finished"
    follow(page, "at my speed")
    page.select_option("#player .ersd-speed select", "0.25")
    page.evaluate(CHANGE_ONES_MIND)
    setup(page, max_new_tokens=200, draft_tokens=2, seed=7)
    page.click("#generate")
    page.wait_for_function("window.before")
    wait_for(page, "done")
    assert page.evaluate("window.before") == "1", "its story has begun"
    wait_for_step(page, int(data(page, "steps")))


TELL = "detail => document.querySelector('#player').dispatchEvent(new CustomEvent('ersd-told', { detail }))"
A_MOMENT = """() => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = resolve;
  port2.postMessage(null);
})"""
"""For drawing, which does not go by the clock."""
IS_TOLD = "document.querySelector('#player').dataset.phase !== 'draft'"


def wind_until(page, condition: str, most: int) -> int:
    """Winds the clock on until something is so, and so many milliseconds at most; how many it took. Pictures are drawn meanwhile."""
    for passed in range(0, most, 50):
        if page.evaluate(condition):
            return passed
        page.clock.run_for(50)
        page.evaluate(A_MOMENT)
    return most


@pytest.mark.parametrize("is_over", [False, True])
def test_the_story_of_a_live_run_begins_when_it_is_over_or_in_a_moment(play, is_over):
    """What moves on the screen may take the processor from the models."""
    run = trace(*[race_step(), residual_step()] * 4)
    page = play(run)
    *messages, end = json.loads(recording(run, "live"))["messages"]
    page.select_option("#player .ersd-speed select", "8")
    page.clock.install(time=datetime(2026, 1, 1))
    page.clock.pause_at(datetime(2026, 1, 1, 1))
    page.evaluate("document.querySelector('#player').dispatchEvent(new CustomEvent('ersd-ask'))")
    page.evaluate(TELL, "\n".join(map(json.dumps, messages)))
    assert wind_until(page, "document.querySelector('#player').matches('[data-step=\"1\"][data-phase=draft]')", 400) < 400
    if is_over:
        page.evaluate(TELL, json.dumps(end))
        assert wind_until(page, IS_TOLD, 400) < 400
    else:
        assert wind_until(page, IS_TOLD, 300) == 300, "it is held"
        assert wind_until(page, IS_TOLD, 1500) < 1500, "and told, however long the run takes"


def test_a_link_opens_the_finished_step(open_page):
    page = open_page("?method=standard&draft_tokens=4&max_new_tokens=20&seed=2&step=3")
    wait_for(page, "done")
    page.wait_for_selector("#player[data-step='3'][data-phase=text] [data-go=play][aria-label=Play]")
