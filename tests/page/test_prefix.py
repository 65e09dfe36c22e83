"""The page below a path of another server, and in a frame of another origin."""

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
def address(pair):
    """A page that knows it stands below PREFIX."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("GRADIO_ROOT_PATH", PREFIX)
        with launched(build(Pairs({"embedded": lambda: pair}))) as address:
            yield address


@pytest.fixture(scope="module")
def port(address, tmp_path_factory):
    """The page's port behind a proxy that knows nothing but PREFIX: nginx, or where there is none a few lines of our own."""
    is_real = nginx() or os.environ.get("CI") == "true"
    with below_nginx(PREFIX, address, tmp_path_factory.mktemp("nginx")) if is_real else below(PREFIX, address) as port:
        yield port


def plays(frame) -> None:
    """Here is the player with its recorded run, and it plays one of its own."""
    frame.wait_for_selector("#player[data-state][data-steps]", timeout=PATIENCE)
    frame.wait_for_selector("#player-tree .js-plotly-plot .point", state="attached", timeout=PATIENCE)
    frame.fill("#max-new-tokens input", "6")
    frame.click("#generate")
    frame.wait_for_selector("#player[data-state=done]", state="attached", timeout=PATIENCE)
    assert frame.inner_text("#player-status").startswith("Done: 6 tokens")


def test_a_run_below_a_path(browser, port):
    page = browser.new_page()
    missing = []
    page.on("response", lambda answer: answer.status >= 400 and missing.append(answer.url))
    page.goto(f"http://127.0.0.1:{port}{PREFIX}/")
    plays(page)
    page.close()
    assert missing == []


def test_a_run_in_a_frame_of_another_origin(browser, port):
    page = browser.new_page(viewport={"width": 1440, "height": 1100})
    page.goto(f"http://localhost:{port}{FRAME}")
    plays(page.wait_for_selector("iframe").content_frame())
    page.close()
