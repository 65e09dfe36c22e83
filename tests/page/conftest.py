"""One server and one browser for all page tests of a process; a page loaded anew for each."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import gradio as gr
import pytest

import ersd
from visual.payload.messages import recording
from visual.ui.player import player

from .browser import FLAGS, chromium, launched, served, visits

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
def unhurried(monkeypatch) -> None:
    """A step of a run in this process takes 50 ms at least, so that a long one is not over before it is stopped."""
    at_full_speed = ersd.generate

    def slowly(*arguments, **named) -> Iterator[ersd.Step]:
        with closing(at_full_speed(*arguments, **named)) as steps:
            for step in steps:
                time.sleep(0.05)
                yield step

    monkeypatch.setattr(ersd, "generate", slowly)


@pytest.fixture
def visit(browser) -> Iterator[Callable]:
    """Opens pages, of a server or of Blocks that are served for it."""
    with visits(browser) as open_at:
        yield open_at


@pytest.fixture
def open_page(visit, address) -> Callable:
    """Opens the page that is served."""
    return lambda query="", **size: visit(address, query, **size)


@pytest.fixture(scope="session")
def stage() -> Iterator[tuple[str, list[str]]]:
    """A page with nothing but a player, and the recordings that it shows: `?run=2` the one at place 2."""
    recordings: list[str] = []

    def asked_for(request: gr.Request) -> str:
        return recordings[int(request.query_params["run"])]

    with gr.Blocks() as blocks:
        blocks.load(asked_for, None, player("player"), show_progress="hidden")
    with launched(blocks) as address:
        yield address, recordings


@pytest.fixture
def play(visit, stage) -> Callable:
    """Opens a page with nothing but a recorded run."""
    address, recordings = stage

    def open_with(run, **size: int):
        recordings.append(recording(run, "recorded"))
        page = visit(address, f"?run={len(recordings) - 1}", **size)
        page.wait_for_selector("#player[data-step]:not([data-step='0'])")
        page.wait_for_selector("#player-tree .js-plotly-plot .point")
        return page

    return open_with
