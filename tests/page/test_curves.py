"""The Curves tab in a browser: the recorded curves, a small measurement, its end, views, costs, files and every width."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from ersd.curves.measurement import Progress, measure as measure_all
from visual.server.tabs import curves as server

from .browser import DESKTOP, FULL_HD, PHONE, PROJECTOR, WIDE_PROJECTOR, visits
from .driver import DARK, choose, wait_for_text, wait_until_at_rest
from .geometry import faults, smallest_letters
from .test_everyone import violations

DATA = "() => document.getElementById('curves').dataset"
VIEWS = ("accepted", "next", "speed")
ALL_VIEWS = (*VIEWS, "pays")
RECORDED_POINTS = "56"
PARTS = ".ersd-curves > *, .curves-plot .main-svg, .curves-plot .annotation, .curves-plot .xtick text, .curves-table tr"
"""What is at rest once a view is drawn."""


@pytest.fixture(scope="module")
def recorded(browser, address):
    """The tab with the recorded curves, opened once on a phone."""
    with visits(browser) as visit:
        page = visit(address, "?tab=curves", **PHONE)
        wait_until_drawn(page)
        yield page


@pytest.fixture
def curves(recorded):
    """The recorded curves on a desktop, in the first view."""
    recorded.set_viewport_size(DESKTOP)
    turn_to(recorded, "accepted")
    return recorded


def wait_until_drawn(page):
    page.wait_for_selector("#curves[data-points]")
    page.wait_for_selector(".curves-plot .xtick")
    wait_until_at_rest(page, PARTS)


def fill(page, **values):
    for name, value in values.items():
        page.locator(f"#curves-{name} :is(input, textarea)").fill(value)


def measure(page, **values):
    """A small measurement with these values."""
    fill(page, **{"temperature-1": "1", "temperature-2": "", "drafted": "1, 4", "texts": "1", "calls": "2", **values})
    page.click("#curves-generate")


def turn_to(page, view):
    page.click(f"[data-view-of-curves={view}]")
    if view == "pays":
        page.wait_for_selector(".ersd-curves:not([data-unanswered])")
    wait_until_at_rest(page, PARTS)


def test_the_tab_opens_with_recorded_curves_in_three_views(curves):
    page = curves
    assert page.evaluate(DATA)["points"] == RECORDED_POINTS
    assert "Recorded" in page.inner_text("#curves-status")
    headlines = set()
    for view in VIEWS:
        turn_to(page, view)
        headlines.add(page.inner_text(".curves-headline"))
        assert page.locator(".curves-plot .scatterlayer .trace").count() >= 8
        assert page.locator(".curves-table tbody tr").count() == 4
        assert ("curve=" in page.url) == (view != "accepted")
    assert len(headlines) == 3
    page.reload()
    page.wait_for_selector(".ersd-curves[data-curves-view=speed]")
    wait_until_drawn(page)


@pytest.fixture
def go_on(monkeypatch) -> Iterator[threading.Event]:
    """A measurement in this process holds at its fifth point until this is set."""
    may_go_on = threading.Event()

    def held(*arguments) -> Iterator[Progress]:
        points = 0
        with closing(measure_all(*arguments)) as measurement:
            for progress in measurement:
                points += progress.point is not None
                if points == 5:
                    may_go_on.wait()
                yield progress

    monkeypatch.setattr(server, "measure", held)
    monkeypatch.setattr(server, "UPDATE_SECONDS", 0.0)
    yield may_go_on
    may_go_on.set()


def test_until_a_part_has_its_script_its_buttons_take_no_click_instead_of_losing_it(open_page):
    page, scripts = open_page(), []
    page.route("**/curves/curves.js", lambda route: scripts.append(route))
    page.click("#tab-curves")
    page.wait_for_selector("[data-view-of-curves=speed]")
    while not scripts:
        page.wait_for_timeout(20)  # Playwright calls the route meanwhile
    assert page.evaluate("() => document.querySelector('[data-view-of-curves=speed]').closest('[inert]') !== null")
    scripts[0].continue_()
    page.click("[data-view-of-curves=speed]")  # waits until the button takes it
    page.wait_for_selector(".ersd-curves[data-curves-view=speed]")


def test_stop_keeps_what_is_there_and_the_next_measurement_counts_its_points(open_page, go_on, monkeypatch):
    monkeypatch.setattr("ersd.curves.acceptance.TOKENS", 12)
    page, scripts = open_page(), []
    page.route("**/curves/curves.js", lambda route: scripts.append(route))
    page.click("#tab-curves")
    measure(page, texts="1", calls="4", drafted="2, 4")  # before the script that shows it is loaded
    while not scripts:
        page.wait_for_timeout(20)  # Playwright calls the route meanwhile
    scripts[0].continue_()
    page.wait_for_function("() => /[2-8] of 8 points.*k = /.test(document.querySelector('#curves-status').textContent)")
    page.click("#curves-stop")
    page.wait_for_selector("#curves[data-state=stopped]")
    kept = page.evaluate(DATA)["points"]
    assert page.inner_text("#curves-status") == f"Stopped: {kept} of 8 points are there."
    go_on.set()
    page.wait_for_selector("#curves-generate:not([disabled])")
    assert page.evaluate(DATA)["points"] == kept, "nothing came after it"
    measure(page)
    page.wait_for_selector("#curves[data-state=running]")
    page.wait_for_selector("#curves[data-state=done]")
    assert page.evaluate(DATA)["points"] == "8"
    assert re.fullmatch(r"Measured in \d+ s\.", page.inner_text("#curves-status"))
    assert "2 calls each" in page.inner_text(".curves-note")
    assert "Guesses from" not in page.inner_text(".curves-note")
    choose(page, "source", "n-grams (no model)", "curves-")
    page.click("#curves-generate")
    wait_for_text(page, ".curves-note", "Guesses from n-grams. Lines: expected")
    page.wait_for_selector("#curves[data-state=done]")
    heads = page.locator(".curves-table th[scope=colgroup]").all_inner_texts()
    assert heads == ["Temperature 1, 4 drafted"]
    cells = page.locator(".curve-batch td").all_inner_texts()[1:]
    assert 0.5 < float(cells[0]) <= 1
    assert "±" in cells[1]


def test_bad_input_gets_words_and_the_picture_stays(curves):
    page = curves
    for values, words in (
        ({"drafted": "1, 99"}, "drafted must be a whole number from 1 to 64, got 99"),
        ({"texts": "0"}, "texts must be a whole number from 1 to 64, got 0"),
        ({"temperature-1": "8"}, "temperature must be a number from 0 to 5, got 8"),
    ):
        measure(page, **values)
        wait_for_text(page, "#curves-status", words)
        assert page.get_attribute("#curves", "data-state") == "error"
        assert page.inner_text("#curves-status") == words
    assert page.evaluate(DATA)["points"] == RECORDED_POINTS
    assert page.locator(".curves-plot .scatterlayer .trace").count() >= 8


def test_the_cost_changes_the_speed_without_a_model(curves):
    page = curves
    turn_to(page, "speed")
    first = page.inner_text(".curves-headline")
    page.click(".curves-places button:last-child")
    wait_for_text(page, ".curves-headline", "57.1 draft calls")
    assert page.inner_text(".curve-tau_star td:last-child") != ""
    page.fill("#curves-ratio", "6.5")
    page.press("#curves-ratio", "Enter")
    wait_for_text(page, ".curves-headline", "6.5 draft calls")
    assert page.inner_text(".curves-headline") != first
    for bad in ("0", "1000", ""):
        page.fill("#curves-ratio", bad)
        page.press("#curves-ratio", "Enter")
        assert f"The cost must be a number from 0.2 to 200, got “{bad}”. It stays 6.5." == page.inner_text(".curves-cost-note")
    page.focus("#curves-slider")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => !document.querySelector('.curves-headline').textContent.includes('6.5 draft calls')")
    assert page.get_attribute("#curves-ratio", "aria-invalid") == "false"


def test_every_view_is_saved_as_numbers_and_as_a_picture(curves):
    page = curves
    for view in VIEWS:
        turn_to(page, view)
        for form, begins in (("csv", b"temperature,method,k"), ("png", b"\x89PNG"), ("svg", b"<svg")):
            with page.expect_download() as download:
                page.click(f"[data-save={form}]")
            assert download.value.suggested_filename == f"curves-{view}.{form}"
            with open(download.value.path(), "rb") as file:
                assert file.read(20).startswith(begins)


def test_the_limit_is_drawn_on_request(curves):
    page = curves
    top = "() => Math.max(...[...document.querySelectorAll('.curves-plot .ytick text')].map((one) => Number(one.textContent)))"
    before = page.evaluate(top)
    page.check("#curves-limit")
    wait_until_at_rest(page, PARTS)
    assert page.evaluate(top) > before + 4
    assert "limit" in page.locator(".curves-plot .annotation text").all_text_contents()
    page.uncheck("#curves-limit")


@pytest.mark.parametrize("size", [PHONE, PROJECTOR, FULL_HD], ids=lambda size: str(size["width"]))
def test_nothing_overlaps_or_is_cut(recorded, size):
    page = recorded
    page.set_viewport_size(size)
    for view in ALL_VIEWS:
        turn_to(page, view)
        assert faults(page) == [], view
    turn_to(page, "accepted")
    page.check("#curves-limit")
    wait_until_at_rest(page, PARTS)
    found = faults(page)
    page.uncheck("#curves-limit")
    assert found == [], "limit"


def test_present_fits_a_projector(curves):
    page = curves
    page.set_viewport_size(WIDE_PROJECTOR)
    page.click(".present-button")
    for view in ALL_VIEWS:
        turn_to(page, view)
        assert faults(page) == []
        assert page.evaluate("() => document.documentElement.scrollHeight") <= 720
        size, words = smallest_letters(page, ".ersd-curves")
        assert size >= 18, words
    page.click(".present-button")


def test_axe_finds_nothing_serious_in_the_curves(curves):
    page, found = curves, []
    for view, is_dark in (("next", True), ("speed", True), ("pays", True), ("pays", False), ("accepted", False)):
        page.evaluate(DARK, is_dark)
        turn_to(page, view)
        found += violations(page, ".workbench:has(#curves)")
    page.click("[data-guess=draw]")
    found += violations(page, "#curves")
    page.click("[data-guess=skip]")
    assert found == []


# --- does it pay for me? ------------------------------------------------------------------------------------------------------------

RATES = "0.72, 0.48, 0.33"
LOG = "Drafted: 4,500 tokens, Per-position acceptance rate: 0.72, 0.48, 0.33, Avg Draft acceptance rate: 51.0%"
DOTS = "() => document.querySelectorAll('.curves-plot .scatterlayer .trace:last-child .point').length"
BARS = "() => document.querySelectorAll('.curves-plot .scatterlayer .trace:last-child .errorbar').length"


def enter(page, headline, **values):
    """Type into the fields and wait for the answer."""
    for name, value in values.items():
        page.fill(f"#curves-{name.replace('_', '-')}", value)
    wait_for_text(page, ".curves-headline", headline)
    wait_until_at_rest(page, PARTS)


def test_an_engineer_enters_a_log_and_three_costs_and_reads_method_k_and_speed(open_page):
    page = open_page("?tab=curves&curve=tall")
    wait_until_drawn(page)
    assert page.inner_text("#curves-status") == "curve must be one of accepted, next, speed, pays, got “tall”."
    turn_to(page, "pays")
    assert page.input_value("#curves-target-ms") != "", "it begins with this machine and this pair"
    enter(page, "k = 3", rates=RATES, target_ms="13", draft_ms="0.5", row_ms="0.3")
    wait_for_text(page, ".curves-figure", "2.14×")
    assert page.inner_text(".curves-headline") == "Yes, it pays: a chain, k = 3 guesses a call"
    assert page.inner_text(".curves-sentence").startswith("A call gives 2.53 tokens in 15.4 ms")
    assert page.locator(".curves-table tbody tr").count() == 4
    texts = page.locator(".curves-plot .annotation text").all_text_contents()
    assert {"best: k = 3", "▼ slower from 37 on", "tree (est.)"} <= set(texts)
    with page.expect_download() as download:
        page.click("[data-save=csv]")
    with open(download.value.path(), encoding="utf-8") as file:
        assert file.readlines()[3].startswith("3,2.53,2.1357,,given,")
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    wait_for_text(page, ".curves-figure", "2.14×")
    assert page.input_value("#curves-rates") == RATES.replace(" ", "")
    turn_to(page, "speed")
    assert "rates=" not in page.url


def test_dots_stand_where_acceptance_was_measured(curves):
    page = curves
    turn_to(page, "pays")
    page.select_option("[data-engine=agreement]", "T = 1")
    wait_for_text(page, ".curves-note", "No ±")
    wait_until_at_rest(page, PARTS)
    assert (page.evaluate(DOTS), page.evaluate(BARS)) == (7, 7), "of the recorded direct runs of a chain"
    enter(page, "k = 3", rates=RATES, target_ms="13", draft_ms="0.5", row_ms="0.3")
    assert page.evaluate(DOTS) == 3, "of the log, whose errors are not known"
    page.fill("#curves-rates", LOG)
    wait_for_text(page, ".curves-figure", "± 0.05")
    assert "from 1,500 drafts alone" in page.inner_text(".curves-note")
    page.select_option("[data-engine=agreement]", "0.8")
    wait_for_text(page, ".curves-note", "No ±")
    wait_until_at_rest(page, PARTS)
    assert page.evaluate(DOTS) == 0, "nothing was measured"
    assert page.input_value("#curves-rates").startswith("0.8, 0.64, 0.512")


def test_menus_fill_the_fields_and_stay_behind_what_is_typed(curves):
    page = curves
    turn_to(page, "pays")
    page.select_option("[data-engine=place]", index=1)
    assert [page.input_value(f"#curves-{name}") for name in ("target-ms", "draft-ms", "row-ms")] == ["8.83", "2", "0.103"]
    page.fill("#curves-draft-ms", "1")
    assert page.input_value("[data-engine=place]") == "own"
    assert page.input_value("#curves-target-ms") == "8.83"
    page.wait_for_url("**draft-ms=1&**")
    page.select_option("[data-engine=agreement]", "T = 0.6")
    page.reload()
    wait_for_text(page, ".curves-headline", "it pays")
    chosen = [page.input_value(f"[data-engine={menu}]") for menu in ("place", "agreement")]
    assert chosen == ["own", "T = 0.6"], "a link's rates of this pair are those of this pair, with their dots"


def test_a_field_that_cannot_be_taken_is_named_and_marked(curves):
    page = curves
    turn_to(page, "pays")
    enter(page, "k = 3", rates=RATES, target_ms="13", draft_ms="0.5", row_ms="0.3")
    enter(page, "No answer yet", rates="0.5, 0.6")
    words = "Acceptance rates must not rise, since a guess is accepted only after all before it, got 0.6 for guess 2 after 0.5."
    assert page.inner_text(".curves-sentence") == words
    assert page.get_attribute("#curves-rates", "aria-invalid") == "true"
    assert not page.is_visible(".curves-figure"), "no figure of other fields"
    enter(page, "k = 3", rates=RATES)
    assert page.get_attribute("#curves-rates", "aria-invalid") == "false"
    enter(page, "No answer yet", target_ms="fast")
    assert page.inner_text(".curves-sentence") == "A target call must be a number above 0 and at most 100000, got 'fast'."
    page.route("**/pays", lambda route: route.fulfill(body="none"))
    enter(page, "No answer yet", target_ms="13")
    wait_for_text(page, ".curves-sentence", "The server does not answer; try again in a moment.")
    page.unroute("**/pays")
    enter(page, "k = 3", target_ms="13.0")


# --- draw before reveal -------------------------------------------------------------------------------------------------------------

COVERED = """() => [...document.querySelectorAll(".curves-table td, .curves-note, .curves-headline, .curves-sentence")]
  .map((one) => one.textContent).join(" ")"""


def test_a_guess_is_drawn_before_the_curves_are_shown(curves):
    page = curves
    page.click("[data-guess=draw]")
    wait_until_at_rest(page, PARTS)
    assert page.locator(".curves-plot .scatterlayer .js-line").count() == 0
    assert not re.search(r"\d\.\d", page.evaluate(COVERED)), "no figure gives it away"
    assert page.get_attribute("[data-guess=draw]", "aria-disabled") == "true"
    box = page.locator(".curves-board").bounding_box()
    page.mouse.move(box["x"] + 4, box["y"] + box["height"] - 4)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 4, box["y"] + 4, steps=3)
    page.mouse.up()
    drawn = page.locator(".curves-board [role=slider]").evaluate_all("all => all.map((one) => Number(one.ariaValueNow))")
    assert len(drawn) == 7
    assert drawn == sorted(drawn)
    assert len(set(drawn)) > 3, "a drag passes all of them, however fast"
    page.click("[data-guess=draw]")
    wait_for_text(page, ".curves-sentence", "Your guess for a chain at T = 1 was off by")
    drew, expected = map(float, re.search(r"you drew ([\d.]+); ([\d.]+) are expected\.", page.inner_text(".curves-sentence")).groups())
    assert drew == drawn[-1]
    wait_for_text(page, ".ersd-curves .ersd-announcer", "Your guess for a chain")
    assert f"{float(page.locator('.curve-sequence td').nth(1).inner_text()):.1f}" == f"{expected:.1f}"
    assert "your guess" in page.locator(".curves-plot .annotation text").all_text_contents()
    page.click("[data-guess=draw]")
    page.click("[data-guess=skip]")
    page.wait_for_function("() => document.querySelectorAll('.curve-sequence td')[1].textContent !== '–'")
    assert page.evaluate("() => document.activeElement.dataset.guess") == "draw"


def test_a_guess_is_drawn_by_keys(curves):
    page = curves
    page.focus("[data-guess=draw]")
    page.keyboard.press("Enter")
    for key in ("PageUp", "ArrowUp", "ArrowDown", "ArrowRight", "PageUp", "PageUp", "ArrowDown"):
        page.keyboard.press(key)
    sliders = page.locator(".curves-board [role=slider]")
    values = [sliders.nth(place).get_attribute("aria-valuetext") for place in range(3)]
    assert values == ["1", "1.9", "not drawn"]
    page.keyboard.press("End")
    assert sliders.nth(1).get_attribute("aria-valuenow") == sliders.nth(1).get_attribute("aria-valuemax")
    turn_to(page, "speed")
    turn_to(page, "accepted")
    assert page.get_attribute(".ersd-curves", "data-guess") == "none", "another view ends it"
