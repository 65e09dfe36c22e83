"""The process that works out the record of vertices: the same record, and a run that goes on without it."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch

import ersd
from ersd.beside import AGAIN_AFTER_S, BESIDE, MOST_OPEN, Beside
from ersd.settings import METHODS
from ersd.vertex_record import Visited, vertex_record

SETTINGS = ersd.Settings(max_new_tokens=12, draft_tokens=4, seed=5)


@pytest.fixture(scope="module")
def process() -> Iterator[Beside]:
    beside = Beside()
    beside.start()
    assert beside.wait()
    yield beside
    beside.stop()


def _visited(count: int = 3, vocab: int = 40) -> list[Visited]:
    """Vertices with 1, 2, … children, of which the last was accepted."""
    generator = torch.Generator().manual_seed(3)
    return [_vertex(torch.randn(2, vocab, generator=generator, dtype=torch.float64), k) for k in range(1, count + 1)]


def _vertex(logits: torch.Tensor, k: int) -> Visited:
    p, q = logits.softmax(-1)
    return Visited(7, k - 1, k - 1, list(range(k)), k, logits[0].float(), p, q)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_its_record_is_that_which_would_be_worked_out_here(process, pair, monkeypatch, method):
    algorithm, topology = METHODS[method]
    settings = replace(SETTINGS, algorithm=algorithm, topology=topology)
    here = [step.walk for step in ersd.generate(pair, "Once upon a time", settings)]
    asked = []
    monkeypatch.setattr("ersd.recorder.BESIDE", process)
    monkeypatch.setattr(process, "_put", lambda *question, put=process._put: asked.append(question) or put(*question))
    assert [step.walk for step in ersd.generate(pair, "Once upon a time", settings)] == here
    assert len(asked) == len(here)


def test_a_run_goes_on_without_it(monkeypatch, pair, process):
    here = [step.walk for step in ersd.generate(pair, "Once upon a time", SETTINGS)]
    mortal = Beside()
    mortal.start()
    assert mortal.wait()
    monkeypatch.setattr("ersd.recorder.BESIDE", mortal)
    walks = []
    for number, step in enumerate(ersd.generate(pair, "Once upon a time", SETTINGS)):
        walks.append(step.walk)
        if number == 1:
            os.kill(mortal._process.pid, signal.SIGKILL)
    assert walks == here
    assert not mortal.is_ready


def test_one_that_was_killed_is_started_again_after_a_while(monkeypatch):
    times = [1000.0]
    monkeypatch.setattr("ersd.beside.monotonic", lambda: times[-1])
    mortal = Beside()
    mortal.start()
    assert mortal.wait()
    killed = mortal._process
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    for seconds in (0, AGAIN_AFTER_S / 2):
        times.append(1000.0 + seconds)
        assert mortal.ask(SETTINGS, _visited())() == vertex_record(SETTINGS, _visited())
        assert mortal._process is None
    times.append(1000.0 + AGAIN_AFTER_S)
    for _ in range(2):  # and only once
        assert mortal.ask(SETTINGS, _visited())() == vertex_record(SETTINGS, _visited())
    started = mortal._process
    assert mortal.wait()
    assert mortal.ask(SETTINGS, _visited())() == vertex_record(SETTINGS, _visited())
    assert mortal._process is started
    mortal.stop()


def test_one_that_was_stopped_is_not_started_again(monkeypatch):
    stopped = Beside()
    stopped.start()
    assert stopped.wait()
    stopped.stop()
    monkeypatch.setattr("ersd.beside.Popen", lambda *_, **__: pytest.fail("started again"))
    assert stopped.ask(SETTINGS, _visited())() == vertex_record(SETTINGS, _visited())


def test_where_there_is_no_room_for_it_there_is_none(monkeypatch):
    def refused(*_, **__):
        raise OSError("Cannot allocate memory")

    monkeypatch.setattr("ersd.beside.Popen", refused)
    beside = Beside()
    beside.start()
    assert not beside.wait()
    assert beside.ask(SETTINGS, _visited())() == vertex_record(SETTINGS, _visited())


def test_every_question_has_its_own_answer_whoever_waits_first(process):
    """Two runs that ask in turns, and one that was left before it heard its answers."""
    here = [vertex_record(SETTINGS, _visited(count)) for count in (1, 2, 3)]
    for _ in range(2 * MOST_OPEN):
        process.ask(SETTINGS, _visited(4))
    answers = [process.ask(SETTINGS, _visited(count)) for count in (1, 2, 3)]
    assert answers[2]() == here[2]
    assert answers[0]() == here[0]
    assert [answer() for answer in answers] == here
    assert not process._open


def test_who_asks_does_not_wait_for_what_is_being_worked_out(process):
    """Neither for the answer nor for the question to be read: it is larger than what a pipe holds."""
    large = _visited(4, vocab=150_000)
    answers = [process.ask(SETTINGS, large) for _ in range(2)]
    assert not select.select([process._process.stdout], [], [], 0)[0], "the first one was answered before the second was put"
    assert [answer() for answer in answers] == [vertex_record(SETTINGS, large)] * 2


def test_what_cannot_be_worked_out_is_raised_as_it_would_be_here(process):
    p, q = torch.full((2, 4), 0.5, dtype=torch.float64)
    lopsided = [replace(_visited(1)[0], p=p, q=q / 2, logits=p.float())]
    with pytest.raises(ValueError, match="p must sum to 1, got a sum of 2"):
        process.ask(SETTINGS, lopsided)()
    assert process.is_ready
    assert process.ask(SETTINGS, _visited())() == vertex_record(SETTINGS, _visited())


def test_whoever_is_interrupted_while_it_waits_leaves_no_answer_for_the_next(monkeypatch):
    beside = Beside()
    beside.start()
    assert beside.wait()

    def interrupted(pipe):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("ersd.beside._heard", interrupted)
        with pytest.raises(KeyboardInterrupt):
            beside.ask(SETTINGS, _visited(1))()
    assert beside.ask(SETTINGS, _visited(3))() == vertex_record(SETTINGS, _visited(3))
    assert not beside.is_ready


def test_a_process_forked_from_this_one_does_not_ask(process, monkeypatch):
    monkeypatch.setattr(process, "_put", lambda *_: pytest.fail("asked over the pipe of another process"))
    monkeypatch.setattr("ersd.beside.os.getpid", lambda: -1)
    assert process.ask(SETTINGS, _visited())() == vertex_record(SETTINGS, _visited())


def test_it_ends_with_whoever_started_it():
    beside = Beside()
    beside.start()
    assert beside.wait()
    beside._process.stdin.close()
    assert beside._process.wait(30) == 0


def test_every_vertex_has_its_own_record(pair, monkeypatch):
    class Echo:
        def ask(self, settings, vertices):
            facts = vertex_record(settings, vertices)
            return lambda: [{**each, "tv": one.token} for each, one in zip(facts, vertices, strict=True)]

    monkeypatch.setattr("ersd.recorder.BESIDE", Echo())
    visits = [visit for step in ersd.generate(pair, "Once upon a time", replace(SETTINGS, max_new_tokens=40)) for visit in step.walk]
    assert all(visit.tv == visit.token for visit in visits)
    assert len({visit.token for visit in visits}) > 20


def test_nobody_has_to_start_it():
    assert not BESIDE.is_ready
    assert BESIDE.ask(SETTINGS, _visited())() == vertex_record(SETTINGS, _visited())
