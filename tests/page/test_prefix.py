"""The page under a path prefix of a reverse proxy, and in a frame of another origin."""

from __future__ import annotations

import os

import pytest

from visual.server.pairs import Pairs
from visual.ui.page import build

from .browser import launched
from .driver import PATIENCE
from .proxy import FRAME, below, below_nginx, nginx

PREFIX = "/demo"


@pytest.fixture(scope="module")
def port(pair, tmp_path_factory):
    """Port of a proxy that serves the page under PREFIX only: nginx, or without it a few lines of our own."""
    is_real = nginx() or os.environ.get("CI") == "true"
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("GRADIO_ROOT_PATH", PREFIX)
        with launched(build(Pairs({"embedded": lambda: pair}))) as address:
            proxy = below_nginx(PREFIX, address, tmp_path_factory.mktemp("nginx")) if is_real else below(PREFIX, address)
            with proxy as port:
                yield port


def plays(frame) -> None:
    """The player shows its recorded run, and runs one of its own."""
    frame.wait_for_selector("#player[data-state][data-steps]", timeout=PATIENCE)
    frame.wait_for_selector("#player-tree .js-plotly-plot .point", state="attached", timeout=PATIENCE)
    frame.fill("#max-new-tokens input", "6")
    frame.click("#generate")
    frame.wait_for_selector("#player[data-state=done]", state="attached", timeout=PATIENCE)
    assert " 6 tokens" in frame.inner_text("#player-status")


def test_a_run_under_a_prefix_in_a_frame_of_another_origin(browser, port):
    page, missing = browser.new_page(viewport={"width": 1440, "height": 1100}), []
    page.set_default_timeout(PATIENCE)
    page.on("response", lambda answer: answer.status >= 400 and missing.append(answer.url))
    page.goto(f"http://localhost:{port}{FRAME}")
    plays(page.wait_for_selector("iframe").content_frame())
    page.close()
    assert [url for url in missing if PREFIX in url] == []
