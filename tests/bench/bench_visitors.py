"""Many visitors, as figures and not as tests: `python -m tests.bench.bench_visitors`.

Five loads on `python app.py`, one after another; 0 leaves one out.

    --visitors 20 --seconds 300   visitors at the same time, each making one run after another over `/run`, `/generate`, or as the page. One
                                  run in eight is left on the way. Every other run must have all its steps in order and the text of its
                                  seed, or be refused as "busy"; in the end the queue must be empty.
    --rush 60                     visitors in the same moment with one run each, more than run or wait. Each must get its whole run or
                                  "busy"; as many as the queue holds must get it.
    --runs 500                    runs in a row
    --largest 10                  the largest allowed request, in a row
    --health 3                    every kind of request, so often, and meanwhile the longest answer of `/health`; the goal is 100 ms

The server's memory is printed before, early (after a minute, or a tenth of the runs) and at the end of a load, and must not grow by more
than 5% between the last two. The exit code is 1 if any of this fails.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

import torch
from transformers.utils import logging

import ersd
from ersd.settings import MAX_CHARACTERS, RANGES
from tests.bench.visit import PAIR, Outcome, answered, button_of, called, connected, health, joined, pid_of, watched
from tests.page.browser import served
from visual import assets
from visual.server.queue import RUNNING_LIMIT, WAITING_LIMIT

PROMPT = "Once upon a time there was a little girl named"
CHOICES = [("ersd", "tau_star"), ("gsd", "sequence"), ("block", "sequence"), ("gsd_wor", "specinfer"), ("ersd", "dynamic")]
SEEDS = 40
TOKENS = 24
MAX_GROWTH = 0.05
LEAVES = 8
"""One in this many runs is left by its visitor."""
ENTRANCES = ("run", "generate", "page")
HEALTH_SECONDS = 0.1
"""The goal for `/health` beside anything else."""
LARGE_TRACE = 9_000_000
"""About the bytes of a trace that is opened."""


@dataclass
class Tally:
    """The outcomes of all runs."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, entrance: str, outcome: str, seconds: float, fault: str = "") -> None:
        with self.lock:
            self.outcomes[f"{entrance} {outcome}"] += 1
            self.seconds.append(seconds)
            if fault:
                self.faults.append(f"{entrance}: {fault}")


def settings_of(seed: int) -> ersd.Settings:
    algorithm, topology = CHOICES[seed % len(CHOICES)]
    return ersd.Settings(algorithm, topology, draft_tokens=6, max_new_tokens=TOKENS, seed=seed)


def fault_in(entrance: str, received: list, expected: ersd.Trace, was_left: bool = False) -> str:
    """What is wrong with the messages of a run, up to its end or to where it was left; empty if nothing is."""
    if entrance == "run":
        trace = ersd.Trace.from_json(json.dumps(received[-1]))
        return "" if texts_of(trace.steps) == texts_of(expected.steps) else f"another text: {trace.text!r}"
    messages = [message for message in received if message["type"] != "status"]
    if was_left and not messages:  # while it waited
        return ""
    kinds = [message["type"] for message in messages]
    if len({message["run"] for message in messages}) != 1 or messages[0].get("settings", {}).get("seed") != expected.settings.seed:
        return f"messages of more than one run, or of another: {kinds}"
    steps = [message for message in messages if message["type"] == "step"]
    wanted = expected.steps[: len(steps)] if was_left else expected.steps
    if kinds != ["begin", *["step"] * len(wanted), *([] if was_left and kinds[-1] != "end" else ["end"])]:
        return f"{kinds}, and not {len(wanted)} steps"
    if [message["index"] for message in steps] != list(range(len(wanted))):
        return f"steps {[message['index'] for message in steps]}"
    texts = [[one["text"] for one in message["text"]] for message in steps]
    return "" if texts == texts_of(wanted) else f"another text: {texts}"


def texts_of(steps: list[ersd.Step]) -> list[list[str]]:
    """The tokens of every step."""
    return [[one.text for one in step.emitted] for step in steps]


@dataclass
class Server:
    """The server under load."""

    address: str
    pid: int
    button: int
    expected: dict[int, ersd.Trace]

    def megabytes(self) -> float:
        """Resident memory of its process."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii", errors="replace")
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def run(self, entrance: str, seed: int, leave_after: int) -> Outcome:
        """A visitor's run, left after this many messages or steps; 0: never."""
        if entrance == "page":
            return watched(self.address, self.button, PROMPT, settings_of(seed), leave_after)
        return called(self.address, entrance, PROMPT, settings_of(seed), leave_after)


def one_run(server: Server, entrance: str, seed: int, leave_after: int, tally: Tally) -> None:
    """A visitor's run, to its end or to where it is left, added to the tally."""
    start = time.monotonic()
    try:
        outcome, received = server.run(entrance, seed, leave_after)
        is_over = outcome in ("complete", "left")
        fault = fault_in(entrance, received, server.expected[seed], outcome == "left") if is_over else ""
        fault = str(received[-1]) if outcome == "error" else fault
    except Exception as problem:
        outcome, fault = "error", repr(problem)
    tally.add(entrance, "wrong" if fault and outcome != "error" else outcome, time.monotonic() - start, fault)


def visitor(index: int, server: Server, until: float, tally: Tally) -> None:
    """Make one run after another until the time is over."""
    chance = random.Random(index)
    while time.monotonic() < until:
        seed, entrance = chance.randrange(SEEDS), chance.choice(ENTRANCES)
        leave_after = 0 if entrance == "run" or chance.randrange(LEAVES) else chance.randrange(1, 6)
        one_run(server, entrance, seed, leave_after, tally)


def crowd(server: Server, visitors: int, seconds: float) -> bool:
    """Many visitors at the same time; True if nothing failed."""
    tally, first, begun = Tally(), server.megabytes(), time.monotonic()
    threads = [threading.Thread(target=visitor, args=(index, server, begun + seconds, tally)) for index in range(visitors)]
    for thread in threads:
        thread.start()
    time.sleep(min(60, seconds / 3))
    early = server.megabytes()
    for thread in threads:
        thread.join()
    late = server.megabytes()
    while (left := health(server.address))["running"] and time.monotonic() < begun + seconds + 60:
        time.sleep(0.1)
    print(f"{visitors} visitors for {seconds:g} s: {sum(tally.outcomes.values())} runs, {dict(sorted(tally.outcomes.items()))}")
    print(f"   longest {max(tally.seconds):.1f} s; {len(tally.faults)} faults; afterwards {left['running']} run and {left['waiting']} wait")
    for fault in tally.faults[:5]:
        print(f"   {fault[:300]}")
    stays = keeps_its_size(first, early, late, "a minute" if seconds >= 180 else "a third")
    return stays and not tally.faults and not left["running"]


def rush(server: Server, visitors: int) -> bool:
    """More visitors in the same moment than the queue holds; True if each got its run or "busy"."""
    tally = Tally()
    threads = [
        threading.Thread(target=one_run, args=(server, ENTRANCES[index % len(ENTRANCES)], index % SEEDS, 0, tally))
        for index in range(visitors)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    room = RUNNING_LIMIT + WAITING_LIMIT
    got = {outcome: sum(count for name, count in tally.outcomes.items() if name.endswith(outcome)) for outcome in ("complete", "busy")}
    print(f"{visitors} visitors in the same moment, room for {room}: {dict(sorted(tally.outcomes.items()))}, {len(tally.faults)} faults")
    for fault in tally.faults[:5]:
        print(f"   {fault[:300]}")
    return sum(got.values()) == visitors and got["complete"] >= min(visitors, room) and (got["busy"] > 0) == (visitors > room)


def keeps_its_size(first: float, early: float, late: float, when: str) -> bool:
    """Print the memory; True if it stayed."""
    growth = late / early - 1
    print(f"   memory {first:.0f} MB before, {early:.0f} MB after {when}, {late:.0f} MB at the end: {100 * growth:+.1f}%", flush=True)
    return growth <= MAX_GROWTH


def again(server: Server, count: int, settings: ersd.Settings, what: str) -> bool:
    """The same request in a row; True if every run was complete."""
    outcomes: Counter[str] = Counter()
    memory = [server.megabytes()]
    start = time.monotonic()
    for _ in range(count):
        outcomes[called(server.address, "generate", PROMPT, settings)[0]] += 1
        memory.append(server.megabytes())
    print(f"{what}: {dict(outcomes)}, {(time.monotonic() - start) / count:.2f} s each")
    stays = keeps_its_size(memory[0], memory[max(1, count // 10)], memory[-1], "a tenth")
    return stays and set(outcomes) == {"complete"}


def requests(server: Server) -> dict[str, Callable[[], object]]:
    """A request of every kind, by its name."""
    trace = server.expected[0]
    steps = [replace(step, index=index) for index, step in enumerate(trace.steps * (LARGE_TRACE // len(trace.to_json())))]
    repeated = replace(trace, steps=steps, token_ids=trace.token_ids * (len(steps) // len(trace.steps)))
    text = "".join(one.text for step in steps for one in step.emitted)
    large = replace(repeated, text=text, settings=replace(trace.settings, max_new_tokens=int(RANGES["max_new_tokens"].high)))
    small_body, large_body = trace.to_json().encode(), large.to_json().encode()  # now: that too would keep the watching thread waiting
    lab = {
        "rule": "ersd",
        "p": [0.5, 0.3, 0.2],
        "q": [0.2, 0.3, 0.5],
        "names": ["a", "b", "c"],
        "k": 2,
        "trials": 10_000,
        "seed": 1,
        "trial": 0,
    }
    curves = [PAIR, 1.0, None, "2", 1, 2, 0, PROMPT, "model"]
    return {
        "nothing": lambda: time.sleep(2),
        "the page": lambda: fetched(server.address, "/"),
        "first look": lambda: fetched(server.address, "/gallery/first-look"),
        "gallery": lambda: fetched(server.address, "/gallery/ersd"),
        "recorded comparison": lambda: fetched(server.address, "/comparison"),
        "lessons": lambda: fetched(server.address, "/lessons/en"),
        "Plotly": lambda: fetched(server.address, f"/{assets.address(assets.PLOTLY)}"),
        "lab, 10,000 trials": lambda: fetched(server.address, "/lab", json.dumps(lab).encode()),
        "a trace": lambda: fetched(server.address, "/replay", small_body),
        f"a trace of {LARGE_TRACE / 1e6:g} MB": lambda: fetched(server.address, "/replay", large_body),
        "the longest prompt": lambda: called(server.address, "run", "x" * MAX_CHARACTERS, settings_of(0)),
        "/run": lambda: called(server.address, "run", PROMPT, settings_of(0)),
        "/generate": lambda: called(server.address, "generate", PROMPT, settings_of(0)),
        "/compare": lambda: answered(server.address, "compare", {"prompt": PROMPT, "max_new_tokens": TOKENS}),
        "curves": lambda: joined(server.address, button_of(server.address, "curved"), curves),
    }


def fetched(address: str, path: str, body: bytes | None = None) -> bytes:
    """The answer of a route, compressed as for a browser."""
    with connected(address) as connection:
        connection.request("GET" if body is None else "POST", path, body, {"Accept-Encoding": "gzip"})
        return connection.getresponse().read()


def longest_health(server: Server, times: int) -> bool:
    """Print the longest `/health` beside each kind of request; True if none took longer than the goal."""
    slowest = 0.0
    for name, request in requests(server).items():
        is_over, longest = threading.Event(), [0.0]

        def watch(is_over: threading.Event = is_over, longest: list[float] = longest) -> None:
            while not is_over.is_set():
                start = time.monotonic()
                health(server.address)
                longest[0] = max(longest[0], time.monotonic() - start)
                time.sleep(0.01)

        watcher, start = threading.Thread(target=watch), time.monotonic()
        watcher.start()
        for _ in range(times):
            request()
        seconds = (time.monotonic() - start) / times
        is_over.set()
        watcher.join()
        slowest = max(slowest, longest[0])
        print(f"beside {name}: {1000 * longest[0]:.0f} ms for /health, {seconds:.2f} s for the request", flush=True)
    return slowest <= HEALTH_SECONDS


def main() -> None:
    """Serve the page and print what the loads did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--rush", type=int, default=60)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--largest", type=int, default=10)
    parser.add_argument("--health", type=int, default=3)
    args = parser.parse_args()
    torch.set_num_threads(1)
    logging.disable_progress_bar()
    pair = ersd.load_pair(device="cpu", dtype="float32")
    expected = {seed: ersd.run(pair, PROMPT, settings_of(seed)) for seed in range(SEEDS)}
    largest = ersd.Settings("ersd", "tau_star", draft_tokens=256, max_new_tokens=int(RANGES["max_new_tokens"].high), temperature=1.5)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "log") as (address, _):
        server = Server(address, pid_of(int(urlsplit(address).port or 0)), button_of(address), expected)
        called(address, "run", PROMPT, settings_of(0))  # the models are loaded now
        well = [
            not args.visitors or crowd(server, args.visitors, args.seconds),
            not args.rush or rush(server, args.rush),
            not args.runs or again(server, args.runs, settings_of(1), f"{args.runs} runs in a row"),
            not args.largest or again(server, args.largest, largest, f"the largest request {args.largest} times"),
            not args.health or longest_health(server, args.health),
        ]
    sys.exit(0 if all(well) else 1)


if __name__ == "__main__":
    main()
