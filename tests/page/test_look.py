"""Sizes and colours: phone and laptop, light and dark."""

from __future__ import annotations

import pytest

from .driver import data, generate, wait_for_step

BOXES = "(selector) => [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect().toJSON())"
BRIGHTNESS = """() => {
  const sum = (colour) => colour.match(/\\d+/g).slice(0, 3).reduce((all, part) => all + Number(part), 0);
  const style = (selector) => getComputedStyle(document.querySelector(selector));
  return [sum(style(".ersd-card").backgroundColor), sum(style(".ersd-say").color)];
}"""


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_no_sideways_scrolling_and_no_overlap(open_page, width):
    page = open_page(width=width, height=844)
    generate(page, max_new_tokens=12)
    wait_for_step(page, int(data(page, "steps")))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    boxes = page.evaluate(BOXES, "#player .ersd-card, #player .ersd-tile")
    for i, one in enumerate(boxes):
        assert one["right"] <= width + 1
        for other in boxes[i + 1 :]:
            apart = one["right"] <= other["left"] + 1 or other["right"] <= one["left"] + 1
            assert apart or one["bottom"] <= other["top"] + 1 or other["bottom"] <= one["top"] + 1


def test_nothing_jumps_between_steps(open_page):
    page = open_page()
    generate(page, max_new_tokens=30, draft_tokens=16)
    sizes = set()
    for step in range(int(data(page, "steps")), 0, -1):
        wait_for_step(page, step)
        boxes = page.evaluate(BOXES, "#player-text, #player-stats, #player-timeline, #player-tree, #player .ersd-race-plot")
        sizes.add(str(boxes))
        page.keyboard.press("ArrowLeft")
    assert len(sizes) == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_stand_out(open_page, theme):
    page = open_page(f"?__theme={theme}")
    panel, ink = page.evaluate(BRIGHTNESS)
    assert (panel < 200 and ink > 550) if theme == "dark" else (panel > 650 and ink < 200)
    drawn = page.evaluate("document.querySelector('#player-tree .js-plotly-plot')._fullLayout.font.color")
    assert drawn.lower() == {"light": "#55637a", "dark": "#a9b6c8"}[theme]
