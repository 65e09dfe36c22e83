"""One browser and one server for the page tests of a process, and one open player that replays recorded runs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace

import gradio as gr
import pytest

import ersd
from visual.payload.messages import recording
from visual.server.pairs import EMBEDDED, Pairs
from visual.ui.page import build
from visual.ui.player import player

from .browser import DESKTOP, FLAGS, chromium, launched, visits
from .driver import replay, reset_player

if os.environ.get("CI") == "true":
    import playwright.sync_api as playwright
else:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")


@pytest.fixture(scope="session")
def address(pair) -> Iterator[str]:
    """The whole page, served from this process with the embedded pair."""
    with launched(build(Pairs({EMBEDDED: lambda: pair}))) as url:
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
def unhurried(monkeypatch) -> None:
    """A step of a run in this process takes up to half a second, the first ones less: a run of 100 steps can be stopped for 45 s."""
    at_full_speed = ersd.generate

    def slowly(*arguments, **named) -> Iterator[ersd.Step]:
        with closing(at_full_speed(*arguments, **named)) as steps:
            for count, step in enumerate(steps, 1):
                pause = min(0.05 * count, 0.5)
                time.sleep(pause)
                yield replace(step, target_ms=step.target_ms + 1e3 * pause)  # methods compared take turns by what their calls take

    monkeypatch.setattr(ersd, "generate", slowly)


@pytest.fixture
def visit(browser) -> Iterator[Callable]:
    """Opens pages: of a server's address, or of Blocks, which are then served."""
    with visits(browser) as open_at:
        yield open_at


@pytest.fixture
def open_page(visit, address) -> Callable:
    """Opens the whole page at a query."""
    return lambda query="", **size: visit(address, query, **size)


@pytest.fixture(scope="module")
def page(browser, address) -> Iterator:
    """The whole page, opened once for all tests of a file."""
    with visits(browser) as open_at:
        yield open_at(address)


class Stage:
    """A page with nothing but a player. It is opened anew after a test that failed or changed it for good."""

    def __init__(self, browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.visit, self.page = ExitStack(), None

    def open(self):
        """The page, with its player as it was at first."""
        if self.page is None:
            self.page = self.visit.enter_context(visits(self.browser))(self.address)
        reset_player(self.page)
        return self.page

    def close(self) -> None:
        """Leave the page; its console must be free of errors."""
        self.page = None
        self.visit.close()

    @property
    def is_changed_for_good(self) -> bool:
        return self.page is not None and (self.page.is_closed() or self.page.evaluate("() => '__pwClock' in globalThis"))


@pytest.fixture(scope="session")
def stage(browser) -> Iterator[Stage]:
    with gr.Blocks() as blocks:
        player("player")
    with launched(blocks) as address:
        stage = Stage(browser, address)
        yield stage
        stage.close()


@pytest.fixture
def play(stage, request) -> Iterator[Callable]:
    """Shows a recorded run in the open player."""

    def show(run: ersd.Trace, width: int = DESKTOP["width"], height: int = DESKTOP["height"]):
        page = stage.open()
        page.set_viewport_size({"width": width, "height": height})
        replay(page, recording(run, "recorded"))
        return page

    yield show
    if request.node.has_failed or stage.is_changed_for_good:
        stage.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Tests know in their teardown whether they have failed."""
    item.has_failed = getattr(item, "has_failed", False) or call.excinfo is not None
    return (yield)
