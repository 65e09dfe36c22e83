"""A step in motion: four phases by key, by click and by playing; nothing of a later phase is shown before it."""

from __future__ import annotations

import pytest

from tests.visual.fakes import block_step, greedy_step, leaf_step, race_step, residual_step, trace
from visual.payload.sentences.formatting import token_label

from .driver import data, follow, generate, go_to, press_to, setup, wait_for, wait_for_phase
from .reading import read

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


SEEN = """() => {
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const all = (selector) => [...document.querySelectorAll(`#player ${selector}`)];
  return {
    undecided: all(".ersd-box.drafted").length,
    tries: all(".ersd-tries [data-try]").filter(isSeen).length,
    fallen: all(".ersd-tries li:not(.unfallen) .ersd-track").filter(isSeen).length,
    here: all(".ersd-token.here").length,
    later: all(".ersd-token.later").filter(isSeen).length,
    milliseconds: all(".ersd-ms, .ersd-alone-ms").map((one) => one.textContent).join(""),
    bookmarks: all(".ersd-find button").filter(isSeen).length,
    decisions: all(".ersd-decisions button").filter(isSeen).length,
    named: all(".ersd-say .ersd-tok, .ersd-headline .target").map((one) => one.textContent),
  };
}"""


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_a_later_phase_is_shown_before_it(play, kind):
    step = KINDS[kind]
    page = play(trace(step, step))
    go_to(page, 1)
    page.emulate_media(reduced_motion="reduce")
    own = token_label(step.walk[-1].text, step.walk[-1].token)
    drafted = len(step.tokens)
    for phase in PHASES:
        show_phase(page, phase)
        seen, shown = page.evaluate(SEEN), read(page, "player")
        is_scored, is_decided, is_told = phase != "draft", phase in ("walk", "text"), phase == "text"
        assert (seen["undecided"] >= drafted) == (not is_decided), "no box says what becomes of it"
        assert bool(shown["target"]["beyond"]) == (is_decided if kind == "race" else is_scored), phase
        assert bool({"✓", "★", "✕"} & {sign["words"] for sign in shown["signs"]}) == is_decided
        assert (seen["tries"] > 0) == (kind in ("coins", "block") and is_decided)
        assert (seen["fallen"] > 0) == (kind in ("coins", "block") and is_decided), "no coin before it falls"
        assert (seen["here"] > 0) == is_told
        assert not seen["later"], "no text of the steps that come"
        assert (seen["milliseconds"] != "") == is_told
        assert (seen["bookmarks"] > 0) == is_told
        assert seen["decisions"] == len(step.walk) if is_decided else seen["decisions"] <= 1
        assert is_decided or own.strip("“”") not in seen["named"]
        assert is_told or "whole" not in shown["figures"]["scope"]


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


def test_a_pause_holds_a_story_where_it_is_and_a_click_on_a_decision_finishes_it(at_first):
    page = at_first
    page.select_option("#player .ersd-speed select", "0.25")  # it is not over before it is paused
    page.click("#player [data-tell=walk]")
    scene = """() => ["#player-headline", "#player [data-tell=walk] i"].map((selector) => document.querySelector(selector))
      .map((one) => one.innerText + one.style.transform)"""
    page.wait_for_function("() => document.querySelector('#player [data-tell=walk] i').style.transform !== 'scaleX(0)'")
    page.click("#player [data-go=play]")
    page.wait_for_selector(FINISHED)
    before = page.evaluate(scene)
    page.evaluate("() => new Promise((resolve) => { let n = 12; const f = () => (n-- ? requestAnimationFrame(f) : resolve()); f(); })")
    assert page.evaluate(scene) == before
    assert data(page, "phase") == "walk"
    page.locator("#player .ersd-decisions button:visible").first.click()
    page.wait_for_selector("#player[data-phase=text][data-vertex='-1']")


# --- the decision in motion -------------------------------------------------------------------------------------------------------

RUN = "#player .ersd-run-race"


def test_a_race_is_run_again_by_its_button_and_ends_as_it_was(at_first):
    page = at_first
    before = read(page, "player")
    assert {"★"} <= {sign["words"] for sign in before["signs"]}
    page.click(RUN)
    page.wait_for_selector(f"{RUN}:disabled")
    assert not {"★", "✓"} & {sign["words"] for sign in read(page, "player")["signs"]}, "the winner is not shown beforehand"
    page.wait_for_selector(f"{RUN}:enabled")
    after = read(page, "player")
    for part in ("signs", "draft", "target", "names"):
        assert after[part] == before[part]


def test_only_races_have_such_a_button(play):
    page = play(trace(residual_step(), block_step(), greedy_step(accepted=True), race_step()))
    for step, is_race in ((1, False), (2, False), (3, False), (4, True)):
        go_to(page, step)
        assert page.is_visible(RUN) == is_race


# --- a live run -------------------------------------------------------------------------------------------------------------------


def test_a_run_is_playing_from_its_first_step_while_the_engine_runs_ahead(page):
    assert (data(page, "state"), data(page, "phase")) == ("idle", "text"), "nothing moves before Generate is pressed"
    setup(page, max_new_tokens=24, draft_tokens=4, seed=3)
    page.select_option("#player .ersd-speed select", "0.25")
    page.click("#generate")
    page.wait_for_selector("#player[data-step='1'][data-phase=draft]")
    page.click("#player [data-go=play]")  # holds the story, and not the run
    wait_for(page, "done")
    steps = int(data(page, "steps"))
    assert steps > 1
    assert data(page, "step") == "1", "the steps that have come since are not shown"
    page.click("#player [data-go=play]")
    follow(page, "As it comes")
    page.wait_for_selector(f"#player[data-step='{steps}'][data-phase=text] {FINISHED.removeprefix('#player ')}")
    generate(page, seed=4)
    assert data(page, "phase") == "text", "As it comes: the newest step, finished"


def test_the_page_scrolls_to_a_run_as_its_reader_wants_it(open_page):
    page = open_page(width=390, height=200)
    for wish, behavior in (("reduce", "instant"), ("no-preference", "smooth")):
        page.emulate_media(reduced_motion=wish)
        seen = page.evaluate("""() => {
          const seen = [];
          Element.prototype.scrollIntoView = ({ behavior }) => seen.push(behavior);
          document.querySelector("#player").ersd.requested(() => {});
          return seen;
        }""")
        assert seen == [behavior]
