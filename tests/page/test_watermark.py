"""Whose race was this: what is printed adds up, a reader's own text is tested, and the section is there only where clocks decide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ersd
from visual.export.document import html
from visual.payload.messages import recording
from visual.server.pairs import EMBEDDED, Pairs
from visual.ui.page import build

from .browser import PATIENCE, PHONE, WIDE_PROJECTOR, launched, visits
from .driver import DARK, go_to, replay, wait_for_phase
from .test_everyone import violations

RECORDED = Path(__file__).resolve().parents[2] / "assets" / "recorded"
SECTION = "#player .ersd-watermark"
STATUS = f"{SECTION} .ersd-watermark-status"
PASTE = """(field, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  return field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def run() -> ersd.Trace:
    return ersd.Trace.from_json((RECORDED / "first-look.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def served(pair) -> Iterator[str]:
    """The page of a server whose pair is loaded: the test needs its tokenizer."""
    pairs = Pairs({EMBEDDED: lambda: pair})
    pairs.get(EMBEDDED)
    with launched(build(pairs), pairs) as address:
        yield address


def unfold(page) -> None:
    for section in (SECTION, f"{SECTION} .ersd-watermark-reasons", f"{SECTION} .ersd-watermark-all"):
        page.locator(section).evaluate("(section) => { section.open = true; }")
    page.wait_for_selector(f"{SECTION} .ersd-watermark-all li")


def texts(page, selector: str) -> list[str]:
    return page.locator(f"{SECTION} {selector}").all_text_contents()


def test_what_is_printed_adds_up(play, run):
    page = play(run)
    assert not page.locator(SECTION).evaluate("(section) => section.open"), "the first screen is no fuller"
    unfold(page)
    found = ersd.watermark(run.token_ids, run.settings.seed, run.steps[0].position)
    clocks = [float(clock) for clock in texts(page, ".ersd-watermark-all b")]
    assert clocks == [pytest.approx(clock, abs=6e-5) for clock in found.clocks]
    says = texts(page, ".ersd-watermark-says")[0]
    assert f"Its {found.count} clocks add up to {sum(clocks):.2f};" in says
    assert texts(page, ".ersd-watermark-verdict span") == [f"Recognised: the clocks of seed {run.settings.seed} wrote this text"]
    levels = [sum(clock >= level for level in (0.1, 0.3, 0.7, 1.4)) for clock in found.clocks]
    tokens = page.locator(f"{SECTION} [data-token]")
    assert tokens.evaluate_all("(all) => all.map((one) => Number(one.dataset.level))") == levels
    assert "".join(tokens.all_text_contents()) == "".join(one.text for step in run.steps for one in step.emitted).lstrip()
    clock, p, arrival = map(float, re.search(r"([\d.]+) ÷ ([\d.]+) = ([\d.]+),", texts(page, ".ersd-watermark-reasons p")[0]).groups())
    assert clock / p == pytest.approx(arrival, rel=0.02)
    counts = texts(page, ".ersd-watermark-reasons tr:last-child td")
    assert sum(map(int, counts[:3])) == found.count


def test_while_a_run_plays_only_what_has_been_told_is_tested(play, run):
    page = play(run)
    unfold(page)
    go_to(page, 3)
    page.click("#player [data-tell=draft]")
    wait_for_phase(page, "draft")
    page.wait_for_selector(f"{SECTION} .ersd-marked h3:has-text('up to step 2')")
    shown = [token for step in run.steps[:2] for token in step.emitted]
    assert page.locator(f"{SECTION} [data-token]").count() == len(shown)
    total = sum(ersd.watermark(run.token_ids, run.settings.seed, run.steps[0].position).clocks[: len(shown)])
    assert f"Its {len(shown)} clocks add up to {total:.2f};" in texts(page, ".ersd-watermark-says")[0]
    go_to(page, 1)
    page.click("#player [data-tell=draft]")
    wait_for_phase(page, "draft")
    page.wait_for_selector(f"{SECTION} [data-token]", state="detached")
    assert "No clock can be tested yet" in page.inner_text(f"{SECTION} .ersd-watermark-box")
    go_to(page, 2)
    assert texts(page, ".ersd-marked h3 span") == ["This run’s text"], "played to its end, the whole run is there"


def test_the_keys_go_from_token_to_token(play, run):
    page = play(run)
    unfold(page)
    go_to(page, 3)
    page.focus(f"{SECTION} .ersd-marked-text")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    found = ersd.watermark(run.token_ids, run.settings.seed, run.steps[0].position)
    said = texts(page, ".ersd-watermark-said")[0]
    assert "token 3, clock " in said
    assert said.endswith(f"sum so far {sum(found.clocks[:3]):.2f}")
    assert page.locator(f"{SECTION} .dot").count() == 1
    assert page.get_attribute("#player", "data-step") == "3", "the player does not take these keys"


@pytest.mark.parametrize("name", ["gallery/block.json", "gallery/long-chain.json"])
def test_where_coins_decide_it_is_not_offered(play, run, name):
    page = play(run)
    assert page.is_visible(SECTION)
    page = play(ersd.Trace.from_json((RECORDED / name).read_text(encoding="utf-8")))
    assert not page.is_visible(SECTION)


def test_a_text_of_ones_own(visit, served, run):
    page = visit(served, "")
    replay(page, recording(run, "recorded", EMBEDDED))
    unfold(page)
    own = page.input_value(f"{SECTION} [name=text]")
    assert own == "".join(one.text for step in run.steps for one in step.emitted)
    page.click(f"{SECTION} [type=submit]")
    page.wait_for_selector(f"{SECTION} [data-text=tested]", timeout=PATIENCE)
    assert texts(page, "[data-text=tested] .ersd-watermark-says")[0] == texts(page, "[data-text=this] .ersd-watermark-says")[0]

    page.fill(f"{SECTION} [name=seed]", "13")
    page.keyboard.press("Enter")
    page.wait_for_function(
        f"() => document.querySelector('{SECTION} [data-text=tested] h3').textContent.includes('seed 13')", timeout=PATIENCE
    )
    assert texts(page, "[data-text=tested] .ersd-watermark-verdict span") == ["Cannot tell whether seed 13 wrote this text"]
    assert "2 seeds or starts were tried on this text" in texts(page, "[data-text=tested] .ersd-watermark-says")[0]

    page.click(f"{SECTION} [data-do=own]")
    page.click(f"{SECTION} [data-do=insert]")
    page.wait_for_selector(f"{SECTION} .changed", timeout=PATIENCE)
    assert texts(page, ".changed") == [" very"]
    assert "“very” inserted" in texts(page, "[data-text=tested] .ersd-watermark-says")[1]
    assert "were tried" not in texts(page, "[data-text=tested] .ersd-watermark-says")[0], "a changed text is another text"
    assert texts(page, "[data-text=tested] .ersd-watermark-verdict span")[0].startswith("Cannot tell")
    assert page.input_value(f"{SECTION} [name=text]").replace(" very", "", 1) == own or own.count(" very")

    page.fill(f"{SECTION} [name=seed]", "-3")
    page.click(f"{SECTION} [type=submit]")
    page.wait_for_selector(f"{SECTION} [name=seed][aria-invalid=true]", timeout=PATIENCE)
    assert page.inner_text(STATUS) == "Seed must be a whole number from 0 to 9007199254740991, got -3."
    is_taken = page.locator(f"{SECTION} [name=text]").evaluate(PASTE, "a" * 10_000_000)
    assert not is_taken
    assert page.inner_text(STATUS) == "Text must have at most 200,000 bytes, got 10,000,000."
    page.fill(f"{SECTION} [name=text]", "é " * 70_000)
    page.click(f"{SECTION} [type=submit]")
    assert page.inner_text(STATUS) == "Text must have at most 200,000 bytes, got 210,000."
    page.select_option(f"{SECTION} [name=keys]", "context")
    assert not page.is_visible(f"{SECTION} [name=start]"), "by context it plays no part"


def test_by_context_the_form_keeps_its_row_and_the_sums_stay_apart(visit, served, pair):
    """A run by context and its copy with a word more have nearly one sum."""
    made = ersd.run(pair, "Once upon a time there was a little girl named", ersd.Settings(keys="context", seed=12, temperature=0.8))
    page = visit(served, "")
    replay(page, recording(made, "recorded", EMBEDDED))
    unfold(page)
    tops = "(all) => all.map((one) => Math.round(one.getBoundingClientRect().top))"
    assert len(set(page.locator(f"{SECTION} .ersd-watermark-buttons button").evaluate_all(tops))) == 1
    page.click(f"{SECTION} [data-do=insert]")
    page.wait_for_selector(f"{SECTION} [data-text=tested]", timeout=PATIENCE)
    own, other = page.locator(f"{SECTION} .ersd-watermark-chart .end").evaluate_all(tops)
    height = page.locator(f"{SECTION} .ersd-watermark-chart .end").first.evaluate("(one) => one.getBoundingClientRect().height")
    assert abs(own - other) >= height
    assert "not tested" in texts(page, ".ersd-watermark-legend")[0], "the first four tokens of a text have no context"


def test_of_a_long_text_the_beginning_is_shown_and_all_is_tested(visit, served, run):
    page = visit(served, "")
    replay(page, recording(run, "recorded", EMBEDDED))
    unfold(page)
    page.fill(f"{SECTION} [name=text]", "She went home. " * 1500)
    page.click(f"{SECTION} [type=submit]")
    page.wait_for_selector(f"{SECTION} [data-text=tested]", timeout=PATIENCE)
    assert page.locator(f"{SECTION} [data-text=tested] [data-token]").count() == 3000
    count = int(re.search(r"Its ([\d,]+) clocks", texts(page, "[data-text=tested] .ersd-watermark-says")[0])[1].replace(",", ""))
    assert count >= 6000
    assert f"{count - 3000:,} more tokens are tested" in page.inner_text(f"{SECTION} [data-text=tested] .ersd-marked-text")


def test_it_fits_every_screen(visit, served, run):
    page = visit(served, "", **PHONE)
    replay(page, recording(run, "recorded", EMBEDDED))
    unfold(page)
    page.click(f"{SECTION} [data-do=cut]")
    page.wait_for_selector(f"{SECTION} [data-text=tested]", timeout=PATIENCE)
    for is_dark in (True, False):
        page.evaluate(DARK, is_dark)
        assert violations(page, SECTION) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size(WIDE_PROJECTOR)
    page.click(".present-button")
    page.wait_for_function("() => document.documentElement.dataset.view === 'lecture'")
    small = page.locator(f"{SECTION} *").evaluate_all(
        "(all) => all.filter((one) => one.checkVisibility() && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())"
        " && parseFloat(getComputedStyle(one).fontSize) < 18).map((one) => one.outerHTML.slice(0, 80))"
    )
    assert small == []
    page.click(f"{SECTION} > summary")
    page.wait_for_function("() => document.querySelector('#player-tree').checkVisibility({ visibilityProperty: true })")


def test_a_saved_file_has_what_needs_no_server(browser, run, tmp_path):
    (tmp_path / "run.html").write_text(html(run), encoding="utf-8")
    with visits(browser) as visit:
        page = visit(tmp_path.as_uri(), "run.html")
        page.wait_for_selector("#player[data-step]")
        unfold(page)
        assert texts(page, ".ersd-watermark-verdict span")[0].startswith("Recognised")
        assert not page.is_visible(f"{SECTION} form")
