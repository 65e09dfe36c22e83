"""The process that writes steps down: the same Steps, and a run that goes on without it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from threading import Timer

import numpy as np
import pytest

import ersd
from ersd.models.detokenizer import Detokenizer
from ersd.settings import METHODS
from ersd.trace.beside import AGAIN_AFTER_S, BESIDE, MOST_OPEN, MOST_TEXTS, Beside
from ersd.trace.model import Step
from ersd.trace.outcome import Outcome
from ersd.trace.recorder import Recorder
from ersd.trace.teller import Written
from ersd.trace.vertex_record import vertex_record

SETTINGS = ersd.Settings(max_new_tokens=12, draft_tokens=4, seed=5)
PROMPT = "Once upon a time"


@pytest.fixture(scope="module")
def process() -> Iterator[Beside]:
    beside = Beside()
    beside.start()
    assert beside.wait()
    yield beside
    beside.stop()


@pytest.fixture
def recorder(pair) -> Recorder:
    return Recorder.of(pair, [1, 2, 3], SETTINGS)


def _outcome(count: int = 3, vocab: int = 40) -> Outcome:
    """A step that visits vertices with 1, 2, … children, of which the last was accepted."""
    logits, draft_logits = np.random.default_rng(3).standard_normal((2, count, vocab), np.float32)
    visits = []
    for k in range(1, count + 1):
        tries = list(range(k))
        visits.append({"vertex": k - 2, "position": 7, "token": k - 1, "accepted": k - 1, "children": tries, "tries": tries, "tried": k})
    tree = {name: [0] * count for name in ("tokens", "depths", "ranks", "call_of")}
    return Outcome(
        {
            "position": 7,
            "tree": {**tree, "parents": [-1] * count, "draft_probs": [None] * count, "draws": [], "draft_calls": 1},
            "milliseconds": {"draft_ms": 1.0, "target_ms": 2.0, "verify_ms": 3.0},
            "block": [],
            "expected": 2.0,
            "shape": None,
            "visits": visits,
            "drafted": [visit["vertex"] for visit in visits],
            "cut": None,
        },
        {"logits": list(logits), "draft_logits": list(draft_logits)},
    )


def _here(recorder: Recorder, *outcomes: Outcome) -> list[Written]:
    """What this process writes."""
    fresh = Recorder(recorder.texts, recorder.ids, recorder.settings, recorder.vocab_size, recorder.logit_noise)
    return [fresh.write(outcome) for outcome in outcomes]


def _steps(pair, settings: ersd.Settings = SETTINGS) -> list[Step]:
    """Of a run, without the times."""
    return [_untimed(step) for step in ersd.generate(pair, PROMPT, settings)]


def _untimed(step: Step) -> Step:
    return replace(step, draft_ms=0.0, target_ms=0.0, verify_ms=0.0)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_its_steps_are_those_that_would_be_written_here(process, pair, monkeypatch, method):
    algorithm, topology = METHODS[method]
    settings = replace(SETTINGS, algorithm=algorithm, topology=topology)
    here = _steps(pair, settings)
    monkeypatch.setattr("ersd.trace.recording.BESIDE", process)
    monkeypatch.setattr(Recorder, "step", lambda *_: pytest.fail("written here"))
    assert _steps(pair, settings) == here


@pytest.mark.parametrize("killed_at", [0, 2])
def test_a_run_goes_on_without_it(monkeypatch, pair, process, killed_at):
    here = _steps(pair)
    mortal = Beside()
    mortal.start()
    assert mortal.wait()
    monkeypatch.setattr("ersd.trace.recording.BESIDE", mortal)
    steps = []
    for number, step in enumerate(ersd.generate(pair, PROMPT, SETTINGS)):
        steps.append(_untimed(step))
        if number == killed_at:
            os.kill(mortal._process.pid, signal.SIGKILL)
            mortal._process.wait()
    assert steps == here
    assert not mortal.is_ready


def test_one_that_was_killed_is_started_again_after_a_while(monkeypatch, recorder):
    times = [1000.0]
    monkeypatch.setattr("ersd.trace.beside.monotonic", lambda: times[-1])
    mortal = Beside()
    mortal.start()
    assert mortal.wait()
    killed = mortal._process
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    for seconds in (0, AGAIN_AFTER_S / 2):
        times.append(1000.0 + seconds)
        run = mortal.open(recorder)
        assert run is None or mortal.ask(run, _outcome())() is None
        assert mortal._process is None
    times.append(1000.0 + AGAIN_AFTER_S)
    for _ in range(2):  # and only once
        assert mortal.open(recorder) is None
    started = mortal._process
    assert mortal.wait()
    assert mortal.ask(mortal.open(recorder), _outcome())() == _here(recorder, _outcome())[0]
    assert mortal._process is started
    mortal.stop()


def test_one_that_was_stopped_is_not_started_again(monkeypatch, recorder):
    stopped = Beside()
    stopped.start()
    assert stopped.wait()
    run = stopped.open(recorder)
    stopped.stop()
    monkeypatch.setattr("ersd.trace.beside.Popen", lambda *_, **__: pytest.fail("started again"))
    assert stopped.open(recorder) is None
    assert stopped.ask(run, _outcome())() is None


def test_where_there_is_no_room_for_it_there_is_none(monkeypatch, recorder):
    def refused(*_, **__):
        raise OSError("Cannot allocate memory")

    monkeypatch.setattr("ersd.trace.beside.Popen", refused)
    beside = Beside()
    beside.start()
    assert not beside.wait()
    assert beside.open(recorder) is None


def test_every_question_has_its_own_answer_whoever_waits_first(process, recorder):
    """Two runs that ask in turns, and one that was left before it heard its answers."""
    one, two = (_here(recorder, _outcome(first), _outcome(second)) for first, second in ((1, 2), (3, 1)))
    left = process.open(recorder)
    for _ in range(2 * MOST_OPEN):
        process.ask(left, _outcome(4))
    process.close(left)
    runs = [process.open(recorder), process.open(recorder)]
    answers = [process.ask(runs[place], _outcome(count)) for place, count in ((0, 1), (1, 3), (0, 2), (1, 1))]
    assert answers[3]() == two[1]
    assert answers[0]() == one[0]
    assert [answer() for answer in answers] == [one[0], two[0], one[1], two[1]]
    assert not process._open


def test_of_a_run_that_was_closed_nothing_is_known_any_more(process, recorder):
    run = process.open(recorder)
    assert process.ask(run, _outcome())() is not None
    process.close(run)
    assert process.ask(run, _outcome())() is None


def test_who_asks_does_not_wait_for_what_is_being_worked_out(process, recorder):
    """Neither for the answer nor for the question to be read: it is larger than what a pipe holds."""
    large = _outcome(4, vocab=150_000)
    run = process.open(recorder)
    answers = [process.ask(run, large) for _ in range(2)]
    assert not select.select([process._process.stdout], [], [], 0)[0], "the first one was answered before the second was put"
    assert [answer() for answer in answers] == _here(recorder, large, large)


def test_a_question_of_which_the_pipe_takes_a_little_at_a_time_is_the_same(process, recorder, monkeypatch):
    here, write = _here(recorder, _outcome(), _outcome(2)), os.writev
    patience = Timer(30, process._process.kill)  # who waits for what never came whole would wait for ever
    patience.start()
    monkeypatch.setattr("ersd.trace.pipes.os.writev", lambda pipe, pieces: write(pipe, [pieces[0][:1000]]))
    run = process.open(recorder)
    answers = [process.ask(run, outcome) for outcome in (_outcome(), _outcome(2))]
    monkeypatch.delattr("ersd.trace.pipes.os.writev")
    answers.append(process.ask(run, _outcome(2)))
    assert [answer() for answer in answers][:2] == here
    assert answers[2]() == _here(recorder, _outcome(), _outcome(2), _outcome(2))[2]
    patience.cancel()


def test_what_cannot_be_worked_out_is_raised_as_it_would_be_here(process, pair, monkeypatch):
    """And a run goes on here with a step that only the process could not work out."""
    monkeypatch.setattr("ersd.trace.recording.BESIDE", process)
    of = Outcome.of

    def lopsided(*decided):
        outcome = of(*decided)
        return replace(outcome, laws={**outcome.laws, "draft_logits": [law * np.nan for law in outcome.laws["draft_logits"]]})

    with monkeypatch.context() as patch:
        patch.setattr(Outcome, "of", lopsided)
        with pytest.raises(ValueError, match="q must have no negative entry and none that is not a number, got nan"):
            list(ersd.generate(pair, PROMPT, SETTINGS))
    assert process.is_ready
    here = _steps(pair)
    asked = []

    def garbled(run, outcome, alone_ms):
        asked.append(run)
        if len(asked) == 2:
            outcome = replace(outcome, words={name: value for name, value in outcome.words.items() if name != "shape"})
        return Beside.ask(process, run, outcome, alone_ms)

    monkeypatch.setattr(process, "ask", garbled)
    assert _steps(pair) == here
    assert len(asked) > 2


def test_whoever_is_interrupted_while_it_waits_leaves_no_answer_for_the_next(monkeypatch, recorder):
    beside = Beside()
    beside.start()
    assert beside.wait()
    run = beside.open(recorder)

    def interrupted(pipe):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("ersd.trace.beside.heard", interrupted)
        with pytest.raises(KeyboardInterrupt):
            beside.ask(run, _outcome(1))()
    assert beside.ask(run, _outcome(3))() is None
    assert not beside.is_ready


def test_a_process_forked_from_this_one_does_not_ask(process, monkeypatch, recorder):
    run = process.open(recorder)
    monkeypatch.setattr(process, "_exchange", lambda *_: pytest.fail("asked over the pipe of another process"))
    monkeypatch.setattr("ersd.trace.beside.os.getpid", lambda: -1)
    assert process.open(recorder) is None
    assert process.ask(run, _outcome())() is None
    process.close(run)


class _Hears:
    """A teller that makes of a step what it has heard of one by one."""

    state = None
    alone_ms: float | None = 9.0

    def step(self, step: Step) -> float | None:
        return self.alone_ms


def test_a_step_is_told_with_what_was_known_then_and_what_was_found_out_since_stays(recorder):
    recorder.teller = teller = _Hears()
    assert recorder.write(_outcome(), 7.0).made == 7.0
    assert teller.alone_ms == 9.0


def test_it_is_not_ready_before_it_has_loaded_what_tellers_need(capfd):
    beside = Beside()
    beside.start("ersd.no_such_module")
    assert not beside.wait()
    assert "no_such_module" in capfd.readouterr().err
    beside.stop()


def test_it_ends_with_whoever_started_it():
    beside = Beside()
    beside.start()
    assert beside.wait()
    beside._process.stdin.close()
    assert beside._process.wait(30) == 0


def test_tokenizers_are_sent_once_and_the_last_ones_kept(process, pair, recorder, monkeypatch):
    sent = []
    dumps = ersd.trace.beside.pickle.dumps
    monkeypatch.setattr("ersd.trace.beside.pickle.dumps", lambda thing, *more: sent.append(thing) or dumps(thing, *more))
    others = [Detokenizer(pair.tokenizer, {token}) for token in range(MOST_TEXTS + 2)]
    for _ in range(2):
        for texts in others:
            for _ in range(2):
                another = Recorder(texts, [1], SETTINGS, 40)
                assert process.ask(process.open(another), _outcome())() == _here(another, _outcome())[0]
    assert len(sent) == 2 * len(others)
    assert len(process._texts) == MOST_TEXTS


def test_with_a_tokenizer_that_cannot_travel_steps_are_written_here(process, pair):
    texts = Detokenizer(pair.tokenizer, ())
    texts.decode = lambda tokens, skip_special_tokens=False: "?"
    assert process.open(Recorder(texts, [1], SETTINGS, 40)) is None
    assert process.is_ready


def test_every_vertex_has_its_own_record(pair, monkeypatch):
    def echo(settings, visited, laws):
        return [{**facts, "tv": each.token} for facts, each in zip(vertex_record(settings, visited, laws), visited, strict=True)]

    monkeypatch.setattr("ersd.trace.recorder.vertex_record", echo)
    visits = [visit for step in ersd.generate(pair, PROMPT, replace(SETTINGS, max_new_tokens=40)) for visit in step.walk]
    assert all(visit.tv == visit.token for visit in visits)
    assert len({visit.token for visit in visits}) > 20


def test_it_loads_nothing_that_only_models_need():
    words = "import sys, ersd.trace.beside; print('transformers' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True).stdout == "False\n"


def test_nobody_has_to_start_it(recorder):
    assert not BESIDE.is_ready
    assert BESIDE.open(recorder) is None
