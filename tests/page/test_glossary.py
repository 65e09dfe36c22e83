"""Every symbol explains itself on hover, focus and tap, and beside what it speaks of; "?" lists them all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.visual.fakes import block_step, race_step, residual_step, trace
from visual.payload.sentences.glossary import BY_ID, TERMS

_BOXES = """() => {
  const box = (element) => { const { left, right, top, bottom } = element.getBoundingClientRect(); return [left, right, top, bottom]; };
  return [box(document.querySelector(".ersd-tip")), window.innerWidth];
}"""


def apart(one, other) -> bool:
    return one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]


def test_no_line_begins_with_the_point_behind_a_term(play):
    page = play(trace(residual_step(accepted=False)), width=390)
    for width in range(320, 480, 4):
        page.set_viewport_size({"width": width, "height": 844})
        lines = page.evaluate("() => [...document.querySelectorAll('#player .ersd-together')].map((one) => one.getClientRects().length)")
        assert len(lines) > 2
        assert max(lines) == 1, width


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_every_term_on_the_page_is_told_beside_itself(play, width, height):
    page = play(trace(race_step()), width=width, height=height)
    terms = page.locator("#player [data-term]:visible")
    assert terms.count() > 12
    for term in terms.all():
        term.scroll_into_view_if_needed()
        term.focus()
        known = BY_ID[term.get_attribute("data-term")]
        tip = page.locator("#player .ersd-tip")
        assert known.sentence in tip.inner_text()
        place, right = page.evaluate(_BOXES)
        own = term.bounding_box()
        box = [own["x"], own["x"] + own["width"], own["y"], own["y"] + own["height"]]
        assert apart(place, box), known.id
        assert place[0] >= 0
        assert place[1] <= right
        assert place[2] >= 0
    page.keyboard.press("Escape")
    assert not page.locator("#player .ersd-tip").is_visible()


def test_a_term_is_told_on_hover_and_on_tap_and_goes_again(play):
    page = play(trace(race_step()))
    tip, tv = page.locator("#player .ersd-tip"), page.locator("#player .ersd-tile-tv [data-term=TV]")
    tv.hover()
    assert BY_ID["TV"].sentence in tip.inner_text()
    assert tip.locator("a").get_attribute("href") == "https://arxiv.org/abs/2411.00841"
    page.locator("#player .ersd-where").hover()
    assert not tip.is_visible()
    tv.dispatch_event("click")
    assert tip.is_visible()
    page.locator("#player-exact").focus()
    assert BY_ID["same-text"].sentence in tip.inner_text()


def test_the_list_has_them_all(play):
    page = play(trace(residual_step()))
    page.click("#player .ersd-help")
    words = page.inner_text("#player .ersd-glossary")
    assert all(term.name in words and term.sentence in words for term in TERMS)
    page.keyboard.press("Escape")
    assert not page.locator("#player .ersd-glossary").is_visible()
    page.locator("#player .ersd-where").click()
    page.keyboard.press("?")
    assert page.locator("#player .ersd-glossary").is_visible()
    page.click("#player .ersd-glossary button")
    assert not page.locator("#player .ersd-glossary").is_visible()


def test_the_columns_of_block_explain_themselves_and_tokens_are_no_terms(play):
    step = block_step((0.9, 0.9, 0.9))
    own = replace(step.walk[0], text="P", rows=[replace(row, text="P") if row.token == 9 else row for row in step.walk[0].rows])
    page = play(trace(replace(step, walk=[own])))
    heads = page.locator("#player .ersd-tries .head [data-term]")
    assert [one.get_attribute("data-term") for one in heads.all()] == ["ratio", "joint", "keep", "coin"]
    said = page.locator("#player .ersd-say")
    assert "“P” is drawn from the remaining target probability" in said.inner_text()
    assert [one.inner_text() for one in said.locator("[data-term]").all()] == ["coin", "keep probability", "remaining target probability"]
