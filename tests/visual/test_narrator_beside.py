"""A run is told to the page by the process beside the one that decodes: in the same words, and it goes on without that process."""

from __future__ import annotations

import itertools
import json
import os
import signal

import pytest

import ersd
from ersd.settings import METHODS
from ersd.trace.beside import Beside
from ersd.trace.recorder import Recorder
from visual.payload.messages import RunMessages

PROMPT = "Once upon a time"


@pytest.fixture(scope="module")
def process():
    beside = Beside()
    beside.start()
    assert beside.wait()
    yield beside
    beside.stop()


def _told(pair, settings, monkeypatch, after=lambda number: None):
    """The messages of the steps, by a clock of even steps, and the narrator behind them. `after`: called behind each."""
    ticks = itertools.count()
    monkeypatch.setattr("ersd.decoding.perf_counter", lambda: next(ticks) / 100)
    narrator = RunMessages(PROMPT, settings, "a pair", pair.costs)
    narrator.run, narrator.alone_ms = "run", 7.0
    messages = []
    for number, message in enumerate(ersd.generate(pair, PROMPT, settings, teller=narrator)):
        messages.append(message)
        narrator.alone_ms = 10.0 + number
        after(number)
    return messages, narrator


@pytest.mark.parametrize("method", ["ERSD τ*", "block", "SpecTr", "one by one"])
def test_its_messages_are_those_that_would_be_made_here(process, pair, monkeypatch, method):
    algorithm, topology = METHODS[method]
    settings = ersd.Settings(algorithm, topology, max_new_tokens=12, draft_tokens=4, seed=5)
    here, knows = _told(pair, settings, monkeypatch)
    monkeypatch.setattr("ersd.trace.recording.BESIDE", process)
    monkeypatch.setattr(Recorder, "write", lambda *_: pytest.fail("written here"))
    there, narrator = _told(pair, settings, monkeypatch)
    assert there == here
    assert [message.recorded for message in there] == [message.recorded for message in here]
    assert {message.type for message in there} == {"step"}
    assert narrator.state == knows.state
    assert narrator.end("max_new_tokens") == knows.end("max_new_tokens")


@pytest.mark.parametrize("killed_at", [0, 2])
def test_a_run_is_told_to_its_end_without_it(pair, monkeypatch, killed_at):
    settings = ersd.Settings(max_new_tokens=30, draft_tokens=4, seed=5)
    here, knows = _told(pair, settings, monkeypatch)
    mortal = Beside()
    mortal.start()
    assert mortal.wait()
    monkeypatch.setattr("ersd.trace.recording.BESIDE", mortal)

    def kill(number):
        if number == killed_at:
            os.kill(mortal._process.pid, signal.SIGKILL)
            mortal._process.wait()

    there, narrator = _told(pair, settings, monkeypatch, kill)
    assert there == here
    assert not mortal.is_ready
    assert narrator.state == knows.state


def test_what_is_found_out_about_one_by_one_is_told_with_the_next_steps(process, pair, monkeypatch):
    monkeypatch.setattr("ersd.trace.recording.BESIDE", process)
    messages, _ = _told(pair, ersd.Settings(max_new_tokens=30, draft_tokens=4, seed=5), monkeypatch)
    alone = [json.loads(message)["speedup"]["alone"] for message in messages]
    assert alone[0] == 7.0
    assert alone == sorted(alone)
    assert alone[-1] >= 10.0
