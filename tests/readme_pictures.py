"""Make the pictures of the README: the page, a comparison, the lab, a step in motion, and the tree and the race of a step.

python -m tests.readme_pictures          all; needs Chromium
python -m tests.readme_pictures page     one of: page, comparison, lab, curves, film, step
"""

from __future__ import annotations

import io
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from ersd.curves.results import Curves
from visual.server.recorded import first_look
from visual.server.tabs.curves import RECORDED_CURVES

from .page.browser import FLAGS, chromium, served

ASSETS = Path(__file__).resolve().parent.parent / "assets"
SIZE = {"width": 1440, "height": 900}

SAVED_STEP = 3
"""Of the recorded run: four tokens are accepted one after the other."""
FILMED = {"method": "ERSD τ*", "draft_tokens": 8, "seed": 39, "max_new_tokens": 24, "step": 3}
"""A step of six levels, of which three tokens are accepted, and the target corrects the next."""
FILM_SIZE = {"width": 1280, "height": 720}
FILM_WIDTH = 960
FRAME_MS = 80
STILL_MS = 1600
"""How long the film shows the finished step."""
MAX_BYTES = 2_000_000


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
    """One recorded text with every source of guesses, a token framed in all strips."""
    page = opened(browser, address, "?tab=compare")
    page.wait_for_selector("#compare-text .framed")
    page.wait_for_timeout(1500)
    bottom = page.locator("#compare .ersd-pieces").bounding_box()
    assert bottom
    height = bottom["y"] + bottom["height"] + 12
    page.screenshot(path=ASSETS / "compare.png", clip={"x": 0, "y": 0, "width": SIZE["width"], "height": height}, full_page=True)


def picture_of_lab(browser: Browser, address: str) -> None:
    """A rule broken on purpose, whose output leaves the target."""
    page = opened(browser, address, "?tab=lab&lab-rule=gsd&lab-bug=no_residual&lab-k=1&lab-trial=3")
    page.wait_for_selector("#lab[data-trials]")
    page.wait_for_timeout(1500)
    page.screenshot(path=ASSETS / "lab.png")


def picture_of_curves(browser: Browser, address: str) -> None:
    """The recorded curves, as a user saves them."""
    Curves.from_json(RECORDED_CURVES.read_text(encoding="utf-8")).save(ASSETS / "curves.svg")


def pictures_of_step(browser: Browser, address: str) -> None:
    """A tree and a race, as a user saves them; neither the page nor this browser is needed."""
    for picture in ("tree", "race"):
        first_look().save(ASSETS / f"{picture}.svg", picture=picture, step=SAVED_STEP)


def film(browser: Browser, address: str) -> None:
    """A step in motion, from its first phase to its last and finished, as it is seen at speed 1. The page's clock is wound by hand: however
    long a picture takes, the next one is that of FRAME_MS later."""
    page = opened(browser, address, f"?{urlencode({**FILMED, 'view': 'lecture'})}")
    page.set_viewport_size(FILM_SIZE)  # type: ignore[arg-type]
    page.wait_for_selector(f"#player[data-state=done][data-step='{FILMED['step']}']", timeout=60_000)
    page.wait_for_selector("#player-tree .point")
    page.clock.install(time=datetime(2026, 1, 1))
    page.clock.pause_at(datetime(2026, 1, 1, 1))
    page.click("#player [data-tell=draft]")
    frames = []
    for phase in ("draft", "score", "walk", "text"):
        frames += list(_frames_of(page, phase))
    durations = [*[FRAME_MS] * (len(frames) - 1), STILL_MS]
    path = ASSETS / "step.webp"
    for quality in range(80, 20, -10):
        frames[0].save(path, save_all=True, append_images=frames[1:], duration=durations, loop=0, quality=quality, method=6)
        if path.stat().st_size <= MAX_BYTES:
            return
    raise ValueError(f"{path.name} takes {path.stat().st_size:,} bytes")


def _frames_of(page: Page, phase: str) -> Iterator[Image.Image]:
    """Pictures of a phase, which is told once, until it is over."""
    page.click(f"#player [data-tell={phase}]")
    for _ in range(200):
        page.clock.run_for(FRAME_MS)
        page.evaluate(_LET_TRANSITIONS_GO_ON, FRAME_MS)
        shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        yield shot.resize((FILM_WIDTH, round(shot.height * FILM_WIDTH / shot.width)), Image.Resampling.LANCZOS)
        told, button = page.get_attribute("#player", "data-phase"), page.get_attribute("#player [data-go=play]", "aria-label")
        if (told, button) == (phase, "Play"):
            return
    raise ValueError(f"the phase {phase} does not end")


_LET_TRANSITIONS_GO_ON = """(passed) => {
  for (const each of document.getAnimations()) {
    const isNew = each.playState !== "paused";
    if (isNew) each.pause();
    const end = each.effect.getComputedTiming().endTime;
    each.currentTime = (isNew ? 0 : each.currentTime) + passed;
    if (each.currentTime >= end) each.finish();
  }
}"""
"""They have a clock of their own, which nobody winds."""

PICTURES: dict[str, Callable[[Browser, str], None]] = {
    "page": picture_of_page,
    "comparison": picture_of_comparison,
    "lab": picture_of_lab,
    "curves": picture_of_curves,
    "film": film,
    "step": pictures_of_step,
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "log") as (address, _), sync_playwright() as run:
        browser = run.chromium.launch(executable_path=chromium(), args=FLAGS)
        time.sleep(3)  # the pair's costs are measured while the page starts
        for name in sys.argv[1:] or PICTURES:
            PICTURES[name](browser, address)
        browser.close()


if __name__ == "__main__":
    main()
