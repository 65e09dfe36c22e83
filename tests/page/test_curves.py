"""The Curves tab in a browser: the recorded curves, a small measurement, its end, views, costs, files and every width."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from ersd.curves.measurement import Progress, measure as measure_all
from visual.server import curves as server

from .browser import DESKTOP, FULL_HD, PHONE, PROJECTOR, WIDE_PROJECTOR, visits
from .driver import DARK, wait_for_text, wait_until_at_rest
from .geometry import faults, smallest_letters
from .test_everyone import violations

DATA = "() => document.getElementById('curves').dataset"
VIEWS = ("accepted", "next", "speed")
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


def test_stop_keeps_what_is_there_and_the_next_measurement_counts_its_points(open_page, go_on):
    page, scripts = open_page(), []
    page.route("**/curves/curves.js", lambda route: scripts.append(route))
    page.click("#tab-curves")
    measure(page, texts="2", calls="20", drafted="2, 4")  # before the script that shows it is loaded
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
    assert "57.1 draft calls" in page.inner_text(".curves-headline")
    assert page.inner_text(".curve-tau_star td:last-child") != ""
    page.fill("#curves-ratio", "6.5")
    page.press("#curves-ratio", "Enter")
    assert "6.5 draft calls" in page.inner_text(".curves-headline") != first
    for bad in ("0", "1000", ""):
        page.fill("#curves-ratio", bad)
        page.press("#curves-ratio", "Enter")
        assert f"The cost must be a number from 0.2 to 200, got “{bad}”. It stays 6.5." == page.inner_text(".curves-cost-note")
    page.focus("#curves-slider")
    page.keyboard.press("ArrowRight")
    assert "6.5 draft calls" not in page.inner_text(".curves-headline")
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


def test_a_wrong_address_is_reported(open_page):
    page = open_page("?tab=curves&curve=tall")
    wait_until_drawn(page)
    assert page.inner_text("#curves-status") == "curve must be one of accepted, next, speed, got “tall”."


@pytest.mark.parametrize("size", [PHONE, PROJECTOR, FULL_HD], ids=lambda size: str(size["width"]))
def test_nothing_overlaps_or_is_cut(recorded, size):
    page = recorded
    page.set_viewport_size(size)
    for view in VIEWS:
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
    for view in VIEWS:
        turn_to(page, view)
        assert faults(page) == []
        assert page.evaluate("() => document.documentElement.scrollHeight") <= 720
        size, words = smallest_letters(page, ".ersd-curves")
        assert size >= 18, words
    page.click(".present-button")


def test_axe_finds_nothing_serious_in_the_curves(curves):
    page, found = curves, []
    for view, is_dark in (("next", True), ("speed", True), ("accepted", False)):
        page.evaluate(DARK, is_dark)
        turn_to(page, view)
        found += violations(page, "#curves")
    assert found == []
