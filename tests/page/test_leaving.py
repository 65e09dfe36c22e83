"""Whoever leaves a run frees its place within the step that is being made: by Stop, by closing the tab, by a connection that breaks."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from urllib.parse import urlsplit

import pytest

import ersd
from ersd.ahead import SLOW
from tests.bench.visit import button_of, posted
from visual.server import endpoints
from visual.server.pairs import Pairs
from visual.server.parameters import NAMES, plain_values
from visual.ui.page import build

from .browser import launched

FREE = 3
"""Steps that a run makes by itself; every further one must be let through."""
PATIENCE = 8
"""Seconds in which a server notices who has gone; where the break itself is not heard, Gradio looks every ten."""


class OneByOne:
    """Lets steps of a run through."""

    def __init__(self) -> None:
        self.gate, self.asked = threading.Semaphore(FREE), 0

    def __call__(self, steps: Iterator[ersd.Step]) -> Iterator[ersd.Step]:
        with closing(steps):
            for step in steps:
                self.asked += 1
                assert self.gate.acquire(timeout=60)
                yield step


@pytest.fixture
def steps(monkeypatch) -> OneByOne:
    let_through, generate = OneByOne(), ersd.generate
    monkeypatch.setattr(endpoints, "BEAT", 0.0)  # each is sent at once, as those that take their time are
    monkeypatch.setattr(ersd, "generate", lambda *values, **named: let_through(generate(*values, **named)))
    return let_through


@pytest.fixture(scope="module")
def blocks(pair):
    return build(Pairs({"pair": lambda: pair}))


@pytest.fixture(scope="module")
def address(blocks):
    with launched(blocks) as address:
        yield address


def until(is_so: Callable[[], bool], seconds: float = 30) -> None:
    """Waits for it."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def values() -> list:
    named = {"prompt": "Once", "models": "pair", **plain_values(ersd.Settings(draft_tokens=2, max_new_tokens=240, seed=1))}
    return [named[name] for name in NAMES]


def watch(address: str, path: str) -> http.client.HTTPConnection:
    """Reads the beginning of a stream."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    connection.request("GET", f"/gradio_api/{path}")
    assert connection.getresponse().readline()
    return connection


@pytest.mark.parametrize("way", ["Stop", "the tab is closed", "the connection of a client breaks"])
def test_whoever_goes_frees_the_place_within_one_step(blocks, address, steps, capsys, way):
    if way.startswith("the connection"):
        connection = watch(address, f"call/generate/{posted(address, 'call/generate', {'data': values()})[1]['event_id']}")
    else:
        asked = {"data": values(), "fn_index": button_of(address), "session_hash": way.replace(" ", "")}
        event = posted(address, "queue/join", asked)[1]["event_id"]
        connection = watch(address, f"queue/data?session_hash={asked['session_hash']}")
    until(lambda: steps.asked == FREE + 1)
    if way == "Stop":
        stop = {"session_hash": asked["session_hash"], "fn_index": asked["fn_index"], "event_id": event}
        threading.Thread(target=posted, args=(address, "cancel", stop), daemon=True).start()  # answered when the step has been made
    else:
        connection.close()
    until(lambda: not any(event.alive for job in blocks._queue.active_jobs for event in job or []), PATIENCE)
    assert len(endpoints.TURNS) == 1
    time.sleep(SLOW)  # of one that takes less time, the next may have been begun too
    steps.gate.release()  # the step that was being made
    until(lambda: not len(endpoints.TURNS))
    assert steps.asked == FREE + 1, "no other was begun"
    (line,) = [json.loads(line) for line in capsys.readouterr().out.split("\n") if '"outcome"' in line]
    assert (line["outcome"], line["request"]) == ("stopped", "generate" if way.startswith("the connection") else "page")
