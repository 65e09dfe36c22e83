"""The page's speed, as figures and not as tests: `python -m tests.bench.bench_page`.

1. seconds until `python app.py` serves the page; 2. seconds from the click to the first step drawn; 3. time from the click to the end of a
run on the page against what the engine takes for the same text in this process, without a page, in turns, both ways to watch a run: from
its first message on, which is what watching it costs, and from the click on, which has the way there in it; and what telling it takes where
nobody watches, so no browser is on these cores; 4. steps of a 64-vertex run
received and drawable; 5. steps drawn per second with the key held down, for 64 and for 16 drafted tokens, straight after the run and when
the page has had a few seconds to draw ahead, and what a step costs the browser's main thread in processor time, which depends less on what
else the machine does; 6. frames per second while a run is told in motion, the share of frames that came late, and the longest tasks; 7.
seconds from the click on a card of the gallery to its run on the screen; 8. seconds of a first visit over a slow connection until a run is
drawn.

Medians, with the least and the largest behind them.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import playwright.sync_api as playwright
import torch

import ersd
from ersd.trace.beside import BESIDE
from tests.page.browser import FLAGS, chromium, served
from tests.page.driver import data, follow, generate, setup, vertices, wait_for, wait_for_step
from visual.payload.gallery import CARDS
from visual.payload.messages import RunMessages
from visual.server import endpoints

PROMPT = "Once upon a time there was a little girl named"
TOKENS = 200
REPEATS = 5
DRAW_AHEAD_MS = 6000
AFAR = {"latency": 100, "downloadThroughput": 1_250_000, "uploadThroughput": 1_250_000}
"""A connection: milliseconds, and bytes per second."""
WAYS = ("at my speed", "as fast as it comes")
"""How a run that comes in is watched, the page's default first."""


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


def told_alone(pair: ersd.ModelPair, seed: int) -> float:
    """Seconds that the same takes with all messages made that a page would get, and nobody who reads them."""
    settings = ersd.Settings(max_new_tokens=TOKENS, seed=seed)
    start = time.perf_counter()
    narrator = RunMessages(PROMPT, settings, "", pair.costs, pair.fed(PROMPT, settings.chat))
    for _ in endpoints._tell(narrator, ersd.generate(pair, PROMPT, settings, teller=narrator), pair):
        pass
    return time.perf_counter() - start


class Watched(NamedTuple):
    """A run with the page watching."""

    seconds: float
    """from the click to the end of the run on the page"""
    begun: float
    """of them until its first message is there: the click on its way, and its turn in the queue"""
    rate: float
    """steps drawn per second meanwhile"""
    steps: int

    def more_per_step(self, alone: float) -> float:
        """Milliseconds that a step takes more than alone, once the run has begun."""
        return 1000 * (self.seconds - self.begun - alone) / self.steps


def watched(page, seed: int, how: str) -> Watched:
    """Presses Generate and watches; `how`: of WAYS."""
    usual = ersd.Settings(max_new_tokens=TOKENS, seed=seed)
    fields = ("draft_tokens", "temperature", "top_k", "top_p", "max_new_tokens", "seed")
    setup(page, prompt=PROMPT, **{name: getattr(usual, name) for name in fields})
    follow(page, how)
    drawn_ms, begun_ms, drawn = page.evaluate(
        """() => new Promise((resolve) => {
          const player = document.querySelector("#player");
          let drawn = 0, begun = 0;
          const start = performance.now(), passed = () => performance.now() - start;
          // the steps of the run before are gone as soon as this one begins
          const text = new MutationObserver(() => { begun ||= passed(); });
          text.observe(player.querySelector(".ersd-text"), { childList: true });
          const observer = new MutationObserver((changes) => {
            drawn += changes.some((change) => change.attributeName === "data-step");
            if (player.dataset.state === "done") {
              observer.disconnect();
              text.disconnect();
              resolve([passed(), begun, drawn]);
            }
          });
          document.querySelector("#generate").click();
          observer.observe(player, { attributes: true });
        })"""
    )
    wait_for(page, "done")
    return Watched(drawn_ms / 1000, begun_ms / 1000, 1000 * drawn / drawn_ms, int(data(page, "steps")))


def playing(page, devtools) -> tuple[float, float]:
    """Stepping through a finished run with the key held down: steps per second, and milliseconds of the main thread per step."""
    last = int(data(page, "steps"))
    page.evaluate("document.querySelector('[data-go=first]').click()")
    wait_for_step(page, 1)
    before = _main_thread(devtools)
    rate = page.evaluate(
        """(last) => new Promise((resolve) => {
          const player = document.querySelector("#player"), start = performance.now();
          let drawn = 0;
          new MutationObserver((_, observer) => {
            drawn += 1;
            if (drawn === last - 1) { observer.disconnect(); resolve((1000 * drawn) / (performance.now() - start)); }
            else document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
          }).observe(player, { attributes: true, attributeFilter: ["data-step"] });
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        })""",
        last,
    )
    return rate, (_main_thread(devtools) - before) / (last - 1)


def _main_thread(devtools) -> float:
    """Milliseconds of processor time that the page's main thread has taken so far."""
    metrics = {metric["name"]: metric["value"] for metric in devtools.send("Performance.getMetrics")["metrics"]}
    return 1000 * metrics["TaskDuration"]


def told(page, seconds: float) -> tuple[float, float, list[float]]:
    """A run told at speed 1 from its first step: frames per second, the share of them later than 1/30 s, and tasks above 50 ms."""
    page.evaluate("document.querySelector('[data-go=first]').click()")
    wait_for_step(page, 1)
    return page.evaluate(
        """(seconds) => new Promise((resolve) => {
          const long = [], times = [];
          const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration)));
          observer.observe({ entryTypes: ["longtask"] });
          document.querySelector("#player [data-go=play]").click();
          const frame = (now) => {
            times.push(now);
            if (now - times[0] < 1000 * seconds) return requestAnimationFrame(frame);
            observer.disconnect();
            document.querySelector("#player [data-go=play]").click();
            const gaps = times.slice(1).map((time, place) => time - times[place]);
            const late = gaps.filter((gap) => gap > 34).length / gaps.length;
            resolve([gaps.length / seconds, late, long.sort((one, other) => other - one)]);
          };
          requestAnimationFrame(frame);
        })""",
        seconds,
    )


def opening(page, name: str) -> float:
    """Seconds from the click on a button of the gallery to the run drawn. Its message is fetched when the pointer comes, so not in them."""
    page.click("#tab-gallery")
    with page.expect_response(f"**/gallery/{name}"):
        page.hover(f"#gallery-{name}")
    return page.evaluate(
        """(name) => new Promise((resolve) => {
          const player = document.querySelector("#player");
          let start, fresh = false;
          new MutationObserver(() => (fresh = true)).observe(document.querySelector("#player-text"), { childList: true });
          new MutationObserver((_, observer) => {
            if (!fresh) return;
            observer.disconnect();
            requestAnimationFrame(() => resolve((performance.now() - start) / 1000));
          }).observe(player, { attributes: true, attributeFilter: ["data-step"] });
          start = performance.now();
          document.querySelector(`#gallery-${name}`).click();
        })""",
        name,
    )


def first_visit(browser, address: str) -> float:
    """Seconds until the recorded run is drawn, of someone who was never here and is AFAR."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", {"offline": False, **AFAR})
    start = time.perf_counter()
    page.goto(address)
    page.wait_for_selector("#player[data-step]:not([data-step='0'])")
    seconds = time.perf_counter() - start
    page.close()
    return seconds


def spread(values: Iterable[float], decimals: int = 1) -> str:
    """Their median, with the least and the largest."""
    ordered = sorted(values)
    middle, least, largest = (f"{value:.{decimals}f}" for value in (statistics.median(ordered), ordered[0], ordered[-1]))
    return f"{middle} ({least} to {largest})"


def main() -> None:
    """Print the eight figures, and how busy the machine was."""
    print(f"{os.cpu_count()} cores, {os.getloadavg()[0]:.1f} processes running before the start")
    torch.set_num_threads(1)
    pair = ersd.load_pair()
    BESIDE.start(RunMessages.__module__)  # as the page does
    BESIDE.wait()
    alone(pair, 0)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "log") as (address, seconds):
        print(f"1. page served after {seconds:.1f} s (at most 8)")
        with playwright.sync_playwright() as run:
            browser = run.chromium.launch(executable_path=chromium(), args=FLAGS)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(address)
            page.wait_for_selector("#player[data-state]")
            devtools = page.context.new_cdp_session(page)
            devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
            generate(page, prompt=PROMPT, max_new_tokens=8)  # the model is loaded now
            print(f"2. first step drawn after {spread((first_step(page) for _ in range(REPEATS)), 2)} s (at most 0.7)")
            rounds = []
            for seed in range(REPEATS):
                page.wait_for_timeout(DRAW_AHEAD_MS)  # or it would draw beside the engine that is alone
                rounds.append((alone(pair, seed), {how: watched(page, seed, how) for how in WAYS}))
            print(f"3. {TOKENS} tokens take {spread((without for without, _ in rounds), 2)} s alone")
            page.wait_for_timeout(DRAW_AHEAD_MS)
            unseen = spread((told_alone(pair, seed) / alone(pair, seed) for seed in range(2 * REPEATS)), 2)
            print(f"   told, and nobody watches: {unseen} times as long")
            for how in WAYS:
                slower = spread(((seen[how].seconds - seen[how].begun) / without for without, seen in rounds), 2)
                whole = spread((seen[how].seconds / without for without, seen in rounds), 2)
                print(f"   watched {how}: {slower} times as long (at most 1.10); from the click on {whole} times")
                begun = spread((1000 * seen[how].begun for _, seen in rounds), 0)
                more = spread((seen[how].more_per_step(without) for without, seen in rounds), 2)
                print(f"   {begun} ms until it begins, then {more} ms more per step")
                seconds, rate = spread((seen[how].seconds for _, seen in rounds), 2), spread((seen[how].rate for _, seen in rounds), 2)
                print(f"   {seconds} s, {rate} steps drawn per second meanwhile")
            generate(page, prompt=PROMPT, max_new_tokens=TOKENS, draft_tokens=64)
            steps = int(data(page, "steps"))
            status = page.inner_text("#player-status")
            drawable = 0
            for step in range(steps, 0, -1):
                wait_for_step(page, step)
                drawable += bool(vertices(page))
                page.keyboard.press("ArrowLeft")
            print(f"4. 64 vertices: {steps} steps received, {drawable} drawable; {status}")
            for tokens, least in ((64, 10), (16, 25)):
                generate(page, prompt=PROMPT, max_new_tokens=TOKENS, draft_tokens=tokens)
                rate, cost = playing(page, devtools)
                print(f"5. {tokens} vertices: {rate:.1f} steps drawn per second straight after the run, {cost:.1f} ms of main thread each")
                page.wait_for_timeout(DRAW_AHEAD_MS)
                plays = [playing(page, devtools) for _ in range(REPEATS)]
                print(f"   {spread(rate for rate, _ in plays)} steps per second that were drawn ahead (at least {least})")
                print(f"   {spread(cost for _, cost in plays)} ms of main thread each")
                frames, late, long = told(page, 15)
                print(f"6. {tokens} vertices in motion: {frames:.0f} frames per second (at least 30), {late:.0%} later than 1/30 s")
                print(f"   {len(long)} tasks above 50 ms in 15 s, the longest {max(long, default=0):.0f} ms")
            opened = [opening(page, next(iter(card.runs))) for card in CARDS]
            print(f"7. a run of the gallery on the screen after {spread(opened, 2)} s (at most 0.3)")
            visits = spread((first_visit(browser, address) for _ in range(REPEATS)), 2)
            print(f"8. the recorded run of a first visit at 100 ms and 10 Mbit/s is drawn after {visits} s")
            browser.close()


if __name__ == "__main__":
    main()
