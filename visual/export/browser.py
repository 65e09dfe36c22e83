"""A browser without a window that draws the images of a page.

choreographer, which also drives the browser of kaleido, is looked for only when an image is wanted.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

if TYPE_CHECKING:
    from choreographer import Browser

FORMATS = ("svg", "png")
THEMES = ("light", "dark")
SCREEN = {"width": 1440, "height": 900, "deviceScaleFactor": 1, "mobile": False}
"""Tree and race stand side by side, as on a desktop."""
MAX_SECONDS = 60.0
"""For opening the browser and drawing, which takes about two seconds; a slow machine may be ten times slower."""
MAX_CLOSING_SECONDS = 5.0
"""For a browser to close by itself; then it is killed."""


def drawn(page: str, query: str, picture: str, format: str) -> bytes:
    """The content of an image file; nothing if there is no such picture.

    Args:
        page: an HTML document that defines `window.ersdPicture(picture, format)`: the `data:` address of an image, "" if there is none.
        query: of the address that it is opened at.
        picture: which of its pictures.
        format: one of FORMATS.

    ValueError where choreographer or a browser is missing; RuntimeError if the browser fails.
    """
    with ThreadPoolExecutor(1) as thread:  # in a notebook this thread already runs an event loop
        address = thread.submit(asyncio.run, _drawn(page, query, picture, format)).result()
    if not address:
        return b""
    with urlopen(address) as data:
        return bytes(data.read())


async def _drawn(page: str, query: str, picture: str, format: str) -> str:
    """The `data:` address of the image that the page makes; empty if there is no such picture."""
    browser = _browser()
    # a browser in a snap has a /tmp of its own
    folder = Path.home() if browser.is_isolated() else None
    with tempfile.TemporaryDirectory(prefix="ersd-", dir=folder) as name:
        file = Path(name, "run.html")
        file.write_text(page, encoding="utf-8")
        call = f"window.ersdPicture({json.dumps(picture)}, {json.dumps(format)})"
        drawing = asyncio.create_task(_evaluated(browser, f"{file.as_uri()}?{query}", call))
        try:
            await asyncio.wait({drawing}, timeout=MAX_SECONDS)
            if not drawing.done():
                raise RuntimeError(f"it did not answer within {MAX_SECONDS:g} s")
            return drawing.result()
        except (OSError, RuntimeError) as problem:
            reason = problem.args[0] if problem.args else type(problem).__name__
            raise RuntimeError(f"the browser made no image: {reason}") from problem
        finally:
            await _close(browser, drawing)


def _browser() -> Browser:
    try:
        from choreographer import Browser
        from choreographer.errors import ChromeNotFoundError
    except ImportError as problem:
        raise ValueError(f"an image needs the package choreographer, pip install choreographer: {problem}") from None
    try:
        return Browser()
    except ChromeNotFoundError:
        raise ValueError("an image needs Chrome or Chromium: install one, name it in BROWSER_PATH, or run choreo_get_chrome") from None


async def _evaluated(browser: Browser, address: str, call: str) -> str:
    await browser.open()
    tab = browser.get_tab() or await browser.create_tab()

    async def send(command: str, **parameters: Any) -> dict[str, Any]:
        answer = await tab.send_command(command, parameters)
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer["result"]

    await send("Emulation.setDeviceMetricsOverride", **SCREEN)
    await send("Page.navigate", url=address)
    expression = f"(async () => {{ while (!window.ersdPicture) await new Promise(requestAnimationFrame); return {call}; }})()"
    result = await send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
    if "exceptionDetails" in result:
        raise RuntimeError(result["exceptionDetails"]["exception"]["description"])
    return str(result["result"]["value"])


async def _close(browser: Browser, drawing: asyncio.Task[str]) -> None:
    """Close the browser; after a failure nothing of it stays, whether it answers or not."""
    has_failed = not drawing.done() or drawing.exception()
    drawing.cancel()
    with contextlib.suppress(asyncio.TimeoutError):
        await asyncio.wait_for(asyncio.gather(drawing, browser.close(), return_exceptions=True), MAX_CLOSING_SECONDS)
    process = getattr(browser, "subprocess", None)  # missing where it could not be started
    if has_failed and process is not None and hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # with its children: choreographer asks them only once to end
