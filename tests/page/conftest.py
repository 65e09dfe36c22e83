"""One server and one browser for all page tests; a fresh page for each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import gradio as gr
import pytest

from visual.messages import recording
from visual.page.player import player

from .browser import FLAGS, chromium, served, visits

if os.environ.get("CI") == "true":
    import playwright.sync_api as playwright
else:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")


@pytest.fixture(scope="session")
def address(tmp_path_factory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("app") / "log") as (url, _):
        yield url


@pytest.fixture(scope="session")
def browser():
    path = chromium()
    if path is None and os.environ.get("CI") != "true":
        pytest.skip("no Chromium found")
    assert path is not None, "CI must have a Chromium"
    with playwright.sync_playwright() as run:
        browser = run.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser) -> Iterator[Callable]:
    """Opens pages, of a server or of Blocks that are served for it."""
    with visits(browser) as open_at:
        yield open_at


@pytest.fixture
def open_page(visit, address) -> Callable:
    """Opens the page that is served."""
    return lambda query="", **size: visit(address, query, **size)


@pytest.fixture
def play(visit) -> Callable:
    """Opens a page with nothing but a recorded run."""

    def open_with(run, **size: int):
        with gr.Blocks() as blocks:
            player("player", recording(run, "recorded"))
        page = visit(blocks, **size)
        page.wait_for_selector("#player[data-step]:not([data-step='0'])")
        page.wait_for_selector("#player-tree .js-plotly-plot .point")
        return page

    return open_with
