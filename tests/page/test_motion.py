"""A step in motion: four phases by key, by click and by playing; nothing of a later phase is shown before it."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.visual.fakes import block_step, greedy_step, leaf_step, race_step, residual_step, trace

from .driver import data, follow, generate, go_to, press_to, setup, wait_for, wait_for_phase
from .reading import numbers_in, reads_as

PHASES = ("draft", "score", "walk", "text")
STEPS = [race_step(), residual_step(), leaf_step("race"), block_step(), greedy_step(accepted=True)]
KINDS = {"race": race_step(), "coins": residual_step(), "block": block_step(), "greedy": greedy_step(accepted=True)}
FINISHED = "#player [data-go=play][aria-label=Play]"
SEEN_PHASES = """() => {
  window.seen = [];
  const player = document.querySelector("#player");
  new MutationObserver(() => {
    const now = `${player.dataset.step} ${player.dataset.phase}`;
    if (window.seen.at(-1) !== now) window.seen.push(now);
  }).observe(player, { attributes: true });
}"""


@pytest.fixture
def at_first(play):
    """A recorded run at its first step, finished."""
    page = play(trace(*STEPS))
    go_to(page, 1)
    return page


def show_phase(page, phase: str) -> None:
    """Go to the end of a phase of the step in view; without motion, at once."""
    page.click(f"#player [data-tell={phase}]")
    wait_for_phase(page, phase)
    page.wait_for_selector(FINISHED)


def test_phases_by_key(at_first):
    page = at_first
    for key, step, phase in [
        ("Shift+ArrowLeft", 1, "walk"), ("Shift+ArrowLeft", 1, "score"), ("Shift+ArrowLeft", 1, "draft"), ("Shift+ArrowRight", 1, "score"),
        ("PageDown", 1, "walk"), ("PageDown", 1, "text"), ("PageDown", 2, "draft"), ("PageUp", 1, "text"), ("PageUp", 1, "walk"),
    ]:  # fmt: skip
        page.keyboard.press(key)
        page.wait_for_selector(f"#player[data-step='{step}'][data-phase={phase}]")
        assert page.get_attribute(f"#player [data-tell={phase}]", "aria-current") == "step"
    press_to(page, "ArrowRight", 2)
    assert data(page, "phase") == "text", "a step key shows the finished step"


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_a_later_phase_is_shown_before_it(play, kind):
    step = KINDS[kind]
    page = play(trace(step))
    page.emulate_media(reduced_motion="reduce")
    finished = {part: page.inner_text(f"#player {part}") for part in (".ersd-figures", ".ersd-say", ".ersd-summary")}
    for phase in PHASES:
        show_phase(page, phase)
        states = set(page.eval_on_selector_all("#player .ersd-vertex", "all => all.map((one) => one.dataset.state)"))
        is_decided = phase in ("walk", "text")
        assert bool(states & {"accepted", "rejected", "target"}) <= is_decided, "nothing is decided before the walk"
        assert (page.locator("#player .ersd-walk li:visible").count() > 0) == is_decided
        assert page.is_visible("#player .ersd-race-plot") == is_decided
        assert page.locator("#player .ersd-tries li:not(.unseen):visible").count() == 0 or is_decided, "no coin before it falls"
        assert (page.locator("#player-text .ersd-token.here").count() > 0) == (phase == "text")
        of_its_time = page.locator("#player :is(.ersd-took, .ersd-step-ms, .ersd-tile-time)")
        assert [one.is_visible() for one in of_its_time.all()] == [phase == "text"] * 3
        now = {part: page.inner_text(f"#player {part}") for part in finished}
        assert (now == finished) == (phase == "text")
        assert (now[".ersd-figures"] == finished[".ersd-figures"]) == (phase == "text")
        if phase == "draft":
            assert page.inner_text("#player .ersd-summary dd >> nth=0").startswith(f"{len(step.tokens)} of {len(step.tokens)}")


def test_playing_tells_every_phase_and_ends_at_the_last_step(at_first):
    page = at_first
    page.select_option("#player .ersd-speed select", "8")
    page.evaluate(SEEN_PHASES)
    page.locator("#player .ersd-player").press(" ")
    page.wait_for_function("window.seen.length > 2")
    page.wait_for_selector(f"#player[data-step='{len(STEPS)}'][data-phase=text] {FINISHED.removeprefix('#player ')}")
    seen = page.evaluate("window.seen")
    for step in range(1, len(STEPS) + 1):
        assert [each.split()[1] for each in seen if each.startswith(f"{step} ")][-4:] == [*PHASES], "no phase is passed over"
    page.check("#player .ersd-whole input")
    page.evaluate("window.seen.length = 0")
    page.locator("#player .ersd-player").press(" ")
    page.wait_for_function("window.seen.length > 2")
    page.wait_for_selector(f"#player[data-step='{len(STEPS)}'] {FINISHED.removeprefix('#player ')}")
    assert {each.split()[1] for each in page.evaluate("window.seen")} == {"text"}, "whole steps have no phases"


def test_a_pause_holds_a_story_where_it_is_and_a_click_on_a_vertex_finishes_it(at_first):
    page = at_first
    page.select_option("#player .ersd-speed select", "0.25")  # it is not over before it is paused
    page.click("#player [data-tell=walk]")
    page.wait_for_function("document.querySelector('#player .ersd-marker').style.transform")
    page.click("#player [data-go=play]")
    page.wait_for_selector(FINISHED)
    scene = "() => [document.querySelector('#player .ersd-tale').innerText, document.querySelector('#player .ersd-marker').style.transform]"
    before = page.evaluate(scene)
    page.evaluate("() => new Promise((resolve) => { let n = 12; const f = () => (n-- ? requestAnimationFrame(f) : resolve()); f(); })")
    assert page.evaluate(scene) == before
    assert data(page, "phase") == "walk"
    page.locator("#player .ersd-vertex[data-vertex='1']").click()
    page.wait_for_selector("#player[data-phase=text][data-vertex='1']")


# --- the decision in motion -------------------------------------------------------------------------------------------------------

RUN = "#player .ersd-run-race"
COVER = "#player .ersd-motion:visible"


@pytest.mark.parametrize("kind", KINDS)
def test_a_decision_that_was_run_ends_as_the_trace_says(play, kind):
    """With reduced motion the end is shown at once, until the button is pressed again."""
    step = KINDS[kind]
    visit = [one for one in step.walk if one.tries][-1]
    page = play(trace(step))
    page.emulate_media(reduced_motion="reduce")
    page.click(RUN)
    page.wait_for_selector(COVER)
    seen = """() => {
      const cover = document.querySelector("#player .ersd-motion");
      const isSeen = (one) => Boolean(one) && getComputedStyle(one).opacity > 0.5;
      const texts = (root, selector) => [...root.querySelectorAll(selector)].filter(isSeen).map((one) => one.textContent);
      return {
        rows: [...cover.querySelectorAll(".row:not([hidden])")].map((row) => ({
          row: Number(row.dataset.row), flags: texts(row, ".flag.target"), isWinner: /[✓★]/.test(texts(row, ".sign, .name b").join("")),
        })),
        coins: [...cover.querySelectorAll(".coin-line")].map((line) => line.querySelector(".yes, .no")?.className),
      };
    }"""
    end = page.evaluate(seen)
    if visit.kind == "race":
        ((row, flag),) = [(one["row"], one["flags"][0]) for one in end["rows"] if one["flags"]]
        assert visit.rows[row].token == visit.token
        assert reads_as(numbers_in(flag)[0], min(each.target_time for each in visit.rows))
    elif visit.kind in ("coins", "block"):
        fallen = step.block or visit.tries
        expected = ["yes" if one.coin < (one.keep if step.block else one.ratio) else "no" for one in fallen]
        assert [coin for coin in end["coins"] if coin] == expected
    if visit.kind in ("coins", "likelihood"):
        assert [visit.rows[one["row"]].token for one in end["rows"] if one["isWinner"]] == [visit.token]
    page.click(RUN)
    page.wait_for_selector(COVER, state="detached")


def test_a_button_runs_the_decision_once_and_gives_the_bars_back_and_so_does_another_step(at_first):
    page = at_first
    page.clock.install(time=datetime(2026, 1, 1))
    page.clock.pause_at(datetime(2026, 1, 1, 1))
    page.focus(RUN)
    name = page.get_attribute(RUN, "aria-label")
    page.keyboard.press("Enter")
    assert page.get_attribute(RUN, "aria-label") != name
    assert page.text_content("#player .ersd-announcer") == page.get_attribute("#player .ersd-race-plot", "aria-label")
    page.clock.run_for(300)
    assert page.locator(COVER).count() == 1
    flags = "all => all.filter((one) => getComputedStyle(one).opacity > 0.5).length"
    assert page.eval_on_selector_all(f"{COVER} .flag", flags) == 0, "the winner is not shown beforehand"
    page.clock.run_for(15_000)
    assert page.locator(COVER).count() == 0, "the bars again, by itself"
    assert page.get_attribute(RUN, "aria-label") == name
    for end in ("Enter", "ArrowRight"):
        page.focus(RUN)
        page.keyboard.press("Enter")
        page.clock.run_for(200)
        assert page.locator(COVER).count() == 1
        page.keyboard.press(end)
        page.clock.run_for(1000)
        assert page.locator(COVER).count() == 0


# --- a live run -------------------------------------------------------------------------------------------------------------------


def test_a_run_is_playing_from_its_first_step_while_the_engine_runs_ahead(page):
    assert (data(page, "state"), data(page, "phase")) == ("idle", "text"), "nothing moves before Generate is pressed"
    setup(page, max_new_tokens=24, draft_tokens=4, seed=3)
    page.select_option("#player .ersd-speed select", "0.25")
    page.click("#generate")
    page.wait_for_selector("#player[data-step='1'][data-phase=draft]")
    wait_for(page, "done")
    steps = int(data(page, "steps"))
    assert data(page, "step") == "1", "its story takes longer than the run"
    follow(page, "As it comes")
    page.wait_for_selector(f"#player[data-step='{steps}'][data-phase=text] {FINISHED.removeprefix('#player ')}")
    generate(page, seed=4)
    assert data(page, "phase") == "text", "As it comes: the newest step, finished"
