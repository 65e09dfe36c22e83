"""One server and one browser for all page tests; a fresh page for each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from .browser import FLAGS, chromium, served

if os.environ.get("CI") == "true":
    import playwright.sync_api as playwright
else:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")


@pytest.fixture(scope="session")
def address(tmp_path_factory) -> Iterator[str]:
    if chromium() is None and os.environ.get("CI") != "true":
        pytest.skip("no Chromium found")
    with served(tmp_path_factory.mktemp("app") / "log") as (url, _):
        yield url


@pytest.fixture(scope="session")
def browser(address):
    path = chromium()
    assert path is not None, "CI must have a Chromium"
    with playwright.sync_playwright() as run:
        browser = run.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser, address) -> Iterator[Callable]:
    """Opens the page; at the end of the test its console must be free of errors and nothing may have come from elsewhere."""
    opened, complaints = [], []

    def watch(page) -> None:
        page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: request.url.startswith(("http", "ws")) and address not in request.url and complaints.append(request.url),
        )

    def open_at(query: str = "", width: int = 1440, height: int = 900):
        page = browser.new_page(viewport={"width": width, "height": height})
        opened.append(page)
        watch(page)
        page.goto(f"{address}/{query}")
        page.wait_for_selector("#player[data-state]", timeout=30_000)
        return page

    yield open_at
    for page in opened:
        page.close()
    assert complaints == []
