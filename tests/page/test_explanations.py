"""What is explained on the page: a step in words, every term and symbol, and what belongs to one rule only."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ersd
from tests.visual.fakes import BY_KIND, block_step, coin_step, greedy_step, race_step, residual_step, trace
from visual.payload.sentences.exactness import badge
from visual.payload.sentences.glossary import BY_ID, TERMS
from visual.payload.sentences.kinds.table import KINDS
from visual.payload.sentences.names import run_name
from visual.payload.sentences.single_token import single_token

from .browser import DESKTOP, PHONE
from .driver import go_to, vertices, wait_for_phase
from .geometry import frames
from .reading import read

STEPS = {"race": race_step(), "coins": coin_step(tries=2), "block": block_step(), "likelihood": greedy_step()}
PROMPT = "Once upon a time there was a little girl named"


@pytest.mark.parametrize("kind", STEPS)
def test_a_step_is_explained_without_hovering(play, kind):
    step, settings = STEPS[kind], BY_KIND[kind]
    page = play(trace(step))
    assert page.inner_text("#player .ersd-run") == run_name(settings)
    assert page.get_attribute("#player-exact", "data-exact") == badge(settings)["kind"]
    assert page.inner_text("#player-exact") == badge(settings)["words"]
    assert page.locator("#player .ersd-every table").count() == 0, "built when it is opened"
    page.click("#player .ersd-every summary")
    page.wait_for_selector("#player .ersd-every table")
    assert page.inner_text("#player .ersd-single") == single_token(step).replace("“", "").replace("”", "")
    assert page.locator("#player .ersd-every section").count() == len(step.walk)
    heads = page.locator("#player .ersd-every section >> nth=0").locator("thead").first.inner_text().split()
    assert ("÷" in heads) == (kind == "race")
    page.click("#player .ersd-every summary")
    bars = page.text_content("#player .ersd-decision-plot")
    assert ("shorter" in bars) == (kind == "race")
    assert ("longer" in bars) == (kind != "race")
    assert page.inner_text("#player .ersd-idea") == KINDS[kind].idea


# --- terms ------------------------------------------------------------------------------------------------------------------------

EXPLAINED = """(terms) => terms.map((term) => {
  term.scrollIntoView({ block: "nearest" });
  term.focus();
  const tip = document.querySelector("#player .ersd-tip"), own = term.getBoundingClientRect();
  const { left, right, top, bottom } = tip.getBoundingClientRect();
  return [term.dataset.term, tip.checkVisibility() ? tip.innerText : "",
          right <= own.left || own.right <= left || bottom <= own.top || own.bottom <= top, left >= 0 && right <= innerWidth && top >= 0];
})"""
"""Every term with what is explained while it has the focus, whether that stands apart from it, and inside of the window."""


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_term_is_explained_next_to_itself(play, size):
    page = play(trace(race_step()), **size)
    if size == PHONE:
        page.click("#player .ersd-switch [data-picture=decision]")
    terms = page.locator("#player [data-term]:visible")
    page.locator("#player .ersd-theory-card summary").click()
    page.wait_for_selector("#player-theory .ersd-cell [data-term]")
    assert terms.count() > 8
    tip = page.locator("#player .ersd-tip")
    for term, words, is_apart, is_inside in terms.evaluate_all(EXPLAINED):
        assert BY_ID[term].sentence in words, term
        assert is_apart, term
        assert is_inside, term
    page.keyboard.press("Escape")
    assert not tip.is_visible()


def test_a_term_is_explained_on_hover_and_on_tap_and_goes_again(play):
    page = play(trace(race_step()))
    tip, tv = page.locator("#player .ersd-tip"), page.locator("#player-theory .ersd-cell-here [data-term=TV]")
    page.locator("#player .ersd-theory-card summary").click()
    tv.hover()
    assert BY_ID["TV"].sentence in tip.inner_text()
    assert tip.locator("a").get_attribute("href") == "https://arxiv.org/abs/2411.00841"
    page.locator("#player .ersd-where").hover()
    assert not tip.is_visible()
    tv.dispatch_event("click")
    assert tip.is_visible()
    page.locator("#player-exact").focus()
    assert BY_ID["same-text"].sentence in tip.inner_text()


def test_the_list_of_terms_has_them_all(play):
    page = play(trace(residual_step()))
    glossary = page.locator(".ersd-glossary")
    page.locator("#player .ersd-where").click()
    page.keyboard.press("?")
    text = glossary.inner_text()
    assert all(term.name in text and term.sentence in text for term in TERMS)
    page.keyboard.press("Escape")
    assert not glossary.is_visible()
    page.locator("#player .ersd-where").click()
    page.keyboard.press("?")
    assert glossary.is_visible()
    page.click(".ersd-glossary button")
    assert not glossary.is_visible()


def test_no_line_begins_with_the_full_stop_after_a_term(play):
    page = play(trace(residual_step(accepted=False)), **PHONE)
    for width in range(320, 480, 16):
        page.set_viewport_size({"width": width, "height": 844})
        lines = page.evaluate("() => [...document.querySelectorAll('#player .ersd-together')].map((one) => one.getClientRects().length)")
        assert max(lines) == 1, width


def test_tokens_are_no_terms(play):
    step = block_step((0.9, 0.9, 0.9))
    own = replace(step.walk[0], text="P", rows=[replace(row, text="P") if row.token == 9 else row for row in step.walk[0].rows])
    page = play(trace(replace(step, walk=[own])))
    said = page.locator("#player .ersd-say")
    assert "P" in said.locator(".ersd-tok").all_inner_texts()
    assert "P" not in [one.inner_text() for one in said.locator("[data-term]").all()]


# --- what belongs to one rule -----------------------------------------------------------------------------------------------------


def lengths(page) -> list[float]:
    """Pixels of the target's bars: what remains of its probabilities at the try in view."""
    return [bar["right"] - bar["left"] for bar in read(page, "player")["target"]["bars"]]


@pytest.mark.parametrize("algorithm", ["gsd", "gsd_wor", "kseq"])
def test_every_try_shows_what_remains_at_it_and_all_of_them_their_order(play, pair, algorithm):
    settings = ersd.Settings(algorithm, "batch", draft_tokens=4, temperature=2, seed=4, max_new_tokens=24)
    run = ersd.run(pair, PROMPT, settings)
    step = next(each for each in run.steps if len(each.walk[0].tries) == 4 and not each.walk[0].accepted)
    page = play(run)
    go_to(page, step.index + 1)
    tries = page.locator("#player .ersd-tries [data-try]")
    assert tries.count() == 4
    whole = [bar["right"] - bar["left"] for bar in read(page, "player")["target"]["outlines"]]
    before, after_all = frames(page), lengths(page)
    assert any(left < 0.9 * all_of_it for left, all_of_it in zip(after_all, whole, strict=True)), "P stays visible as outlines"
    tries.nth(0).click()
    assert lengths(page) == pytest.approx(whole, abs=1), "at the first try all of P is there"
    tries.nth(2).hover()
    shrinks = algorithm != "kseq"  # its P stays the same until the last rejection
    assert (lengths(page) != pytest.approx(whole, abs=1)) == shrinks
    page.mouse.move(2, 2)
    assert lengths(page) == pytest.approx(whole, abs=1), "the one chosen"
    tries.nth(0).click()
    page.mouse.move(2, 2)
    assert lengths(page) == pytest.approx(after_all, abs=1)
    assert frames(page) == before


def test_block_verification_shows_every_drafted_token(play):
    step = block_step((0.9, 0.3, 0.8))
    page = play(trace(step))
    rows = page.locator("#player .ersd-tries [data-vertex]")
    states = {one["id"]: one["state"] for one in vertices(page)}
    assert [states[vertex] for vertex in range(3)] == ["accepted", "accepted", "rejected"], "not “open”: its coin was looked at"
    assert ["accepted" in row.get_attribute("class") for row in rows.all()] == [True, True, False]
    assert page.locator("#player .ersd-tries .ersd-track").count() == 3
    assert page.inner_text("#player .ersd-say").startswith("Tokens are kept up to the last one whose coin")


def test_a_lenient_rule_is_said_to_be_biased(play, pair):
    settings = ersd.Settings(algorithm="lossy", topology="sequence", draft_tokens=3, leniency=0.4, max_new_tokens=16, seed=3)
    run = ersd.run(pair, PROMPT, settings)
    page = play(run)
    assert page.get_attribute("#player-exact", "data-exact") == "biased"
    assert "0.4 × TV(P, Q)" in page.inner_text("#player-exact")
    page.wait_for_selector("#player .ersd-cell-bias", state="attached")
    words = ""
    for step in range(1, len(run.steps) + 1):
        go_to(page, step)
        words += page.inner_text("#player .ersd-tries") + page.inner_text("#player .ersd-say")
    assert "lenient: exact is" in words


def test_theory_adds_up_to_the_step_in_view(play, pair):
    run = ersd.run(pair, PROMPT, ersd.Settings("gsd", "sequence", draft_tokens=3, max_new_tokens=16, seed=3))
    page, seen = play(run), []
    for step in range(1, len(run.steps) + 1):
        go_to(page, step)
        seen.append([float(one) for one in page.locator("#player-theory .ersd-cell-rejections b").all_text_contents()[:2]])
    rejections, tv = zip(*seen, strict=True)
    assert list(rejections) == sorted(rejections)
    assert list(tv) == sorted(tv)
    assert tv[-1] > tv[0]
    assert all(line.get_attribute("title") for line in page.locator("#player-theory .ersd-line").all())


def test_while_it_drafts_the_draft_is_seen_as_it_is_whatever_the_tries_compare_with(play):
    step = residual_step()
    page = play(trace(step))
    page.emulate_media(reduced_motion="reduce")
    page.click("#player [data-tell=draft]")
    wait_for_phase(page, "draft")
    drawn = {float(number["words"]) for number in read(page, "player")["draft"]["beyond"]}
    assert drawn
    assert drawn <= {row.q for row in step.walk[0].rows}
