"""The first visit: a sentence, one recorded step that plays once, two ways on; it folds away with the first action and stays away."""

from __future__ import annotations

import pytest

from visual.payload.sentences.kinds.table import KINDS
from visual.server.recorded import first_look
from visual.ui.tabs.generate import SKIPPED_BY

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
    """Opens the page as one who has never been there."""

    def open_it(size=DESKTOP, **media):
        page = open_page(f"?{FIRST_VISIT}", **size, **media)
        page.wait_for_selector("#player[data-step='1'] .js-plotly-plot .point")
        return page

    return open_it


def wait_for_frames(page, count: int) -> None:
    page.evaluate("(n) => new Promise((resolve) => { const f = () => (n-- ? requestAnimationFrame(f) : resolve()); f(); })", count)


def assert_folded(page) -> None:
    page.wait_for_function(FOLDED)
    wait_until_at_rest(page, BAND)
    assert page.locator(BAND).evaluate("(band) => band.parentElement.getBoundingClientRect().height") == 0


def test_the_recorded_step_plays_once_and_rests_until_a_node_is_clicked(first_visit):
    page = first_visit()
    assert page.is_visible(BAND)
    page.wait_for_selector("#player[data-phase=draft]")
    page.wait_for_selector(AT_REST)
    assert (state(page), data(page, "step")) == ("idle", "1")
    assert page.is_visible(BAND), "it is not folded by what plays by itself"
    assert page.inner_text("#player-stats .ersd-value") == f"{len(first_look().token_ids) / len(first_look().steps):.2f}"
    wait_for_frames(page, 30)
    assert (data(page, "phase"), data(page, "step")) == ("text", "1"), "it does not go on"
    click_vertex(page, root(page))
    page.wait_for_selector("#player[data-vertex='-1'][data-phase=text]")
    assert_folded(page)


def test_looking_around_does_not_fold_it_but_pause_does_while_the_step_plays(first_visit):
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
    page.click("#player [data-go=play]")
    assert_folded(page)


def test_a_recording_of_the_gallery_takes_its_place(first_visit):
    page = first_visit()
    page.click("#tab-gallery")
    page.locator("button[id^=gallery-]").first.click()
    wait_for_text(page, "#player-status", "Recorded for the gallery")
    assert_folded(page)


def test_an_address_that_asks_for_something_has_none(open_page, address):
    page = open_page(f"?view=lecture&{FIRST_VISIT}")
    assert page.evaluate(FOLDED)
    for query in ("view=lecture", "seed=-1", "tab=gallery"):
        assert query.split("=")[0] in SKIPPED_BY
        page.goto(f"{address}/?{query}&{FIRST_VISIT}", wait_until="domcontentloaded")
        assert page.get_attribute("html", "data-visit") is None


def test_one_way_leads_to_the_first_lesson(first_visit):
    page = first_visit()
    page.click("[data-way=lesson]")
    page.wait_for_selector("#learn[data-lesson='1']")
    assert page.get_attribute("#tab-learn", "aria-selected") == "true"
    page.click("#tab-generate")
    assert_folded(page)


def test_the_other_way_leads_into_the_prompt_and_generate_folds_it(first_visit):
    """On a phone, where the settings are folded."""
    page = first_visit(PHONE)
    page.click("[data-way=prompt]")
    page.wait_for_function("() => document.activeElement === document.querySelector('#prompt textarea')")
    selected = "() => { const { selectionStart, selectionEnd } = document.activeElement; return [selectionStart, selectionEnd]; }"
    assert page.evaluate(selected) == [0, len(first_look().prompt)]
    page.keyboard.type("The dog ran")
    page.click("#generate")
    wait_for(page, "done")
    assert page.inner_text("#player-text").startswith("The dog ran")
    assert_folded(page)


PARTS = [
    f"{BAND} h2", "[data-way=lesson]", "[data-way=prompt]", "#player-headline", "#player .ersd-phases", "#player-speedup", "#generate",
]  # fmt: skip


def test_where_motion_is_unwelcome_the_step_stands_complete_in_the_first_screen(first_visit):
    page = first_visit(reduced_motion="reduce")
    page.evaluate(SEEN_PHASES)
    page.wait_for_selector(AT_REST)
    wait_for_frames(page, 20)
    assert set(page.evaluate("window.phases")) <= {"text"}
    for size in (DESKTOP, WIDE_PROJECTOR, PHONE):
        page.set_viewport_size(size)
        wait_until_at_rest(page)
        for part in [*PARTS, *(["#player-tree"] if size != WIDE_PROJECTOR else [])]:
            assert is_in_window(page, part), (size, part)
        for is_dark in (False, True):
            page.evaluate(DARK, is_dark)
            assert faults(page) == [], size
        assert smallest_letters(page, BAND)[0] >= 12
        if size != WIDE_PROJECTOR:
            assert violations(page) == [], size
    assert page.locator("#player-tree").bounding_box()["height"] > 180
    bar = page.locator("#player .ersd-controls").bounding_box()
    assert all(one["y"] < bar["y"] for one in vertices(page)), "all of the step is above the transport"
    page.evaluate(DARK, False)
    assert violations(page) == []


def test_a_step_key_folds_it_for_good_and_what_a_clock_means_is_said_over_the_first_step_and_then_behind_a_button(first_visit):
    page = first_visit(reduced_motion="reduce")
    idea, why = page.locator("#player .ersd-idea"), page.locator("#player .ersd-why")
    wait_for_text(page, "#player .ersd-idea", KINDS["race"].idea)
    assert (idea.is_visible(), why.get_attribute("aria-expanded")) == (True, "true")
    press_to(page, "ArrowRight", 2)
    assert_folded(page)
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
    page.emulate_media(reduced_motion="null")
    page.reload()  # at a later visit
    page.wait_for_selector("#player[data-step='1'][data-phase=text] .js-plotly-plot .point")
    assert page.evaluate(FOLDED)
    assert page.is_visible("#player [data-go=play][aria-label=Play]"), "nothing plays by itself any more"
