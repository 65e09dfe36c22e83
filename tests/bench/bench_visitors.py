"""Many visitors at once, as figures and not as tests: `python -m tests.bench.bench_visitors [--seconds 300] [--visitors 20]`.

`python app.py` is served, and every visitor runs one text after another, each with a seed of its own, over `/generate` or `/run` as
gradio_client does. Every run must give all its steps in order and the text of its own seed (as the engine gives it alone), or a clear
"busy". Memory of the server after the first minute and at the end; then runs in a row, and the largest allowed request again and again.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import torch

import ersd
from ersd.settings import RANGES
from tests.page.browser import served
from visual.page.parameters import NAMES, plain_values

PROMPT = "Once upon a time there was a little girl named"
CHOICES = [("ersd", "tau_star"), ("gsd", "sequence"), ("block", "sequence"), ("gsd_wor", "specinfer"), ("ersd", "dynamic")]
SEEDS = 40
TOKENS = 24


@dataclass
class Tally:
    """What came of all runs."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, outcome: str, seconds: float, fault: str = "") -> None:
        with self.lock:
            self.outcomes[outcome] += 1
            self.seconds.append(seconds)
            if fault:
                self.faults.append(fault)


def settings_of(seed: int, **more) -> ersd.Settings:
    algorithm, topology = CHOICES[seed % len(CHOICES)]
    return ersd.Settings(algorithm, topology, **{"draft_tokens": 6, "max_new_tokens": TOKENS, "seed": seed, **more})


def asked(address: str, endpoint: str, settings: ersd.Settings, prompt: str = PROMPT) -> tuple[str, list]:
    """`complete`, `error` or `busy`, and what was streamed: JSON values, in order."""
    values = {"prompt": prompt, "models": "embedded storyteller", **plain_values(settings)}
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=900)
    try:
        body = json.dumps({"data": [values[name] for name in NAMES]})
        connection.request("POST", f"/gradio_api/call/{endpoint}", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        said = json.loads(answer.read())
        if answer.status != 200:
            return ("busy" if answer.status == 503 else "error"), [said]
        connection.request("GET", f"/gradio_api/call/{endpoint}/{said['event_id']}")
        events = connection.getresponse().read().decode().strip().split("\n\n")
    finally:
        connection.close()
    parts = [event.split("\n", 1) for event in events]
    data = [json.loads(rest.removeprefix("data: ")) for _, rest in parts]
    last = parts[-1][0].removeprefix("event: ")
    return ("busy" if last == "error" and "busy" in str(data[-1]) else last), data


def fault_in(endpoint: str, data: list, text: str, steps: int) -> str:
    """What is wrong with a run that came to its end; empty if nothing is."""
    if endpoint == "run":
        trace = ersd.Trace.from_json(data[-1][0])
        return "" if trace.text == text and len(trace.steps) == steps else f"another text: {trace.text!r}"
    messages = [json.loads(one[0]) for one in data if one]
    begins = [message for message in messages if message["type"] == "begin"]
    indices = [message["index"] for message in messages if message["type"] == "step"]
    if len({message["run"] for message in messages if "run" in message}) != 1 or len(begins) != 1:
        return "messages of more than one run"
    if indices != list(range(steps)):
        return f"steps {indices} of {steps}"
    return ""


def visitor(place: int, address: str, until: float, expected: dict[int, tuple[str, int]], tally: Tally) -> None:
    """One who runs text after text until the time is over."""
    chance = random.Random(place)
    while time.monotonic() < until:
        seed = chance.randrange(SEEDS)
        endpoint = chance.choice(["run", "generate"])
        start = time.monotonic()
        try:
            outcome, data = asked(address, endpoint, settings_of(seed))
            fault = fault_in(endpoint, data, *expected[seed]) if outcome == "complete" else str(data[-1]) if outcome == "error" else ""
        except Exception as problem:
            outcome, fault = "error", repr(problem)
        tally.add("wrong" if outcome == "complete" and fault else outcome, time.monotonic() - start, fault)


def megabytes(pid: int) -> float:
    """Resident memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


def pid_of(port: int) -> int:
    """The process that was started with this port."""
    for folder in Path("/proc").iterdir():
        words = (folder / "cmdline").read_bytes().split(b"\0") if folder.name.isdigit() and (folder / "cmdline").exists() else []
        if b"app.py" in words and str(port).encode() in words and b"python" in words[0]:
            return int(folder.name)
    raise RuntimeError(f"no server on {port}")


def crowd(address: str, pid: int, visitors: int, seconds: float, expected: dict[int, tuple[str, int]]) -> None:
    """Many at once."""
    tally, begun = Tally(), time.monotonic()
    all_of_them = [threading.Thread(target=visitor, args=(i, address, begun + seconds, expected, tally)) for i in range(visitors)]
    for one in all_of_them:
        one.start()
    time.sleep(min(60, seconds / 3))
    early = megabytes(pid)
    for one in all_of_them:
        one.join()
    late, longest = megabytes(pid), max(tally.seconds)
    print(f"{visitors} visitors for {seconds:g} s: {sum(tally.outcomes.values())} runs, {dict(tally.outcomes)}, longest {longest:.1f} s")
    print(f"   memory {early:.0f} MB after a third or a minute, {late:.0f} MB at the end: {100 * (late / early - 1):+.1f}% (at most +5%)")
    for fault in tally.faults[:5]:
        print(f"   {fault[:300]}")


def again(address: str, pid: int, count: int, settings: ersd.Settings, prompt: str, what: str) -> None:
    """The same request in a row."""
    outcomes: Counter[str] = Counter()
    memory = []
    for _ in range(count):
        outcomes[asked(address, "generate", settings, prompt)[0]] += 1
        memory.append(megabytes(pid))
    first, last = memory[max(0, count // 10 - 1)], memory[-1]
    print(f"{what}: {dict(outcomes)}, memory {first:.0f} MB after a tenth, {last:.0f} MB at the end ({100 * (last / first - 1):+.1f}%)")


def main() -> None:
    """Serve, come, and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--runs", type=int, default=500, help="runs in a row")
    parser.add_argument("--largest", type=int, default=10, help="times the largest allowed request")
    args = parser.parse_args()
    torch.set_num_threads(1)
    pair = ersd.load_pair(device="cpu", dtype="float32")
    traces = {seed: ersd.run(pair, PROMPT, settings_of(seed)) for seed in range(SEEDS)}
    expected = {seed: (trace.text, len(trace.steps)) for seed, trace in traces.items()}
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "log") as (address, _):
        pid = pid_of(int(urlsplit(address).port or 0))
        asked(address, "run", settings_of(0))  # the models are loaded now
        crowd(address, pid, args.visitors, args.seconds, expected)
        again(address, pid, args.runs, settings_of(1), PROMPT, f"{args.runs} runs in a row")
        most = ersd.Settings("ersd", "tau_star", draft_tokens=256, max_new_tokens=int(RANGES["max_new_tokens"].high), temperature=1.5)
        again(address, pid, args.largest, most, "Once", f"the largest request {args.largest} times")


if __name__ == "__main__":
    main()
