"""The queue of runs, without a server."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import gradio as gr
import pytest

import ersd
from visual.payload.messages import Message
from visual.server import queue
from visual.server.endpoints import generate_endpoint
from visual.server.pairs import Pairs
from visual.server.parameters import plain_values
from visual.server.queue import FETCH_SECONDS, REOPEN_SECONDS, RUNS, ClientGone, RunQueue, position
from visual.server.tabs import compare, curves

BEGIN = Message.of("begin")


def one_message(run: str):
    yield BEGIN


def text(message: str) -> str:
    return json.loads(message)["words"]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(queue, "POSITION_SECONDS", 0.05)


def test_first_come_first_served_and_every_waiting_run_reports_its_position():
    runs = RunQueue(1, 2)
    first, second, third = (runs.streaming(one_message)() for _ in range(3))
    assert next(first) == BEGIN
    assert text(next(second)) == position(0) == "Waiting: yours is the next run …"
    assert text(next(third)) == position(1) == "Waiting: 1 run before yours …"
    assert (runs.running, runs.waiting) == (1, 2)
    first.close()
    assert next(second) == BEGIN
    assert text(next(third)) == position(0)
    second.close()
    assert list(third) == [BEGIN]
    assert len(runs) == 0


def test_a_full_queue_is_busy_until_one_leaves(capsys):
    runs = RunQueue(1, 1)
    others = [runs.streaming(one_message)() for _ in range(2)]
    for other in others:
        next(other)
    for refused in (runs.streaming(one_message), runs.whole(lambda: "answer")):
        with pytest.raises(gr.Error, match="The page is busy: 1 runs wait already"):
            list(refused())
    assert text(next(runs.streaming(one_message)())).startswith("The page is busy")
    assert capsys.readouterr().out.count('"outcome": "busy"') == 3
    others[1].close()
    next(runs.streaming(one_message)())


def test_two_runs_go_on_and_twenty_wait_in_the_queue_of_the_page():
    runs = RunQueue(queue.RUNS.running_limit, queue.RUNS.waiting_limit)
    for _ in range(22):
        runs.enter()
    assert (runs.running, runs.waiting) == (2, 20)
    with pytest.raises(gr.Error, match="The page is busy: 20 runs wait already"):
        runs.enter()


def test_an_answer_in_one_piece_waits_too():
    runs, answers = RunQueue(1, 1), []
    running = runs.streaming(one_message)()
    next(running)
    waiting = threading.Thread(target=lambda: answers.append(runs.whole(lambda: "answer")()))
    waiting.start()
    while not runs.waiting:
        time.sleep(0.01)
    assert not answers
    running.close()
    waiting.join(60)
    assert answers == ["answer"]
    assert len(runs) == 0


def test_a_run_that_fails_leaves_the_queue():
    def broken(run: str):
        yield BEGIN
        raise ValueError("broken")

    runs = RunQueue(1, 0)
    with pytest.raises(ValueError, match="broken"):
        list(runs.streaming(broken)())
    assert len(runs) == 0


def broken(*_) -> Iterator:
    raise RuntimeError("broken")
    yield


@pytest.mark.parametrize("name", ["generate", "compare", "curves"])
def test_every_message_of_a_run_has_its_name(monkeypatch, pair, name):
    """Where it waits, where it begins and where it fails: the page ignores what comes late of another run."""
    pairs = Pairs({"pair": lambda: pair})
    monkeypatch.setattr(ersd, "generate", broken)
    monkeypatch.setattr(curves, "measure", broken)
    values: dict[str, Any] = dict.fromkeys(compare.NAMES) | plain_values(ersd.Settings())
    values |= {"prompt": "Once", "models": "pair", "method_1": "ERSD τ*", "method_2": "one by one", "method_3": compare.NO_METHOD}
    plan = {
        "models": "pair",
        "temperature_1": 1.0,
        "temperature_2": None,
        "drafted": "1, 2",
        "texts": 1,
        "calls": 4,
        "seed": 0,
        "prompts": "Once",
        "source": "model",
    }
    run = {
        "generate": lambda: RUNS.streaming(generate_endpoint(pairs))("Once"),
        "compare": lambda: compare.compare_endpoint(pairs)(*[values[one] for one in compare.NAMES]),
        "curves": lambda: curves.curves_endpoint(pairs)(*map(plan.get, curves.NAMES)),
    }[name]()
    tickets = [RUNS.enter() for _ in range(RUNS.running_limit)]
    sent = [next(run)]
    for ticket in tickets:
        RUNS.leave(ticket)
    with suppress(gr.Error):
        sent += run
    parts = [part for update in sent for part in (update if isinstance(update, tuple) else [update]) if isinstance(part, str)]
    found = [json.loads(line) for part in parts for line in part.split("\n")]
    assert {"status", "begin", "error"} <= {one["type"] for one in found}
    assert len({one["run"] for one in found}) == 1


EVENT, SESSION = "event", "session"


@pytest.fixture
def runs(monkeypatch) -> RunQueue:
    """A queue for one run, called by Gradio for an event."""
    monkeypatch.setattr(queue, "current_event", lambda: (EVENT, SESSION))
    return RunQueue(1, 1)


def steps_after(runs: RunQueue, happens) -> int:
    """Steps of a run after something happens in its third step."""
    seen: list[int] = []

    def step() -> None:
        seen.append(len(seen))
        if len(seen) == 3:
            happens()

    def answer() -> None:
        while len(seen) < 1000:
            runs.on_worker(step)

    with pytest.raises(gr.Error, match="Nobody waits"):
        runs.whole(answer)()
    assert len(runs) == 0
    return len(seen) - 3


def test_a_run_ends_at_the_next_step_when_the_stream_that_fetches_it_is_closed(runs):
    def come_and_go() -> None:
        with runs.stream("somebody else's"), runs.stream(EVENT), runs.stream(EVENT):
            pass

    assert steps_after(runs, come_and_go) == 0


def test_a_session_may_open_its_stream_again(runs, monkeypatch):
    """Gradio closes it after an answer, perhaps just when the next run was requested."""
    now = [0.0]
    monkeypatch.setattr(queue.time, "monotonic", lambda: now[0])

    def answer() -> int:
        with runs.stream(SESSION):
            pass
        now[0] += REOPEN_SECONDS - 1
        return runs.on_worker(len, "abc")

    assert runs.whole(answer)() == 3

    def leave() -> None:
        with runs.stream(SESSION):
            pass
        now[0] += REOPEN_SECONDS

    assert steps_after(runs, leave) == 0


def test_a_run_goes_on_while_one_stream_is_open(runs):
    with runs.stream(SESSION):
        with runs.stream(EVENT):
            pass
        assert runs.whole(lambda: runs.on_worker(len, "abc"))() == 3


def test_a_run_that_is_cancelled_ends_at_the_next_step(runs):
    with runs.stream(SESSION):
        assert steps_after(runs, lambda: runs.cancel(EVENT)) == 0


def test_a_run_that_nobody_has_fetched_goes_on_for_a_minute(runs, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(queue.time, "monotonic", lambda: now[0])
    assert steps_after(runs, lambda: now.append(now.pop() + FETCH_SECONDS + 1)) == 0
    now[0] = 0.0

    def answer() -> int:
        now[0] = FETCH_SECONDS - 1
        return runs.on_worker(len, "abc")

    assert runs.whole(answer)() == 3


def test_a_waiting_run_whose_client_has_gone_leaves_the_queue(runs):
    running = runs.enter()
    waiting = runs.streaming(one_message)()
    assert text(next(waiting)) == position(0)
    with runs.stream(EVENT):
        assert text(next(waiting)) == position(0)
    assert next(waiting, None) is None
    assert (runs.running, runs.waiting) == (1, 0)
    with runs.stream(EVENT):
        kept = runs.enter((EVENT, SESSION))
    with pytest.raises(ClientGone):
        next(runs.wait(kept))
    runs.leave(running)


def test_a_run_ends_after_the_step_that_exceeds_its_time(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(queue.time, "monotonic", lambda: now[0])
    steps = RunQueue(1, 1).steps(lambda: iter(range(5)), seconds=2.0)
    now[0] += 50  # before the first step nothing counts
    found = []

    def watch() -> None:
        for step in steps:
            found.append(step)
            now[0] += 1

    with pytest.raises(TimeoutError, match=r"^Ended after step 3: a run may take 2 s here\. Ask for fewer tokens\.$"):
        watch()
    assert found == [0, 1, 2]
