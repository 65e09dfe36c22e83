"""Make the pictures of the README: the page and a comparison.

python -m tests.readme_pictures          both; needs Chromium
python -m tests.readme_pictures page     one of: page, comparison
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from .page.browser import FLAGS, chromium, served

ASSETS = Path(__file__).resolve().parent.parent / "assets"
SIZE = {"width": 1440, "height": 900}


def opened(browser: Browser, address: str, query: str = "") -> Page:
    page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
    page.goto(f"{address}/{query}")
    page.wait_for_selector("#player[data-step]", state="attached", timeout=60_000)
    return page


def picture_of_page(browser: Browser, address: str) -> None:
    """The page with a run of its own, finished, at the step that the recorded one is opened at."""
    page = opened(browser, address)
    page.wait_for_selector("#player-tree .point")
    step = page.get_attribute("#player", "data-step")
    page.select_option("#follow", "live")
    page.click("#generate")
    page.wait_for_selector("#player[data-state=done]", timeout=60_000)
    page.locator(".ersd-player").first.press("Home")
    for _ in range(int(step or 1) - 1):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector(f"#player[data-step='{step}']")
    page.wait_for_timeout(500)
    page.screenshot(path=ASSETS / "screenshot.png", full_page=True)


def picture_of_comparison(browser: Browser, address: str) -> None:
    """Three methods on one prompt and seed, at the end."""
    page = opened(browser, address, "?tab=compare")
    page.wait_for_selector("#compare-generate")
    page.click("#compare-generate")
    page.wait_for_selector("#compare-3[data-state=done]", timeout=120_000)
    page.wait_for_timeout(1500)
    page.screenshot(path=ASSETS / "compare.png", full_page=True)


PICTURES: dict[str, Callable[[Browser, str], None]] = {"page": picture_of_page, "comparison": picture_of_comparison}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "log") as (address, _), sync_playwright() as run:
        browser = run.chromium.launch(executable_path=chromium(), args=FLAGS)
        time.sleep(3)  # the pair's costs are measured while the page starts
        for name in sys.argv[1:] or PICTURES:
            PICTURES[name](browser, address)
        browser.close()


if __name__ == "__main__":
    main()
