"""A lesson's figure by itself: figure, handle, caption and the way to its lesson, at a name that stays, also in a frame."""

from __future__ import annotations

import json

import pytest

from visual.payload.lessons import FALLBACK, LESSONS
from visual.server.tabs.lessons import answer

from .browser import DESKTOP, PHONE, visits
from .driver import wait_until_at_rest
from .geometry import text_faults
from .test_everyone import violations
from .test_share import REFUSED

NAMES = [path.stem[3:] for path in sorted((LESSONS / FALLBACK).glob("[0-9]*.md"))]
HANDLE = ".learn-figure :is(input[type=range], [role=slider], select, [data-do=next]), #learn-player [data-tell]"
DRAWN = "() => document.querySelector('.learn-own > *, .lab-headline:not(:empty), #learn-player-tree .main-svg')"
REST = "figure, figure .main-svg, figure [data-part], figcaption"


@pytest.fixture(scope="module")
def figure(browser, address):
    """Opens a figure in one tab."""
    with visits(browser) as visit:
        page = visit(address, "?figure=guess-and-check", **DESKTOP)

        def opened(name, size=DESKTOP, more=""):
            page.set_viewport_size(size)
            page.goto(f"{address}/?figure={name}{more}")
            page.wait_for_function(DRAWN)
            page.wait_for_load_state("networkidle")
            wait_until_at_rest(page, REST)
            return page

        yield opened
        page.goto(f"{address}/?figure=guess-and-check")


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_stands_by_itself_with_handle_caption_and_lesson(figure, name):
    (lesson,) = (one for one in json.loads(answer())["lessons"] if one["name"] == name)
    page = figure(name, PHONE)
    for size in (PHONE, {"width": 800, "height": 720}):
        page.set_viewport_size(size)
        wait_until_at_rest(page, REST)
        assert page.locator(HANDLE).locator("visible=true").count() >= 1
        assert page.inner_text("figcaption").startswith(lesson["caption"])
        assert page.locator("figcaption").count() == 1
        assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
        assert text_faults(page, "figure", 12) == []
    assert page.evaluate("() => document.body.scrollHeight") <= 720, "fits into the frame that the lesson offers"
    assert not page.locator("header.masthead, .tabs, .learn-text, .learn-contents, .learn-nav").count()
    assert violations(page, "main") == []


def test_a_figure_in_the_dark(figure):
    page = figure("share-clocks", more="&theme=dark")
    assert page.evaluate("() => document.body.classList.contains('dark')")
    assert violations(page, "main") == []


def test_its_handle_works_and_it_leads_to_its_lesson(figure):
    page = figure("share-clocks")
    counts = "() => [...document.querySelectorAll('.learn-count b')].map((one) => Number(one.textContent))"
    page.focus(".learn-curve input")
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelectorAll('.learn-count b')[1].textContent === '100'")
    assert page.evaluate(counts)[0] < 50
    page.click("figcaption a")
    page.wait_for_selector("#learn[data-lesson='6']")
    page.wait_for_selector("#tab-learn[aria-selected=true]")


def test_in_a_frame_it_reports_its_height_and_its_lesson_opens_beside_it(figure, address):
    page = figure("tree-shapes")
    page.evaluate(
        """(address) => {
      document.body.innerHTML = `<iframe src="${address}/?figure=tree-shapes" width="700" height="300"></iframe>`;
      addEventListener("message", ({ data }) => { window.reported = data; });
    }""",
        address,
    )
    page.wait_for_function("() => window.reported?.ersd === 'height' && window.reported.height > 300")
    frame = page.frames[1]
    frame.wait_for_selector(".learn-tree svg")
    assert frame.get_attribute("figcaption a", "target") == "_blank"


def test_an_unknown_figure_names_those_there_are(browser, address):
    with visits(browser, may_complain=True) as visit:
        page = visit(address, "")
        for name in ("moon", ""):
            answered = page.goto(f"{address}/?figure={name}")
            assert answered.status == 404
            text = page.inner_text("body")
            assert f"figure must be one of {', '.join(NAMES)}, got" in text
            assert "<script>" not in page.goto(f"{address}/?figure=<script>alert(1)</script>").text()


def test_a_lesson_offers_its_figure_as_a_link_and_as_a_frame(open_page, address):
    page = open_page("?tab=learn&lesson=tree-shapes")
    page.wait_for_selector("#learn[data-lesson='8']")
    page.click("#learn [data-go=next]")
    assert page.get_attribute(".learn-share a", "href") == f"{address}/?figure=tree-shapes"
    page.click(".learn-share summary")
    frame = page.input_value(".learn-share input")
    assert frame.startswith(f'<iframe src="{address}/?figure=tree-shapes" title="Trees"')
    page.evaluate(REFUSED)
    page.click(".learn-share button")
    page.wait_for_function("() => document.activeElement.matches('.learn-share input')")
    selected = "() => [document.activeElement.selectionStart, document.activeElement.selectionEnd]"
    assert page.evaluate(selected) == [0, len(frame)]
