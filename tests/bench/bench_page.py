"""Speed of the page, as figures and not as tests: `python -m tests.bench.bench_page`.

1. seconds until `python app.py` serves the page (at most 10);
2. seconds from the click on Generate to the first step drawn (at most 0.6);
3. seconds from the click to the end of a watched run of 200 tokens (at most 2), at both speeds, and what the engine alone takes;
4. steps drawn per second with the key held down (at least 12), and processor time of the browser's main thread per step;
5. frames per second while a run is played in motion, the share of late frames, and long tasks;
6. seconds from the click on a card of the gallery to its run drawn;
7. seconds of a first visit over a slow connection until the recorded run is drawn.

Each figure is a median, with the smallest and the largest in brackets.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import playwright.sync_api as playwright
import torch

import ersd
from tests.page.browser import FLAGS, chromium, served
from tests.page.driver import data, follow, generate, setup, wait_for, wait_for_step
from visual.payload.gallery import CARDS

PROMPT = "Once upon a time there was a little girl named"
TOKENS = 200
REPEATS = 5
MOTION_SECONDS = 15
SLOW_CONNECTION = {"latency": 100, "downloadThroughput": 1_250_000, "uploadThroughput": 1_250_000}
"""Milliseconds, and bytes per second."""
SPEEDS = ("Reading pace", "As it comes")
"""How a live run is watched, the page's default first."""


def first_step(page) -> float:
    """Seconds from the click on Generate to the first step of the new run, measured in the browser."""
    setup(page, max_new_tokens=40, draft_tokens=16)
    milliseconds = page.evaluate(
        """() => new Promise((resolve) => {
          const player = document.querySelector("#player"), text = document.querySelector("#player-text");
          let fresh = false;
          new MutationObserver(() => (fresh = true)).observe(text, { childList: true });
          const start = performance.now();
          const look = () => fresh && player.dataset.step >= 1 && text.querySelector(".ersd-token.here")
            ? resolve(performance.now() - start) : requestAnimationFrame(look);
          document.querySelector("#generate").click();
          look();
        })"""
    )
    wait_for(page, "done")
    return milliseconds / 1000


def engine_alone(pair: ersd.ModelPair, seed: int) -> float:
    """Seconds of the same run in this process, without a page."""
    start = time.perf_counter()
    ersd.run(pair, PROMPT, ersd.Settings(max_new_tokens=TOKENS, seed=seed))
    return time.perf_counter() - start


def watched(page, seed: int, speed: str) -> float:
    """Seconds from the click to the end of the run on the page."""
    usual = ersd.Settings(max_new_tokens=TOKENS, seed=seed)
    fields = ("draft_tokens", "temperature", "top_k", "top_p", "max_new_tokens", "seed")
    setup(page, prompt=PROMPT, **{name: getattr(usual, name) for name in fields})
    follow(page, speed)
    milliseconds = page.evaluate(
        """() => new Promise((resolve) => {
          const player = document.querySelector("#player"), start = performance.now();
          let isRequested = false; // until then the player is that of the run before
          document.querySelector("#generate").click();
          new MutationObserver((_, observer) => {
            isRequested ||= player.dataset.state === "running";
            if (!isRequested || player.dataset.state !== "done") return;
            observer.disconnect();
            resolve(performance.now() - start);
          }).observe(player, { attributes: true });
        })"""
    )
    wait_for(page, "done")
    return milliseconds / 1000


def stepping(page, devtools) -> tuple[float, float]:
    """Through a finished run with the key held down: steps per second, and milliseconds of the main thread per step."""
    last = to_first_step(page)
    before = main_thread(devtools)
    rate = page.evaluate(
        """(last) => new Promise((resolve) => {
          const player = document.querySelector("#player"), start = performance.now();
          const press = () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
          let drawn = 0;
          new MutationObserver((_, observer) => {
            drawn += 1;
            if (drawn < last - 1) return press();
            observer.disconnect();
            resolve((1000 * drawn) / (performance.now() - start));
          }).observe(player, { attributes: true, attributeFilter: ["data-step"] });
          press();
        })""",
        last,
    )
    return rate, (main_thread(devtools) - before) / (last - 1)


def to_first_step(page) -> int:
    """Goes to the first step; the number of steps."""
    page.evaluate("document.querySelector('[data-go=first]').click()")
    wait_for_step(page, 1)
    return int(data(page, "steps"))


def main_thread(devtools) -> float:
    """Milliseconds of processor time that the page's main thread has taken."""
    metrics = {metric["name"]: metric["value"] for metric in devtools.send("Performance.getMetrics")["metrics"]}
    return 1000 * metrics["TaskDuration"]


def in_motion(page) -> tuple[float, float, list[float]]:
    """A run played from its first step: frames per second, the share later than 1/30 s, and tasks above 50 ms, the longest first."""
    to_first_step(page)
    return page.evaluate(
        """(seconds) => new Promise((resolve) => {
          const long = [], times = [], play = document.querySelector("#player [data-go=play]");
          const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration)));
          observer.observe({ entryTypes: ["longtask"] });
          play.click();
          const frame = (now) => {
            times.push(now);
            if (now - times[0] < 1000 * seconds) return requestAnimationFrame(frame);
            observer.disconnect();
            play.click();
            const gaps = times.slice(1).map((time, index) => time - times[index]);
            const late = gaps.filter((gap) => gap > 34).length / gaps.length;
            resolve([gaps.length / seconds, late, long.sort((one, other) => other - one)]);
          };
          requestAnimationFrame(frame);
        })""",
        MOTION_SECONDS,
    )


def opening(page, name: str) -> float:
    """Seconds from the click on a button of the gallery to its run drawn. The run was fetched before, as the pointer came near."""
    page.click("#tab-gallery")
    with page.expect_response(f"**/gallery/{name}"):
        page.hover(f"#gallery-{name}")
    return page.evaluate(
        """(name) => new Promise((resolve) => {
          const player = document.querySelector("#player"), start = performance.now();
          let fresh = false;
          new MutationObserver(() => (fresh = true)).observe(document.querySelector("#player-text"), { childList: true });
          new MutationObserver((_, observer) => {
            if (!fresh) return;
            observer.disconnect();
            requestAnimationFrame(() => resolve((performance.now() - start) / 1000));
          }).observe(player, { attributes: true, attributeFilter: ["data-step"] });
          document.querySelector(`#gallery-${name}`).click();
        })""",
        name,
    )


def first_visit(browser, address: str) -> float:
    """Seconds until the recorded run is drawn, with an empty cache and a SLOW_CONNECTION."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", {"offline": False, **SLOW_CONNECTION})
    start = time.perf_counter()
    page.goto(address)
    page.wait_for_selector("#player[data-step]:not([data-step='0'])")
    seconds = time.perf_counter() - start
    page.close()
    return seconds


def spread(values: Iterable[float], decimals: int = 2) -> str:
    """Median, smallest and largest."""
    ordered = sorted(values)
    middle, least, largest = (f"{value:.{decimals}f}" for value in (statistics.median(ordered), ordered[0], ordered[-1]))
    return f"{middle} ({least} to {largest})"


def main() -> None:
    """Print the figures, and how busy the machine was."""
    print(f"{os.cpu_count()} cores, {os.getloadavg()[0]:.1f} processes running before the start")
    torch.set_num_threads(1)
    pair = ersd.load_pair()
    engine_alone(pair, 0)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "log") as (address, seconds), playwright.sync_playwright() as run:
        print(f"1. page served after {seconds:.1f} s", flush=True)
        browser = run.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(address)
        page.wait_for_selector("#player[data-state]")
        devtools = page.context.new_cdp_session(page)
        devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        generate(page, prompt=PROMPT, max_new_tokens=8)  # the models are loaded now
        print(f"2. first step drawn after {spread(first_step(page) for _ in range(REPEATS))} s", flush=True)
        rounds = [(engine_alone(pair, seed), *(watched(page, seed, speed) for speed in SPEEDS)) for seed in range(REPEATS)]
        alone, *ways = zip(*rounds, strict=True)
        print(f"3. {TOKENS} tokens: engine alone {spread(alone)} s")
        for speed, times in zip(SPEEDS, ways, strict=True):
            print(f"   watched {speed}: {spread(times)} s", flush=True)
        for tokens in (64, 16):
            generate(page, prompt=PROMPT, max_new_tokens=TOKENS, draft_tokens=tokens)
            rates, costs = zip(*(stepping(page, devtools) for _ in range(REPEATS)), strict=True)
            print(f"4. {tokens} drafted: {spread(rates, 1)} steps per second, {spread(costs, 1)} ms of main thread each", flush=True)
            frames, late, long = in_motion(page)
            print(f"5. {tokens} drafted, in motion: {frames:.0f} frames per second, {late:.0%} later than 1/30 s")
            print(f"   {len(long)} tasks above 50 ms in {MOTION_SECONDS} s, the longest {max(long, default=0):.0f} ms", flush=True)
        print(f"6. a run of the gallery drawn after {spread(opening(page, next(iter(card.runs))) for card in CARDS)} s", flush=True)
        print(f"7. first visit at 100 ms and 10 Mbit/s: drawn after {spread(first_visit(browser, address) for _ in range(REPEATS))} s")
        browser.close()


if __name__ == "__main__":
    main()
