"""The Learn tab in a browser: sentences that light their part, questions, the guessing game, and every width."""

from __future__ import annotations

import json
import os

import pytest

from visual.server.lessons import answer

from .browser import DESKTOP, PHONE
from .test_everyone import AXE, SETTLED, VIOLATIONS

DATA = "() => document.getElementById('learn').dataset"
WIDE = "() => document.documentElement.scrollWidth - innerWidth"


@pytest.fixture
def learn(open_page):
    """Opens the tab at a lesson."""

    def opened(lesson="1", more="", **size):
        page = open_page(f"?tab=learn&lesson={lesson}{more}", **(size or DESKTOP))
        page.wait_for_selector(f"#learn[data-lesson='{lesson}']")
        return page

    return opened


def test_sentences_light_their_part_and_lead_to_the_next_lesson(learn):
    page = learn()
    assert page.inner_text(".learn-sentences .lit").startswith("A language model writes one token per call")
    assert page.locator(".learn-own [data-part=one]:not(.dim)").count() == 1
    assert page.locator(".learn-own [data-part=gpu].dim").count() == 1
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#learn[data-sentence='3']")
    assert page.locator(".learn-own [data-part=five]:not(.dim)").count() == 1
    page.click("#learn [data-go=next-lesson]")
    page.wait_for_selector("#learn[data-lesson='2'][data-sentence='1']")
    assert "lesson=2" in page.url
    page.wait_for_selector("#learn-player[data-phase=draft]")
    page.click("#learn [data-sentence-at='4']")
    page.wait_for_selector("#learn-player[data-phase=text]")
    page.click("[data-lesson-at='9']")
    page.wait_for_selector("#learn[data-lesson='10']")
    page.wait_for_function("() => document.querySelector('.learn-lab .lab-headline').textContent.includes('Residual forgotten')")


def test_the_figure_follows_the_sentences(learn):
    page = learn("10")
    bug = "() => document.querySelector('.learn-lab [data-field=bug]').value"
    for place, wanted in enumerate(("no_residual", "no_residual", "noise_twice", "noise_twice", "coin_product")):
        page.click(f"#learn [data-sentence-at='{place}']")
        assert page.evaluate(bug) == wanted
    page.select_option(".learn-lab [data-field=bug]", "first_failure")
    page.click("#learn [data-sentence-at='5']")
    assert page.evaluate(bug) == "first_failure", "what a reader chose stays where the next sentence changes nothing"


LIT = {"set": "set", "race": "race", "output": "out", "figures": "figures", "curves": "curves-card", "shares": "shares-card"}
"""Part of the lab -> the class of its element."""


def test_every_part_that_is_spoken_of_is_in_sight(learn):
    page, lessons = learn(), json.loads(answer())["lessons"]
    for at, lesson in enumerate(lessons):
        page.click(f"[data-lesson-at='{at}']")
        for place, sentence in enumerate(lesson["sentences"]):
            page.click(f"#learn [data-sentence-at='{place}']")
            part = sentence["part"]
            if not part:
                continue
            if lesson["figure"] == "lab":
                assert page.get_attribute(".learn-lab", "data-lit") == part
                page.wait_for_selector(f".learn-lab .lab-{LIT[part]}")
            elif lesson["figure"] == "run":
                page.wait_for_selector(f"#learn-player[data-lit={part}]")
            else:
                lit = page.locator(f".learn-own [data-part={part}]")
                assert lit.count() >= 1, (at, part)
                assert page.locator(f".learn-own [data-part={part}].dim").count() == 0
                assert page.locator(".learn-own [data-part].dim").count() >= 1


def test_a_question_is_answered_and_the_lesson_is_done(learn):
    page = learn("3")
    page.evaluate("() => localStorage.clear()")
    page.click("[data-answer-at='0']")
    assert page.inner_text(".learn-why").startswith("✕")
    assert page.inner_text(".learn-done") in ("0 done", "1 done")
    page.click("[data-answer-at='1']")
    page.wait_for_function("() => document.querySelector('.learn-why').textContent.startsWith('✓')")
    assert page.locator("[data-lesson-at='2'].done").count() == 1
    page.evaluate("() => localStorage.clear()")


def test_the_handle_shows_what_sharing_does(learn):
    page = learn("6")
    counts = "() => [...document.querySelectorAll('.learn-count b')].map((one) => Number(one.textContent))"
    own, shared = page.evaluate(counts)
    assert shared > 2 * own
    page.focus(".learn-curve input")
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelectorAll('.learn-count b')[1].textContent === '100'")
    assert page.evaluate(counts)[0] < 50, "the same model, with clocks of its own"


def test_a_guess_is_hidden_answered_and_counted(learn):
    page = learn("guess")
    assert page.is_visible(".learn-cover")
    assert page.locator(".learn-guess-race .ersd-half-empty:visible").count() == 0
    page.keyboard.press("y")
    page.wait_for_selector(".learn-cover", state="hidden")
    assert page.evaluate(DATA)["score"] == "1/1", "Mia is accepted"
    page.click(".learn-next")
    assert page.is_visible(".learn-cover")
    page.keyboard.press("n")
    assert page.evaluate(DATA)["score"] == "1/2"
    assert "2 of 2" in page.inner_text(".learn-figures"), "always yes"


def test_pages_for_teachers_lead_into_the_page(learn):
    page = learn()
    page.click("[data-open=exercises]")
    page.wait_for_selector("#learn[data-lesson=exercises]")
    assert page.locator(".learn-page h2").count() == 3
    page.click(".learn-page a >> nth=0")
    page.wait_for_selector("#lab[data-trials]")
    assert "lab-p=0.5" in page.url


def test_an_unknown_lesson_is_the_first(open_page):
    page = open_page("?tab=learn&lesson=77&language=xx")
    page.wait_for_selector("#learn[data-lesson='1']")


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_no_lesson_is_wider_than_the_window(learn, width):
    page = learn(width=width, height=PHONE["height"] if width == 390 else 900)
    for lesson in range(10):
        page.evaluate("at => document.querySelector(`[data-lesson-at='${at}']`).click()", lesson)
        page.wait_for_timeout(350)
        assert page.evaluate(WIDE) <= 0, lesson
        assert page.is_visible("#learn [data-go=next]")
    page.evaluate("() => document.querySelector('[data-open=guess]').click()")
    page.wait_for_timeout(300)
    assert page.evaluate(WIDE) <= 0


@pytest.mark.parametrize(("theme", "lessons"), [("light", ("1", "6", "10")), ("dark", ("2", "8", "guess", "script"))])
def test_axe_finds_nothing_serious_in_the_lessons(open_page, theme, lessons):
    if not AXE.exists() and os.environ.get("CI") != "true":
        pytest.skip("axe-core is not installed: npm ci --prefix .ci")
    page = open_page(f"?tab=learn&__theme={theme}")
    page.wait_for_selector("#learn[data-lesson]")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for lesson in lessons:
        opener = f"[data-lesson-at='{int(lesson) - 1}']" if lesson.isdigit() else f"[data-open={lesson}]"
        page.click(f"#learn {opener}")
        page.wait_for_timeout(500)
        page.evaluate(SETTLED)
        assert page.evaluate(VIOLATIONS) == [], lesson
