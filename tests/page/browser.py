"""A browser and served pages, for tests and benchmarks."""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import gradio as gr

from visual.server.pairs import Pairs
from visual.ui.page import launch_options

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parent.parent.parent
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
DESKTOP, FULL_HD, PROJECTOR, WIDE_PROJECTOR, PHONE = (
    {"width": w, "height": h} for w, h in ((1440, 900), (1920, 1080), (1024, 768), (1280, 720), (390, 844))
)


FIRST_VISIT = "first-visit"
"""In the query of an address: the page is opened as in a browser that has never been there, with its introduction."""
_HAS_BEEN_THERE = f"""if (!new URLSearchParams(location.search).has("{FIRST_VISIT}")) {{
  try {{ localStorage.setItem("ersd-introduced", "yes"); }} catch {{ /* a page without an address has none */ }}
}}"""
PATIENCE = 120_000
"""Milliseconds that a condition may take to come true: no claim on speed, since a busy machine may need ten times the usual time."""


def chromium() -> str | None:
    """The path of an installed Chromium or Chrome."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)


def free_port() -> int:
    """A port without a listener, below the range that the system gives to outgoing connections."""
    while True:
        port = random.SystemRandom().randrange(15_000, 32_000)  # not the seeded generator: parallel workers would agree
        with socket.socket() as free:
            if free.connect_ex(("127.0.0.1", port)):
                return port


_FREED: list[int] = []
"""Ports of closed pages, to use again: at a known address a tab keeps its compiled scripts."""


@contextmanager
def launched(blocks: gr.Blocks, pairs: Pairs | None = None, **more: Any) -> Iterator[str]:
    """Serve a page from this process; yields its address. `pairs`: for routes that need one. `more`: for `launch`."""
    port = _FREED.pop() if _FREED else free_port()
    options = {"server_name": "127.0.0.1", "server_port": port, "prevent_thread_lock": True, "quiet": True, "ssr_mode": False}
    blocks.launch(**options, **launch_options(pairs), **more)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        blocks.close()
        _FREED.append(port)


class Tab:
    """A browser tab that records errors and foreign requests. Tabs are reused: compiled scripts make the next visit three times faster."""

    def __init__(self, browser: Browser) -> None:
        self.page = browser.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.add_init_script(_HAS_BEEN_THERE)
        self.address = ""
        self.complaints: list[str] = []
        self.page.on("console", lambda message: message.type == "error" and self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._check(request.url))

    def _check(self, url: str) -> None:
        if url.startswith(("http", "ws")) and self.address not in url:
            self.complaints.append(url)

    def visit(self, address: str, query: str, width: int, height: int, **media: Any) -> Page:
        """Open a page and wait for its player. `media`: for `emulate_media`."""
        self.address, self.complaints = address, []
        self.page.set_viewport_size({"width": width, "height": height})
        if media:
            self.page.emulate_media(**media)
        self.page.goto(f"{address}/{query}")
        self.page.wait_for_selector("[data-state][data-steps]", state="attached")  # perhaps in a hidden tab of the page
        return self.page

    def leave(self) -> bool:
        """Empty the tab. False if its test closed it or replaced its clock: then it cannot be reused."""
        if self.page.is_closed():
            return False
        self.page.evaluate("() => { try { localStorage.clear(); } catch { /* a page without an address has none */ } }")
        self.page.goto("about:blank")
        if self.page.evaluate("() => '__pwClock' in globalThis"):
            self.page.close()
            return False
        self.page.unroute_all()
        self.page.emulate_media(media="null", color_scheme="null", reduced_motion="null", forced_colors="null")
        self.page.mouse.move(0, 0)
        return True


_SPARE: WeakKeyDictionary[Browser, list[Tab]] = WeakKeyDictionary()
"""The tabs that are not in use."""


@contextmanager
def visits(browser: Browser, may_complain: bool = False) -> Iterator[Callable[..., Page]]:
    """A function that opens pages. At the end their consoles must be free of errors and nothing may have come from another server.

    may_complain: for tests whose server refuses something, which the console reports. A new tab instead would compile all scripts again.
    A test that changes a tab for good, for instance by an init script, closes its page.
    """
    spare, opened = _SPARE.setdefault(browser, []), []
    with ExitStack() as servers:

        def open_at(where: str | gr.Blocks, query: str = "", width: int = 1440, height: int = 900, **media: Any) -> Page:
            address = where if isinstance(where, str) else servers.enter_context(launched(where))
            opened.append(spare.pop() if spare else Tab(browser))
            return opened[-1].visit(address, query, width, height, **media)

        yield open_at
        complaints = [text for tab in opened for text in tab.complaints]
        spare.extend(tab for tab in opened if tab.leave())
    assert may_complain or complaints == []


@contextmanager
def served(log: Path, **variables: str) -> Iterator[tuple[str, float]]:
    """Run `python app.py` on a free port with these environment variables; yields its address and the seconds until it answered."""
    port = free_port()
    command = ["app.py", "--port", str(port), "--threads", "1"]
    with running(command, f"http://127.0.0.1:{port}", log, HF_HUB_OFFLINE="1", **variables) as seconds:
        yield f"http://127.0.0.1:{port}", seconds


@contextmanager
def running(arguments: list[str], address: str, log: Path, **variables: str) -> Iterator[float]:
    """Run Python with these arguments until it serves an address; yields the seconds that it took."""
    start = time.perf_counter()
    with log.open("w") as out:
        environment = {**os.environ, **variables}
        process = subprocess.Popen([sys.executable, *arguments], cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, env=environment)
        try:
            while True:
                try:
                    urllib.request.urlopen(address, timeout=10).close()
                    break
                except (urllib.error.URLError, OSError):
                    if process.poll() is not None or 1e3 * (time.perf_counter() - start) > PATIENCE:
                        raise RuntimeError(f"the page is not served:\n{log.read_text()}") from None
                    time.sleep(0.05)
            yield time.perf_counter() - start
        finally:
            process.terminate()
            process.wait(60)
