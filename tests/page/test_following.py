"""A live run, watched at the reader's own speed or as fast as it comes."""

from __future__ import annotations

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


def test_a_link_opens_the_finished_step(open_page):
    page = open_page("?method=standard&draft_tokens=4&max_new_tokens=20&seed=2&step=3")
    wait_for(page, "done")
    page.wait_for_selector("#player[data-step='3'][data-phase=text] [data-go=play][aria-label=Play]")
