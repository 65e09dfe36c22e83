"""One server and one browser for all page tests; a fresh page for each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import gradio as gr
import pytest

from visual.messages import recording
from visual.page.player import player

from .browser import FLAGS, chromium, launched, served

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
    """Opens pages; at the end of the test their consoles must be free of errors and nothing may have come from elsewhere."""
    opened, complaints = [], []

    def watch(page, address: str) -> None:
        page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: request.url.startswith(("http", "ws")) and address not in request.url and complaints.append(request.url),
        )

    with ExitStack() as servers:

        def open_at(where: str | gr.Blocks, query: str = "", width: int = 1440, height: int = 900):
            address = where if isinstance(where, str) else servers.enter_context(launched(where))
            page = browser.new_page(viewport={"width": width, "height": height})
            opened.append(page)
            watch(page, address)
            page.goto(f"{address}/{query}")
            page.wait_for_selector("[data-state][data-steps]", timeout=30_000)
            return page

        yield open_at
        for page in opened:
            page.close()
    assert complaints == []


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
