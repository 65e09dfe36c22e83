"""The gallery in the browser: a click opens a recorded run at once, at what its card tells, and the controls hold its settings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from visual.payload.gallery import CARDS
from visual.payload.sentences.names import method_of
from visual.server.recorded import read
from visual.ui.gallery_tab import FOLDER

from .browser import visits
from .driver import chosen, data, wait_for_step


@pytest.fixture(scope="module")
def page(browser, address) -> Iterator:
    with visits(browser) as open_at:
        page = open_at(address)
        page.wait_for_selector("#player-tree .js-plotly-plot .point")
        yield page


def views() -> dict:
    """Name of a run -> what is to be seen in it."""
    found = {}
    for card in CARDS:
        traces = [read(FOLDER / f"{name}.json", "a command") for name in card.runs]
        found |= {name: (trace, view) for name, trace, view in zip(card.runs, traces, card.find(traces), strict=True)}
    return found


def to_gallery(page) -> None:
    page.click("#tab-gallery")
    page.wait_for_selector("#gallery-ersd:visible")


def test_a_card_has_its_picture_and_its_sentences(page):
    to_gallery(page)
    assert "tab=gallery" in page.url
    cards = page.locator(".exhibit")
    assert cards.count() == len(CARDS)
    for place, card in enumerate(CARDS):
        traces = [read(FOLDER / f"{name}.json", "a command") for name in card.runs]
        assert cards.nth(place).locator("svg").count() == 1
        assert cards.nth(place).locator("p").all_inner_texts() == list(card.tell(traces, card.find(traces)))


def test_a_click_opens_the_run_where_its_card_says(page):
    for name, (trace, view) in views().items():
        to_gallery(page)
        page.click(f"#gallery-{name}")
        page.wait_for_function(
            "seed => document.querySelector('#player .ersd-run').textContent.endsWith(`seed ${seed}`)"
            " && document.querySelector('#player .ersd-status').textContent.includes('gallery')"
            " && document.querySelector('#player-tree .js-plotly-plot .point')?.getBoundingClientRect().width > 0",
            arg=trace.settings.seed,
        )
        wait_for_step(page, view.step + 1)
        vertex = None if view.vertex is None else str(view.vertex)
        page.wait_for_function("vertex => (document.getElementById('player').dataset.vertex ?? null) === vertex", arg=vertex)
        assert data(page, "steps") == str(len(trace.steps))
        assert page.inner_text("#player-text").startswith(trace.prompt)
        # the controls follow, and then hold the settings of this very run
        page.wait_for_function("prompt => document.querySelector('#prompt textarea').value === prompt", arg=trace.prompt)
        method = method_of(trace.settings.algorithm, trace.settings.topology)
        page.wait_for_function("method => document.querySelector('#method input').value === method", arg=method)
        page.wait_for_function("seed => document.querySelector('#seed input').value === seed", arg=str(trace.settings.seed))
        assert chosen(page, "draft-tokens") == str(trace.settings.draft_tokens)
        assert data(page, "stale") == "false", name


def test_the_link_of_an_opened_run_carries_it(page):
    trace, view = views()["lossy"]
    to_gallery(page)
    page.click("#gallery-lossy")
    wait_for_step(page, view.step + 1)
    page.wait_for_function("() => document.querySelector('#leniency input')?.value === '0.8'")
    page.click("#copy-link")
    page.wait_for_function("() => location.search.includes('leniency=0.8')")
    for part in ("algorithm=lossy", f"seed={trace.settings.seed}", f"step={view.step + 1}", f"vertex={view.vertex}"):
        assert part in page.url


def test_on_a_phone_what_was_opened_is_in_sight(browser, address):
    with visits(browser) as open_at:
        page = open_at(address, "?tab=gallery", width=390, height=844)
        page.click("#tab-generate")
        page.wait_for_selector("#player-tree .js-plotly-plot .point")
        to_gallery(page)
        page.click("#gallery-block")
        page.wait_for_function("() => document.querySelector('#player .ersd-status').textContent.includes('gallery')")
        page.wait_for_function("() => Math.abs(document.querySelector('#player').getBoundingClientRect().top) < 60")
