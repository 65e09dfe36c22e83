"""The page's speed, as figures and not as tests: `python -m tests.bench.bench_page`.

1. seconds until `python app.py` serves the page; 2. seconds from the click to the first step drawn; 3. time to generate with the page
watching against without; 4. steps of a 64-vertex run received and drawable; 5. steps drawn per second when playing as fast as it can.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

import playwright.sync_api as playwright
import torch

import ersd
from tests.page.browser import FLAGS, chromium, served
from tests.page.driver import data, generate, setup, vertices, wait_for, wait_for_step

PROMPT = "Once upon a time there was a little girl named"
TOKENS = 200
REPEATS = 3


def first_step(page) -> float:
    """Seconds from the click on Generate to the first step of the new run on the screen, measured in the browser."""
    setup(page, max_new_tokens=40, draft_tokens=16)
    milliseconds = page.evaluate(
        """() => new Promise((resolve) => {
          const player = document.querySelector("#player"), text = document.querySelector("#player-text");
          let start, fresh = false;
          new MutationObserver(() => (fresh = true)).observe(text, { childList: true });
          const look = () => fresh && player.dataset.step >= 1 && text.querySelector(".ersd-token.here")
            ? resolve(performance.now() - start) : requestAnimationFrame(look);
          start = performance.now();
          document.querySelector("#generate").click();
          look();
        })"""
    )
    wait_for(page, "done")
    return milliseconds / 1000


def alone(pair: ersd.ModelPair, seed: int) -> float:
    """Seconds the engine takes without a page."""
    start = time.perf_counter()
    ersd.run(pair, PROMPT, ersd.Settings(max_new_tokens=TOKENS, seed=seed))
    return time.perf_counter() - start


def watched(page, seed: int) -> tuple[float, float]:
    """Seconds from the click to the end of the run, and steps drawn per second meanwhile."""
    usual = ersd.Settings(max_new_tokens=TOKENS, seed=seed)
    fields = ("draft_tokens", "temperature", "top_k", "top_p", "max_new_tokens", "seed")
    setup(page, prompt=PROMPT, **{name: getattr(usual, name) for name in fields})
    drawn_ms, drawn = page.evaluate(
        """() => new Promise((resolve) => {
          const player = document.querySelector("#player");
          let drawn = 0;
          const start = performance.now();
          const observer = new MutationObserver((changes) => {
            drawn += changes.some((change) => change.attributeName === "data-step");
            if (player.dataset.state === "done") { observer.disconnect(); resolve([performance.now() - start, drawn]); }
          });
          document.querySelector("#generate").click();
          observer.observe(player, { attributes: true });
        })"""
    )
    wait_for(page, "done")
    return drawn_ms / 1000, 1000 * drawn / drawn_ms


def playing(page) -> float:
    """Steps per second when stepping through a finished 64-vertex run with the key held down."""
    last = int(data(page, "steps"))
    wait_for_step(page, 1)
    return page.evaluate(
        """(last) => new Promise((resolve) => {
          const player = document.querySelector("#player"), start = performance.now();
          let drawn = 0;
          new MutationObserver(() => {
            drawn += 1;
            if (drawn === last - 1) resolve((1000 * drawn) / (performance.now() - start));
            else document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
          }).observe(player, { attributes: true, attributeFilter: ["data-step"] });
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        })""",
        last,
    )


def main() -> None:
    """Print the five figures."""
    torch.set_num_threads(1)
    pair = ersd.load_pair()
    alone(pair, 0)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "log") as (address, seconds):
        print(f"1. page served after {seconds:.1f} s (at most 8)")
        with playwright.sync_playwright() as run:
            browser = run.chromium.launch(executable_path=chromium(), args=FLAGS)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(address)
            page.wait_for_selector("#player[data-state]")
            generate(page, prompt=PROMPT, max_new_tokens=8)  # the model is loaded now
            print(f"2. first step drawn after {statistics.median(first_step(page) for _ in range(REPEATS)):.2f} s (at most 0.7)")
            without = statistics.median(alone(pair, seed) for seed in range(REPEATS))
            runs = [watched(page, seed) for seed in range(REPEATS)]
            within = statistics.median(seconds for seconds, _ in runs)
            print(f"3. {TOKENS} tokens in {within:.2f} s watched, {without:.2f} s alone: {within / without:.2f} times (at most 1.25)")
            print(f"   {statistics.median(rate for _, rate in runs):.1f} steps drawn per second while generating")
            generate(page, prompt=PROMPT, max_new_tokens=TOKENS, draft_tokens=64)
            steps = int(data(page, "steps"))
            told = page.inner_text("#player-status")
            drawable = 0
            for step in range(steps, 0, -1):
                wait_for_step(page, step)
                drawable += bool(vertices(page))
                page.keyboard.press("ArrowLeft")
            print(f"4. 64 vertices: {steps} steps received, {drawable} drawable; {told}")
            print(f"5. {playing(page):.1f} drawn steps per second (at least 10)")
            browser.close()


if __name__ == "__main__":
    main()
