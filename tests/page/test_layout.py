"""Sizes and colours: phone and laptop, light and dark; nothing overlaps, and nothing jumps from step to step."""

from __future__ import annotations

from itertools import combinations

import pytest

import ersd
from ersd.trace.model import Try
from tests.visual import fakes
from tests.visual.fakes import residual_step, trace

from .driver import boxes, data, generate, go_to_first, wait_for_step, wait_until_at_rest

PROMPT = "Once upon a time there was a little girl named"
WIDTHS = (390, 1000, 1440)
RULES = {
    "race": {"algorithm": "ersd", "topology": "tau_star", "draft_tokens": 16},
    "coins": {"algorithm": "gsd", "topology": "batch"},
    "biased coins": {"algorithm": "lossy", "topology": "sequence", "leniency": 0.3},
    "block": {"algorithm": "block", "topology": "sequence"},
}
RECTANGLES = "(selector) => [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect().toJSON())"
LABELS = """() => [...document.querySelectorAll("#player-tree .textpoint text")].filter((one) => one.textContent.trim()).map((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return { left, right, top, bottom, words: one.textContent };
})"""
BRIGHTNESS = """() => {
  const sum = (colour) => colour.match(/\\d+/g).slice(0, 3).reduce((all, part) => all + Number(part), 0);
  const style = (selector) => getComputedStyle(document.querySelector(selector));
  return [sum(style(".ersd-card").backgroundColor), sum(style(".ersd-say").color)];
}"""


def overlap(one: dict, other: dict, height: float) -> bool:
    """Do two rectangles share more than a pixel of width and so much height?"""
    beside = one["right"] <= other["left"] + 1 or other["right"] <= one["left"] + 1
    return not beside and one["bottom"] > other["top"] + height and other["bottom"] > one["top"] + height


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_no_sideways_scrolling_and_no_overlap(open_page, width):
    page = open_page(width=width, height=844)
    generate(page, max_new_tokens=12)
    wait_for_step(page, int(data(page, "steps")))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    panels = page.evaluate(RECTANGLES, "#player .ersd-card, #player .ersd-tile")
    assert all(panel["right"] <= width + 1 for panel in panels)
    assert not [pair for pair in combinations(panels, 2) if overlap(*pair, height=1)]


@pytest.mark.parametrize(("topology", "tokens"), [("batch", 16), ("tau_star", 64)])
def test_no_two_labels_of_a_tree_overlap(play, pair, topology, tokens):
    run = ersd.run(pair, PROMPT, ersd.Settings("gsd", topology, draft_tokens=tokens, temperature=0.8, max_new_tokens=16, seed=3))
    page = play(run)
    page.click("#player [data-go=last]")
    for step in range(len(run.steps), max(0, len(run.steps) - 4), -1):
        wait_for_step(page, step)
        labels = page.evaluate(LABELS)
        assert len(labels) > 2
        assert not [pair for pair in combinations(labels, 2) if overlap(*pair, height=3)]
        page.keyboard.press("ArrowLeft")


@pytest.mark.parametrize("rule", RULES)
def test_nothing_jumps_from_step_to_step(play, pair, rule):
    fields = {"draft_tokens": 4, "temperature": 1.5, "max_new_tokens": 16, "seed": 3, **RULES[rule]}
    run = ersd.run(pair, PROMPT, ersd.Settings(**fields))
    page = play(run)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        wait_until_at_rest(page)
        page.click("#player [data-go=last]")
        places = set()
        for step in range(len(run.steps), 0, -1):
            wait_for_step(page, step)
            places.add(str(boxes(page)))
            page.keyboard.press("ArrowLeft")
        assert len(places) == 1, f"at a width of {width}: {places}"


def test_many_tries_scroll_in_their_list_on_a_phone(play):
    page = play(trace(residual_step(rejections=20, accepted=False), residual_step()), width=390)
    go_to_first(page)
    assert page.locator("#player .ersd-tries [data-try]").count() == 21
    assert page.evaluate("() => { const list = document.querySelector('.ersd-tries'); return list.scrollHeight > list.clientHeight; }")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#player .ersd-tries [data-try='17']").click()
    page.wait_for_function("() => /what was left is not recorded/.test(document.querySelector('.ersd-view').textContent)")
    page.locator("#player .ersd-tries [data-try='20']").click()
    page.wait_for_function("() => /After all 20 rejections/.test(document.querySelector('.ersd-view').textContent)")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_stand_out(open_page, theme):
    page = open_page(f"?__theme={theme}")
    panel, ink = page.evaluate(BRIGHTNESS)
    assert (panel < 200 and ink > 550) if theme == "dark" else (panel > 650 and ink < 200)
    drawn = page.evaluate("document.querySelector('#player-tree .js-plotly-plot')._fullLayout.font.color")
    assert drawn.lower() == {"light": "#55637a", "dark": "#a9b6c8"}[theme]


def test_numbers_of_a_scale_do_not_meet_on_a_phone(play):
    rows = [fakes.row(1, " a", p=0.2, q=0.05), fakes.row(2, " b", p=0.11, q=0.21)]
    coin = Try(vertex=0, accepted=False, p=0.11, q=0.21, ratio=0.11 / 0.21, coin=0.9)
    page = play(trace(fakes.step([fakes.visit("coins", rows, token=1, tries=[coin])], parents=[-1], tokens=[2])), width=390)
    for axis in ("x", "x2"):
        ticks = page.evaluate(RECTANGLES, f".ersd-race-plot .{axis}tick text")
        assert len([tick for tick in ticks if tick["width"]]) == 2
        assert not [pair for pair in combinations(ticks, 2) if overlap(*pair, height=1)]


def test_the_last_label_of_a_chain_is_whole(play, pair):
    run = ersd.run(pair, PROMPT, ersd.Settings("gsd", "sequence", draft_tokens=8, max_new_tokens=60, seed=11))
    page = play(run)
    go_to_first(page)
    end = "() => { const tree = document.querySelector('#player-tree'); return tree.getBoundingClientRect().left + tree.scrollWidth; }"
    longest = 0
    for number in range(1, len(run.steps) + 1):
        wait_for_step(page, number)
        last = max(page.evaluate(LABELS), key=lambda label: label["right"])
        longest = max(longest, len(last["words"]))
        assert last["right"] <= page.evaluate(end), last["words"]
        page.keyboard.press("ArrowRight")
    assert longest > 6
