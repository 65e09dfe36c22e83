"""The first visit: a sentence, one recorded step that plays once, two ways on; it folds away with the first action and stays away."""

from __future__ import annotations

import pytest

from visual.payload.sentences.kinds import KINDS
from visual.server.recorded import first_look
from visual.ui.introduction import SKIPPED_BY

from .browser import DESKTOP, FIRST_VISIT, PHONE, WIDE_PROJECTOR
from .driver import DARK, click_vertex, data, press_to, root, state, vertices, wait_for, wait_for_text, wait_until_at_rest
from .geometry import faults, is_in_window, smallest_letters
from .test_everyone import violations

BAND = ".introduction"
FOLDED = f"() => !document.querySelector('{BAND}').checkVisibility({{ visibilityProperty: true }})"
AT_REST = "#player[data-phase=text] [data-go=play][aria-label=Play]"
SEEN_PHASES = """() => {
  window.phases = [];
  new MutationObserver(() => {
    const now = document.getElementById("player")?.dataset.phase;
    if (now && window.phases.at(-1) !== now) window.phases.push(now);
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-phase"] });
}"""


@pytest.fixture
def first_visit(open_page):
    """Opens the page as one who has never been there; `still`: motion is unwelcome."""

    def open_it(size=DESKTOP, still=False):
        page = open_page(f"?{FIRST_VISIT}", **size)
        if still:
            page.emulate_media(reduced_motion="reduce")
            page.reload()
        page.wait_for_selector("#player[data-step='1'] .js-plotly-plot .point")
        return page

    return open_it


def test_the_recorded_step_plays_once_and_rests(first_visit):
    page = first_visit()
    assert page.is_visible(BAND)
    page.wait_for_selector("#player[data-phase=draft]")
    page.wait_for_selector(AT_REST)
    assert (state(page), data(page, "step")) == ("idle", "1")
    assert page.is_visible(BAND), "it is not folded by what plays by itself"
    assert page.inner_text("#player-stats .ersd-value") == f"{len(first_look().token_ids) / len(first_look().steps):.2f}"
    page.evaluate("() => new Promise((resolve) => { let n = 90; const f = () => (n-- ? requestAnimationFrame(f) : resolve()); f(); })")
    assert (data(page, "phase"), data(page, "step")) == ("text", "1"), "it does not go on"


def test_where_motion_is_unwelcome_the_step_stands_complete(first_visit):
    page = first_visit(still=True)
    page.evaluate(SEEN_PHASES)
    page.wait_for_selector(AT_REST)
    page.evaluate("() => new Promise((resolve) => { let n = 20; const f = () => (n-- ? requestAnimationFrame(f) : resolve()); f(); })")
    assert set(page.evaluate("window.phases")) <= {"text"}
    assert page.is_visible(BAND)


def test_looking_around_does_not_fold_it(first_visit):
    page = first_visit(WIDE_PROJECTOR)
    page.click("h1")
    for _ in range(4):
        page.keyboard.press("Tab")
    page.mouse.move(700, 500)
    page.mouse.wheel(0, 200)
    page.evaluate("() => getSelection().selectAllChildren(document.querySelector('.introduction h2'))")
    page.click("#prompt textarea")
    page.keyboard.type("x")
    page.click(".theme-button")
    assert page.is_visible(BAND)


ACTIONS = {
    "play": (lambda page: page.click("#player [data-go=play]"), "#player [data-go=play][aria-label=Play]"),
    "a step": (lambda page: page.keyboard.press("ArrowRight"), "#player[data-step='2']"),
    "a node": (lambda page: click_vertex(page, root(page)), "#player[data-vertex='-1'][data-phase=text]"),
    "Generate": (lambda page: page.click("#generate"), "#player[data-state=done]"),
}
"""What a visitor does while the step plays, and what it leads to. Play is a pause then."""


@pytest.mark.parametrize("action", ACTIONS)
def test_the_first_action_works_at_once_and_folds_it_for_good(first_visit, action):
    page = first_visit()
    assert page.is_visible(BAND)
    act, effect = ACTIONS[action]
    act(page)
    page.wait_for_selector(effect)
    page.wait_for_function(FOLDED)
    wait_until_at_rest(page, BAND)
    assert page.locator(BAND).evaluate("(band) => band.parentElement.getBoundingClientRect().height") == 0
    if action == "a step":  # at a later visit too
        page.reload()
        page.wait_for_selector("#player[data-step='1'][data-phase=text] .js-plotly-plot .point")
        assert page.evaluate(FOLDED)
        assert page.is_visible("#player [data-go=play][aria-label=Play]"), "nothing plays by itself any more"


def test_a_recording_of_the_gallery_takes_its_place(first_visit):
    page = first_visit()
    page.click("#tab-gallery")
    page.locator("button[id^=gallery-]").first.click()
    wait_for_text(page, "#player-status", "A recorded run of the gallery")
    page.wait_for_function(FOLDED)


@pytest.mark.parametrize("query", ["?seed=-1", "?tab=gallery", "?view=lecture"])
def test_an_address_that_asks_for_something_has_none(open_page, query):
    assert query[1:].split("=")[0] in SKIPPED_BY
    page = open_page(f"{query}&{FIRST_VISIT}")
    assert page.get_attribute("html", "data-visit") is None
    assert page.evaluate(FOLDED)


def test_one_way_leads_to_the_first_lesson(first_visit):
    page = first_visit()
    page.click("[data-way=lesson]")
    page.wait_for_selector("#learn[data-lesson='1']")
    assert page.get_attribute("#tab-learn", "aria-selected") == "true"
    page.click("#tab-generate")
    page.wait_for_function(FOLDED)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=lambda size: str(size["width"]))
def test_the_other_way_leads_into_the_prompt(first_visit, size):
    page = first_visit(size)
    page.click("[data-way=prompt]")
    page.wait_for_function("() => document.activeElement === document.querySelector('#prompt textarea')")
    selected = "() => { const { selectionStart, selectionEnd } = document.activeElement; return [selectionStart, selectionEnd]; }"
    assert page.evaluate(selected) == [0, len(first_look().prompt)]
    page.keyboard.type("The dog ran")
    page.click("#generate")
    wait_for(page, "done")
    assert page.inner_text("#player-text").startswith("The dog ran")


@pytest.mark.parametrize("size", [DESKTOP, WIDE_PROJECTOR, PHONE], ids=lambda size: str(size["width"]))
def test_it_fits_into_the_first_screen(first_visit, size):
    page = first_visit(size, still=True)
    wait_until_at_rest(page)
    parts = [
        f"{BAND} h2",
        "[data-way=lesson]",
        "[data-way=prompt]",
        "#player-headline",
        "#player .ersd-phases",
        "#player-speedup",
        "#generate",
    ]
    for part in [*parts, *(["#player-tree"] if size != WIDE_PROJECTOR else [])]:
        assert is_in_window(page, part), part
    for is_dark in (False, True):
        page.evaluate(DARK, is_dark)
        assert faults(page) == []
        assert violations(page) == []
    assert smallest_letters(page, BAND)[0] >= 12
    if size == PHONE:
        assert page.locator("#player-tree").bounding_box()["height"] > 180
        bar = page.locator("#player .ersd-controls").bounding_box()
        assert all(one["y"] < bar["y"] for one in vertices(page)), "all of the step is above the transport"


def test_what_a_clock_means_is_said_over_the_first_step_and_then_behind_a_button(first_visit):
    page = first_visit(still=True)
    idea, why = page.locator("#player .ersd-idea"), page.locator("#player .ersd-why")
    wait_for_text(page, "#player .ersd-idea", KINDS["race"].idea)
    assert (idea.is_visible(), why.get_attribute("aria-expanded")) == (True, "true")
    press_to(page, "ArrowRight", 2)
    page.wait_for_selector("#player .ersd-idea", state="hidden")
    press_to(page, "ArrowLeft", 1)
    page.wait_for_selector("#player .ersd-idea")
    press_to(page, "ArrowRight", 2)
    page.focus("#player .ersd-why")
    page.keyboard.press("Enter")
    page.wait_for_selector("#player .ersd-idea")
    press_to(page, "ArrowRight", 3)
    assert idea.is_visible(), "a reader has opened it"
    why.click()
    page.wait_for_selector("#player .ersd-idea", state="hidden")
