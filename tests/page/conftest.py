"""One browser and one server for the page tests of a process, and one open player that replays recorded runs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

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
    """A step of a run in this process takes at least 50 ms, so that a long run can be stopped before it ends."""
    at_full_speed = ersd.generate

    def slowly(*arguments, **named) -> Iterator[ersd.Step]:
        with closing(at_full_speed(*arguments, **named)) as steps:
            for step in steps:
                time.sleep(0.05)
                yield step

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
    """A page with nothing but a player; opened when needed, and anew after a test that failed or changed it for good."""

    def __init__(self, browser) -> None:
        self.browser, self.is_spoilt = browser, False
        self.visit, self.server = ExitStack(), ExitStack()
        with gr.Blocks() as blocks:
            player("player")
        self.address = self.server.enter_context(launched(blocks))
        self.page = None

    def open(self):
        """The page, with its player as it was at first."""
        if self.is_spoilt or self.page is None or self.page.is_closed():
            self.visit.close()
            self.page = self.visit.enter_context(visits(self.browser))(self.address)
            self.is_spoilt = False
        return self.page

    def close(self) -> None:
        self.visit.close()
        self.server.close()


@pytest.fixture(scope="session")
def stage(browser) -> Iterator[Stage]:
    stage = Stage(browser)
    yield stage
    stage.close()


@pytest.fixture
def play(stage, request) -> Iterator[Callable]:
    """Shows a recorded run in the open player; what a test has changed there is reset before the next one."""

    def show(run: ersd.Trace, width: int = DESKTOP["width"], height: int = DESKTOP["height"]):
        page = stage.open()
        page.set_viewport_size({"width": width, "height": height})
        reset_player(page)
        replay(page, recording(run, "recorded"))
        return page

    yield show
    stage.is_spoilt |= request.node.failed or stage.page.evaluate("() => '__pwClock' in globalThis || Boolean(window.isSpoilt)")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Tests know in their teardown whether they have failed."""
    item.failed = getattr(item, "failed", False) or call.excinfo is not None
    return (yield)
