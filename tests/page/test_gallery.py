"""The gallery: a click opens a recorded run where its card points, and the controls hold its settings."""

from __future__ import annotations

import re

import pytest

import ersd
from visual.payload.gallery import CARDS, View
from visual.payload.sentences.names import METHOD_LABELS, method_of
from visual.server.recorded import gallery_trace, views

from .browser import PHONE
from .driver import chosen, data, wait_for_step, wait_for_text, wait_until_chosen


@pytest.fixture(scope="module")
def shown() -> dict[str, tuple[ersd.Trace, View]]:
    """Name of a run -> the run, and what is to be seen in it."""
    return {name: (gallery_trace(name), view) for card in CARDS for name, view in zip(card.runs, views(card), strict=True)}


def open_run(page, name: str) -> None:
    page.click("#tab-gallery")
    page.click(f"#gallery-{name}")
    wait_for_text(page, "#player .ersd-status", "gallery")


def test_a_card_has_its_picture_and_its_sentences(page):
    page.click("#tab-gallery")
    cards = page.locator(".exhibit")
    assert cards.count() == len(CARDS)
    for index, card in enumerate(CARDS):
        assert cards.nth(index).locator("svg").count() == 1
        told = card.tell([gallery_trace(name) for name in card.runs], views(card))
        boxed = [re.sub("[“”]", "", sentence) for sentence in told]
        assert cards.nth(index).locator("p").all_inner_texts() == boxed


def test_a_click_opens_the_run_where_its_card_says(page, shown):
    for name, (trace, view) in shown.items():
        open_run(page, name)
        page.wait_for_selector(f"#player[data-steps='{len(trace.steps)}']", state="attached")  # another run than the one before
        wait_for_text(page, "#player .ersd-run", f"seed {trace.settings.seed}")
        wait_for_step(page, view.step + 1)
        vertex = None if view.vertex is None else str(view.vertex)
        page.wait_for_function("vertex => (document.getElementById('player').dataset.vertex ?? null) === vertex", arg=vertex)
        assert page.inner_text("#player-text").startswith(trace.prompt)
        # the controls follow, and then hold the settings of this run
        page.wait_for_function("prompt => document.querySelector('#prompt textarea').value === prompt", arg=trace.prompt)
        wait_until_chosen(page, "method", METHOD_LABELS[method_of(trace.settings.algorithm, trace.settings.topology)])
        wait_until_chosen(page, "seed", str(trace.settings.seed))
        assert chosen(page, "draft-tokens") == str(trace.settings.draft_tokens)
        assert data(page, "stale") == "false", name


def test_the_link_of_an_opened_run_carries_it(page, shown):
    trace, view = shown["lossy"]
    open_run(page, "lossy")
    wait_for_step(page, view.step + 1)
    wait_until_chosen(page, "leniency", "0.8")
    page.click("#copy-link")
    page.wait_for_function("() => location.search.includes('leniency=0.8')")
    for part in ("algorithm=lossy", f"seed={trace.settings.seed}", f"step={view.step + 1}", f"vertex={view.vertex}"):
        assert part in page.url


def test_on_a_phone_what_was_opened_is_in_sight(page):
    page.set_viewport_size(PHONE)
    open_run(page, "block")
    page.wait_for_function("() => document.querySelector('#player').getBoundingClientRect().top < innerHeight / 4")
    assert page.locator("#player").bounding_box()["y"] >= 0
