"""The keyboard: a control keeps the focus when it is drawn again, and keys stay where they belong."""

from __future__ import annotations

import time

import pytest

from tests.visual.fakes import coin_step, residual_step, trace
from visual.payload.messages import recording
from visual.server.recorded import first_look

from .browser import PATIENCE
from .driver import data, press_to, receive, wait_for_step

HAS_FOCUS = "selector => document.activeElement?.matches(selector)"
SCROLLED = "() => document.querySelector('.ersd-glossary[open]').scrollTop"


def open_tab(page, name: str) -> None:
    """Open a tab, and wait until it shows what it has at first."""
    page.click(f"#tab-{name}")
    shown = {"generate": "#player[data-step]:not([data-step='0'])", "compare": "#compare[data-steps]:not([data-steps='0'])"}
    shown |= {"lab": "#lab[data-tv]", "learn": "#learn[data-sentence]", "curves": "#curves[data-points]", "gallery": "#gallery-ersd"}
    page.wait_for_selector(shown[name], state="attached")


def press(page, selector: str, *moves: tuple[str, str]) -> None:
    """Focus a control; then press keys and wait for the control that each gives the focus to."""
    page.locator(selector).first.focus()
    for key, after in moves:
        page.keyboard.press(key)
        page.wait_for_function(HAS_FOCUS, arg=after)


def press_until_scrolled(page) -> None:
    """A busy browser adds up the keys of one frame, so that Home and End together move nothing: one key at a time moves the list."""
    until = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(SCROLLED):
        assert time.monotonic() < until, "the open list has not the keys"
        page.keyboard.press("PageDown")
        page.evaluate("() => new Promise(requestAnimationFrame)")


PLACES = {
    "a lesson": ("learn", "[data-lesson-at='3']", ("Enter", "[data-lesson-at='3'][aria-current]")),
    "an answer": ("learn", "[data-answer-at='1']", ("Enter", "[data-answer-at='1']")),
    "a page for teachers": ("learn", "[data-open=script]", ("Enter", "[data-open=script]")),
    "a guess": ("learn", "[data-open=guess]", ("Enter", "[data-open=guess]")),
    "a trial": ("lab", ".lab-strip [aria-current]", ("ArrowRight", "[data-trial='1']"), ("ArrowRight", "[data-trial='2']")),
    "a trial by its kind": ("lab", "[data-bookmark=first]", ("Enter", "[data-bookmark=first]")),
    "a race that runs": ("lab", "#lab [data-do=play]", ("Enter", "[data-do=play]:not(:disabled)")),
    "the last call": ("compare", "#compare [data-go=first]", ("Enter", "#compare [data-go=play]")),
    "the first step": ("generate", "#player [data-go=first]", ("Enter", "#player [data-go=play]")),
    "a decision": ("generate", ".ersd-decisions button", ("Enter", ".ersd-decisions button[aria-current]")),
    "a term": ("generate", ".ersd-say .ersd-term, .ersd-idea:not([hidden]) .ersd-term", ("ArrowRight", "#player *, #player")),
}


@pytest.mark.parametrize("place", PLACES)
def test_the_focus_stays_on_a_control_that_is_drawn_again(page, place):
    tab, selector, *moves = PLACES[place]
    open_tab(page, tab)
    if place == "the first step":
        page.click("#player [data-go=last]")  # the page may open at it
    press(page, selector, *moves)


def test_the_focus_stays_on_the_cost_of_a_call(page):
    open_tab(page, "curves")
    page.click("[data-view-of-curves=speed]")
    press(page, ".curves-places [aria-pressed=false]", ("Enter", ".curves-places [aria-pressed=true]"))


def test_the_focus_goes_on_where_its_control_has_gone(page):
    open_tab(page, "learn")
    page.click("[data-lesson-at] >> nth=-1")
    press(page, "[data-go=next-lesson]", ("Enter", ".learn-guess"))
    press(page, "[data-open=guess]", ("Enter", "[data-open=guess]"))
    press(page, "[data-answer=yes]", ("Enter", ".learn-next"), ("Enter", "[data-answer=yes]"))


def test_tries_that_are_drawn_again_keep_the_focus(play):
    page = play(trace(coin_step(tries=3), residual_step(), coin_step(tries=2)))
    press_to(page, "ArrowLeft", 1)
    press(page, ".ersd-tries button", ("ArrowRight", ".ersd-tries button"), ("ArrowRight", ".ersd-tries button"))


def test_an_open_dialog_has_the_keys(page):
    open_tab(page, "generate")
    receive(page, recording(first_look(), "recorded"))
    page.evaluate("document.activeElement.blur()")
    for opens in (lambda: page.keyboard.press("?"), lambda: page.click("#player .ersd-save")):
        opens()
        page.wait_for_selector("dialog[open]")
        before = data(page, "step"), data(page, "phase")
        for key in ("ArrowRight", "ArrowLeft", "PageDown", "PageUp", "Home", "End", "Shift+ArrowLeft", "?"):
            page.keyboard.press(key)
        if page.locator(".ersd-glossary[open]").count():
            press_until_scrolled(page)
        assert (data(page, "step"), data(page, "phase")) == before
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog[open]", state="detached")
    press_to(page, "ArrowRight", int(before[0]) + 1)
    page.keyboard.press("Alt+ArrowLeft")  # the browser's own
    press_to(page, "ArrowLeft", int(before[0]))


def test_the_lessons_and_the_board_leave_the_keys_to_a_dialog(page):
    for tab, place in (("learn", ("learn", "sentence")), ("compare", ("compare", "step"))):
        open_tab(page, tab)
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("?")
        before = data(page, place[1], place[0])
        for key in ("ArrowLeft", "PageDown", "ArrowRight", "ArrowRight"):
            page.keyboard.press(key)
        assert data(page, place[1], place[0]) == before
        page.keyboard.press("Escape")


@pytest.mark.parametrize("tab", ["compare", "learn", "gallery"])
def test_the_list_of_terms_opens_on_every_tab(open_page, tab):
    """On three: with players of its own, with one that is drawn later, and with none."""
    page = open_page(f"?tab={tab}")
    for opens in (lambda: page.click(".terms-button"), lambda: page.keyboard.press("?")):
        opens()
        page.wait_for_selector(".ersd-glossary[open] dt")
        page.keyboard.press("Escape")
        page.wait_for_selector(".ersd-glossary:not([open])", state="attached")


def test_until_the_header_has_its_script_its_buttons_take_no_click_instead_of_losing_it(open_page, address):
    page, scripts = open_page(), []
    page.route("**/page/header.js", lambda route: scripts.append(route))
    page.goto(f"{address}/?tab=gallery")
    page.wait_for_selector(".terms-button", state="attached")
    while not scripts:
        page.wait_for_timeout(20)  # Playwright calls the route meanwhile
    assert page.evaluate("() => document.querySelector('.terms-button').closest('[inert]') !== null")
    for script in scripts:
        script.continue_()
    page.unroute_all()
    page.click(".terms-button")  # waits until the button takes it
    page.wait_for_selector(".ersd-glossary[open] dt")
    page.keyboard.press("Escape")
    page.wait_for_selector("#gallery-ersd", state="visible")  # the script that opens tabs was held up too


def test_space_plays_after_present_was_pressed(page):
    open_tab(page, "generate")
    receive(page, recording(first_look(), "recorded"))
    wait_for_step(page, int(data(page, "step")))
    for presses in (lambda: page.click(".present-button"), lambda: page.press(".present-button", "Enter")):
        presses()
        assert page.get_attribute("html", "data-view") == "lecture"
        page.keyboard.press("Space")
        page.wait_for_selector("#player .ersd-player.playing")
        assert page.get_attribute("html", "data-view") == "lecture"
        page.keyboard.press("Space")
        page.click(".present-button")
        assert page.get_attribute("html", "data-view") is None
