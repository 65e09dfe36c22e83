"""What the server does for the page and for clients: `/generate` streams a run, `/run` returns it whole."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import Any, TypeVar

import gradio as gr

import ersd
from ersd.ahead import ahead
from ersd.decoding import trace_of
from ersd.formatting import brief
from ersd.models.stopwatch import OneByOne
from ersd.trace.rank_sequence import is_known_for
from ersd.trace.replay import RankRecorder
from visual.payload import messages
from visual.payload.messages import Message, RunMessages
from visual.payload.sentences.labels import field_of

from .logs import Entry, logged
from .pairs import Pairs
from .parameters import Endpoint, RunParameters, RunRequest
from .queue import Turns
from .zero_gpu import Told, most_seconds, on_gpu

AT_ONCE, WAITING = 2, 20
"""Runs at once, of the page and of clients together, and runs that wait, at most. They share the processor: more would only make each
slower. Who comes when no more can wait is told that the page is busy."""

TURNS = Turns(AT_ONCE, WAITING)
"""One queue for all that is run: a process has one device."""

SHARED: dict[str, Any] = {"concurrency_limit": AT_ONCE + WAITING + 2, "concurrency_id": "run"}
"""Gradio lets in all who have a place in the queue of TURNS, and some more, who are told by it that there is none."""

T = TypeVar("T")
BUSY = "The page is busy or cannot be reached: this run did not get through. Press Generate again in a moment."
"""What the page says when a run gets no answer; why, it cannot know."""

AHEAD = 8
"""Messages of a run that are made before they are asked for, at most. A run is decoded, written down and told in a thread of its own, and
not in those that ask, see `Turns.workers`."""

BEAT = 0.2
"""Seconds of a run that travel to the page together. It draws about so often, and every message costs both sides time."""


def publish(pairs: Pairs) -> None:
    """Gives the page being built its endpoints for clients."""
    gr.api(TURNS.streaming(streaming(pairs)), api_name="generate", **SHARED)
    gr.api(TURNS.whole(whole(pairs)), api_name="run", **SHARED)


def streaming(pairs: Pairs, say: Callable[[str], str] = str, name: str = "generate") -> Endpoint:
    """The function behind `/generate`; `say`: how its messages call what is wrong; `name`: what the log calls its runs."""
    parameters = RunParameters(pairs.names[0])

    def generate(*values: Any, **named: Any) -> Iterator[Message]:
        """Stream a run as JSON strings: one `begin`, one `step` per target call, one `end`."""
        with logged(name) as entry:
            yield from tell(entry, parameters.request(*values, **named))

    def tell(entry: Entry, request: RunRequest) -> Iterator[Message]:
        try:
            settings = entry.settings = request.settings()
            for words in pairs.waiting(request.models):
                yield messages.status(words)
            pair = pairs.get(request.models)
            narrator = RunMessages(request.prompt, settings, request.models, pair.costs)
            steps = ersd.generate(pair, request.prompt, settings, teller=narrator)
            narrator.fed = pair.fed(request.prompt, settings.chat)
        except Exception as problem:  # whatever it is, who waits must be told
            yield from _fail(problem, say)
            return
        try:
            told = _tell(narrator, timed(steps, most_seconds(pairs.run_seconds, settings)), pair)
            with closing(ahead(told, AHEAD)) as coming:
                yield from coming
        finally:
            entry.tokens = narrator.statistics.tokens

    return parameters.declare(on_gpu(generate, name, _runs(parameters), pairs.run_seconds, messages.error))


def whole(pairs: Pairs) -> Endpoint:
    """The function behind `/run`."""
    parameters = RunParameters(pairs.names[0])

    def run(*values: Any, **named: Any) -> str:
        """The whole trace of a run as JSON; `ersd.Trace.from_json` reads it."""
        with logged("run") as entry:
            try:
                return collect(entry, parameters.request(*values, **named))
            except Exception as problem:  # whatever it is, a client must get words and not null
                raise _refusal(problem) from problem

    def collect(entry: Entry, request: RunRequest) -> str:
        settings = entry.settings = request.settings()
        pair = pairs.get(request.models)
        steps = []
        made = ahead(ersd.generate(pair, request.prompt, settings), AHEAD)
        for step in timed(made, most_seconds(pairs.run_seconds, settings)):
            steps.append(step)
            entry.tokens += len(step.emitted)
        return trace_of(pair, request.prompt, settings, steps).to_json()

    return parameters.declare(on_gpu(run, "run", _runs(parameters), pairs.run_seconds))


def in_beats(endpoint: Endpoint) -> Endpoint:
    """The same stream for the page: what happens within one BEAT in one message, a JSON string per line; the first step at once.

    A run that fails says so in its last message and ends here: to the page, a failure is what got lost on the way.
    """

    @functools.wraps(endpoint)
    def together(*values: Any) -> Iterator[str]:
        stream = endpoint(*values)
        waiting: list[Message] = []
        steps_sent = -math.inf  # no step was sent yet, however young the clock is
        try:
            for message in stream:
                waiting.append(message)
                is_step = message.type == "step"
                if is_step and time.monotonic() - steps_sent <= BEAT:
                    continue
                yield "\n".join(waiting)
                waiting = []
                if is_step:
                    steps_sent = time.monotonic()
        except gr.Error:
            pass  # it has been told
        finally:
            stream.close()

    return together


def _tell(narrator: RunMessages, steps: Generator[Message, None, None], pair: ersd.ModelPair) -> Generator[Message, None, None]:
    """The messages of a run, of which the engine brings those of its `steps`, with the narrator as its teller. Stopping it or closing the
    tab closes this generator, and with it the engine's caches."""
    yield narrator.begin()
    last, ranks = -1, None
    try:
        ranks = RankRecorder(pair, narrator.prompt, narrator.settings) if is_known_for(narrator.settings) else None
        one_by_one = OneByOne(pair)
        narrator.alone_ms = one_by_one.look()
        for step in steps:
            last, _ = step.recorded[-1]
            narrator.alone_ms = one_by_one.look()
            yield step
            if ranks:
                ranks.add(step.recorded, step.leaf_rank)
    except GeneratorExit:
        raise
    except Exception as problem:  # out of memory and the like: the page must say so, whatever it is
        yield from _fail(problem, str)
    finally:
        steps.close()
    yield narrator.end(what_ended_it(narrator, last in pair.eos_ids), ranks.sequence() if ranks else None)


def what_ended_it(narrator: RunMessages, text_is_over: bool) -> str:
    """As in `Trace.stopped`."""
    if text_is_over:
        return "end of text"
    return "max_new_tokens" if narrator.statistics.tokens >= narrator.settings.max_new_tokens else "end of context"


def _runs(parameters: RunParameters) -> Callable[..., list[ersd.Settings]]:
    """From the arguments of an endpoint to the run that they ask for."""
    return lambda *values, **named: [parameters.request(*values, **named).settings()]


def timed(steps: Generator[T, None, None], seconds: float) -> Generator[T, None, None]:
    """The same steps, until so many seconds are over; then TimeoutError in words. The step that is being made is waited for."""
    end = time.monotonic() + seconds
    try:
        for count, step in enumerate(steps, 1):
            yield step
            if time.monotonic() > end:
                raise TimeoutError(f"Ended after step {count}: a run may take {seconds:g} s here. Ask for fewer tokens.")
    finally:
        steps.close()


def _fail(problem: Exception, say: Callable[[str], str]) -> Iterator[Message]:
    """Says what went wrong in the status line, and raises it for clients."""
    refusal = _refusal(problem)
    yield messages.error(say(refusal.message), field_of(refusal.message))
    raise refusal from problem


def _refusal(problem: Exception) -> Told:
    """What went wrong, for clients. What neither they nor a limit of this server brought about is printed here too."""
    expected = isinstance(problem, (ValueError, TimeoutError))
    words = str(problem) if expected else brief(problem)
    return Told(words or type(problem).__name__, print_exception=not expected)
