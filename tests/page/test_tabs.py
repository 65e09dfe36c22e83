"""The tabs have addresses: an address opens its tab, and choosing a tab changes the address and nothing else in it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import gradio as gr
import pytest

from visual.payload.messages import recording
from visual.ui.player import player
from visual.ui.tabs import TABS, all_tabs, tab

from ..visual.fakes import race_step, trace
from .browser import launched, visits

FIRST, SECOND = list(TABS)[:2]


@pytest.fixture(scope="module")
def page(browser) -> Iterator:
    """A page with all tabs, a player in each; one for all tests."""
    with gr.Blocks() as blocks, all_tabs():
        for name in TABS:
            with tab(name):
                player(f"{name}-player", recording(trace(race_step()), f"This is {name}."))
    with launched(blocks) as address, visits(browser) as visit:
        yield visit(address)


def go(page, query: str, shown: str) -> None:
    """Opens the page at a query, and waits for a tab."""
    page.goto(urlsplit(page.url)._replace(query=query).geturl())
    page.wait_for_selector(f"#{shown}-player[data-state]")


def opened(page) -> str:
    """The tab that is in view, by its name."""
    return page.get_attribute("#tabs [role=tab][aria-selected=true]", "id").removeprefix("tab-")


def asked(page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_every_tab_has_an_address_and_its_button_a_name(page):
    go(page, "seed=3", FIRST)
    assert opened(page) == FIRST
    assert asked(page) == {"seed": ["3"]}
    for name in [*reversed(TABS), SECOND]:
        page.click(f"#tab-{name}")
        page.wait_for_selector(f"#{name}-player", state="visible")
        assert opened(page) == name
        assert asked(page) == {"seed": ["3"], "tab": [name]}
    page.reload()
    page.wait_for_selector(f"#{SECOND}-player", state="visible")
    assert opened(page) == SECOND
    assert page.text_content(".tab-note p") == ""


def test_an_unknown_tab_is_told_until_a_tab_is_chosen(page):
    go(page, "tab=elsewhere&seed=3", FIRST)
    page.wait_for_selector(".tab-note p:not(:empty)")
    assert opened(page) == FIRST
    assert page.inner_text(".tab-note p").startswith(f"There is no tab “elsewhere” here: this is {TABS[FIRST]}.")
    page.click(f"#tab-{SECOND}")
    page.wait_for_selector(".tab-note p:empty", state="attached")
    assert asked(page) == {"seed": ["3"], "tab": [SECOND]}


def test_on_a_phone_all_tabs_can_be_reached(page):
    page.set_viewport_size({"width": 390, "height": 844})
    for name in reversed(TABS):
        page.click(f"#tab-{name}")
        page.wait_for_selector(f"#{name}-player", state="visible")
        box = page.locator(f"#tab-{name}").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
