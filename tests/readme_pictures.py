"""Make the pictures of the README: the page, a comparison, and one step in motion.

python -m tests.readme_pictures            all three; needs Chromium and tests/requirements.txt
python -m tests.readme_pictures motion     one of: page, comparison, motion
"""

from __future__ import annotations

import io
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from .page.browser import FLAGS, chromium, served

ASSETS = Path(__file__).resolve().parent.parent / "assets"
SIZE = {"width": 1440, "height": 900}
SLOWED = 4
"""The film is taken at this part of the speed, so that there is time for every frame."""
FRAME_MS = 66
FILM_WIDTH = 880
MOST_BYTES = 2_000_000


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


def film(browser: Browser, address: str) -> None:
    """A step in motion, from its first phase to its last."""
    page = opened(browser, address)
    page.wait_for_selector("#player-tree .point")
    page.select_option(".ersd-speed select", str(1 / SLOWED))
    page.click("#player [data-tell=draft]")
    page.click("#player [data-go=play]") if page.get_attribute("#player [data-go=play]", "aria-label") == "Play" else None
    step, frames, at_end = page.get_attribute("#player", "data-step"), [], 0
    while at_end < 12 and page.get_attribute("#player", "data-step") == step:
        begun = time.perf_counter()
        shot = Image.open(io.BytesIO(page.screenshot(clip={"x": 296, "y": 56, "width": 1136, "height": 800}))).convert("RGB")
        frames.append(shot.resize((FILM_WIDTH, round(shot.height * FILM_WIDTH / shot.width)), Image.Resampling.LANCZOS))
        at_end += page.get_attribute("#player", "data-phase") == "text"
        page.wait_for_timeout(max(0, FRAME_MS * SLOWED - 1000 * (time.perf_counter() - begun)))
    for quality in (70, 55, 40, 25):
        durations = [FRAME_MS] * (len(frames) - 1) + [1500]
        frames[0].save(ASSETS / "step.webp", save_all=True, append_images=frames[1:], duration=durations, loop=0, quality=quality, method=5)
        if (ASSETS / "step.webp").stat().st_size < MOST_BYTES:
            break


PICTURES: dict[str, Callable[[Browser, str], None]] = {"page": picture_of_page, "comparison": picture_of_comparison, "motion": film}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "log") as (address, _), sync_playwright() as run:
        browser = run.chromium.launch(executable_path=chromium(), args=FLAGS)
        time.sleep(3)  # the pair's costs are measured while the page starts
        for name in sys.argv[1:] or PICTURES:
            PICTURES[name](browser, address)
        browser.close()


if __name__ == "__main__":
    main()
