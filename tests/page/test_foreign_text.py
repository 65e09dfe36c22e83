"""Tokens are foreign text in our sentences: they leave the words beside them in their order, and no translator rewrites them."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ersd
from tests.visual.fakes import race_step, trace
from visual.payload.messages import recording
from visual.server.recorded import RECORDED, read

from .driver import data, go_to, go_to_first, press_generate, replay, setup, wait_for
from .translator import REWRITTEN, TRANSLATE, goes_on_after_translation

HEBREW = {" liked": " אהב", " loved": " חתול", " play": " שיחק", " swim": " שחה", " dog": " כלב"}
ISOLATED = "\u2068חתול\u2069"
OUT_OF_ORDER = """() => [...document.querySelectorAll("#player :is(p, h2, h3, th, li):has(bdi)")]
  .filter((one) => one.checkVisibility() && !one.closest("[dir=auto]")).flatMap((sentence) => {
    const words = [], walker = document.createTreeWalker(sentence, NodeFilter.SHOW_TEXT), range = document.createRange();
    while (walker.nextNode()) {
      for (const { 0: word, index } of walker.currentNode.textContent.matchAll(/\\S+/g)) {
        range.setStart(walker.currentNode, index);
        range.setEnd(walker.currentNode, index + word.length);
        const [{ left, top }] = range.getClientRects();
        words.push({ word, left, top });
      }
    }
    return words.filter(({ left, top }, place) => place && Math.abs(top - words[place - 1].top) < 6 && left < words[place - 1].left)
      .map(({ word }) => `${word} in: ${sentence.textContent}`);
  })"""
IN_THE_TREE = "() => document.querySelector('#player-tree .js-plotly-plot').data.flatMap(({ text, hovertext }) => [...text, ...hovertext])"


def hebrew_step() -> ersd.Step:
    step = race_step()
    walk = [
        replace(
            visit, text=HEBREW.get(visit.text, visit.text), rows=[replace(row, text=HEBREW.get(row.text, row.text)) for row in visit.rows]
        )
        for visit in step.walk
    ]
    emitted = [replace(one, text=HEBREW[one.text]) for one in step.emitted]
    return replace(step, walk=walk, emitted=emitted, texts=[HEBREW[text] for text in step.texts], draws=[1, 2, 1, 1])


def test_a_hebrew_token_leaves_the_words_beside_it_in_their_order(play):
    page = play(trace(hebrew_step()))
    go_to_first(page)
    page.locator("#player .ersd-every summary").click()
    page.wait_for_selector("#player .ersd-every table bdi")
    assert page.evaluate("() => document.querySelectorAll('#player .ersd-say bdi').length") > 0
    assert page.evaluate(OUT_OF_ORDER) == []
    assert page.locator("#player-text").evaluate("(text) => getComputedStyle(text).direction") == "ltr", "the prompt is English"
    # what has no elements has marks
    tree = page.evaluate(IN_THE_TREE)
    assert any(f"{ISOLATED} ×2" in text for text in tree), tree
    assert sum(f"<b>{ISOLATED}</b>" in text for text in tree) == 1, tree
    lane = page.locator("#player .ersd-decision-plot .textpoint text").all_text_contents()
    assert "\u2068שחה\u2069" in lane, lane
    for selector, attribute in ((".ersd-token", "title"), (".ersd-decisions button", "title"), (".ersd-tree > div", "aria-label")):
        assert ISOLATED in page.locator(f"#player {selector}").first.get_attribute(attribute).replace("“", "").replace("”", "")


def test_a_translator_leaves_the_models_text_as_it_is_and_the_page_goes_on(open_page):
    page = open_page()
    page.wait_for_selector("#player .ersd-token", state="attached")
    page.evaluate(TRANSLATE)
    assert page.evaluate(REWRITTEN) == []
    setup(page, max_new_tokens=8)
    page.select_option("#follow", "live")
    press_generate(page)
    wait_for(page, "done")
    go_to(page, 1)
    assert int(data(page, "steps")) > 0
    for tab in ("compare", "lab", "learn"):
        page.click(f"#tab-{tab}")
        page.wait_for_selector(f"#{tab}:visible, #{tab} *:visible")
        page.evaluate(TRANSLATE)
        assert page.evaluate(REWRITTEN) == []
    assert page.evaluate("() => document.querySelectorAll('font font').length") > 100, "it did translate"


def test_lab_learn_curves_and_compare_go_on_in_a_translated_page(open_page):
    page = open_page("?tab=lab")
    page.wait_for_selector("#lab[data-trials]")
    page.evaluate(TRANSLATE)
    page.select_option("#lab-rule", "gsd")
    page.select_option("#lab-bug", "no_residual")
    page.wait_for_function("() => document.querySelector('.lab-headline').textContent.startsWith('✕ Residual forgotten')")
    share = page.evaluate("() => Number(document.querySelector('#lab').dataset.tv).toFixed(3)")
    assert page.inner_text(".lab-tv b") == share
    page.click(".lab-strip [data-trial='4']")
    page.wait_for_function("() => document.querySelector('.lab-strip [aria-current] + span').textContent === '5'")

    page.click("#tab-learn")
    page.wait_for_selector("#learn[data-lesson]")
    page.click("[data-lesson-at='0']")
    page.click("#learn [data-go=next]")  # past the question
    page.wait_for_selector(".learn-own input")
    page.evaluate(TRANSLATE)
    page.focus(".learn-own input")
    page.keyboard.press("Home")
    assert page.inner_text(".learn-handle b") == "1"
    assert page.inner_text(".learn-call:nth-of-type(3) b") == "1 token"
    page.click("[data-lesson-at='1']")
    assert page.locator(".learn-title, .learn-sentences").filter(has_text="«").count() == 0

    page.click("#tab-curves")
    page.click("[data-view-of-curves=speed]")
    page.wait_for_selector(".curves-table tbody td:nth-child(4)")
    page.evaluate(TRANSLATE)
    before = page.locator(".curves-table tbody td").all_inner_texts()
    page.fill("#curves-ratio", "100")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.curves-headline').textContent.startsWith('A target call costs 100')")
    assert page.locator(".curves-table tbody td").all_inner_texts() != before

    page.click("#tab-compare")
    page.wait_for_selector("#compare-strips [data-call]")
    page.evaluate(TRANSLATE)
    page.evaluate("() => document.querySelector('#compare [data-go=first]').click()")  # words translated four times lie over it
    page.wait_for_function("() => document.querySelector('#compare-where').textContent.startsWith('After 1 of ')")


@pytest.mark.parametrize("run", ["standard", "block"])
def test_after_a_translation_every_panel_shows_the_step_in_view(open_page, run):
    page = open_page()
    replay(page, recording(read(RECORDED / "gallery" / f"{run}.json", ""), "recorded"))
    goes_on_after_translation(page)
