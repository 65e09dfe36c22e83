"""What the server does for the page and for clients: `/generate` streams a run, `/run` returns it whole."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any

import gradio as gr

import ersd
from visual import messages
from visual.messages import Message, Narrator

from .labels import field_of
from .pairs import Pairs
from .parameters import Endpoint, RunParameters

SHARED: dict[str, Any] = {"concurrency_limit": 2, "concurrency_id": "run"}
"""Runs at once, of the page and of clients together; more wait in the queue. They share the processor: more would only make each slower."""

BEAT = 0.085
"""Seconds of a run that travel to the page together. It draws about so often, and every message costs both sides time."""


def publish(pairs: Pairs) -> None:
    """Gives the page being built its endpoints for clients."""
    gr.api(streaming(pairs), api_name="generate", **SHARED)
    gr.api(whole(pairs), api_name="run", **SHARED)


def on_gpu(function: Endpoint) -> Endpoint:
    """The `spaces.GPU` decorator on Hugging Face ZeroGPU, nothing elsewhere."""
    try:
        import spaces  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        return function
    decorated: Endpoint = spaces.GPU(duration=60)(function)
    return decorated


def streaming(pairs: Pairs, say: Callable[[str], str] = str) -> Endpoint:
    """The function behind `/generate`; `say`: how its messages call what is wrong."""
    parameters = RunParameters(pairs.names[0])

    def generate(*values: Any, **named: Any) -> Iterator[Message]:
        """Stream a run as JSON strings: one `begin`, one `step` per target call, one `end`."""
        request = parameters.request(*values, **named)
        try:
            settings = request.settings()
            if not pairs.ready(request.models):
                yield messages.status("Loading the model …")
            pair = pairs.get(request.models)
            steps = ersd.generate(pair, request.prompt, settings)
        except ValueError as problem:
            yield from _fail(problem, say)
        yield from _tell(Narrator(request.prompt, settings, request.models, pair.costs), steps, pair.eos_ids)

    return parameters.declare(on_gpu(generate))


def whole(pairs: Pairs) -> Endpoint:
    """The function behind `/run`."""
    parameters = RunParameters(pairs.names[0])

    def run(*values: Any, **named: Any) -> str:
        """The whole trace of a run as JSON; `ersd.Trace.from_json` reads it."""
        request = parameters.request(*values, **named)
        try:
            return ersd.run(pairs.get(request.models), request.prompt, request.settings()).to_json()
        except ValueError as problem:
            raise gr.Error(str(problem), print_exception=False) from problem

    return parameters.declare(on_gpu(run))


def in_beats(endpoint: Endpoint) -> Endpoint:
    """The same stream for the page: what happens within one BEAT in one message, a JSON string per line; the first step at once."""

    @functools.wraps(endpoint)
    def together(*values: Any) -> Iterator[str]:
        stream = endpoint(*values)
        waiting: list[Message] = []
        steps_sent = 0.0
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
        finally:
            stream.close()

    return together


def _tell(narrator: Narrator, steps: Generator[ersd.Step, None, None], eos_ids: frozenset[int]) -> Iterator[Message]:
    """The messages of a run. Stopping it or closing the tab closes this generator, and with it the engine's caches."""
    yield narrator.begin()
    last = -1
    try:
        for step in steps:
            last = step.emitted[-1].token if step.emitted else last
            yield narrator.step(step)
    except GeneratorExit:
        raise
    except Exception as problem:  # out of memory and the like: the page must say so, whatever it is
        yield from _fail(problem, str)
    finally:
        steps.close()
    yield narrator.end(_what_ended_it(narrator, last in eos_ids))


def _what_ended_it(narrator: Narrator, text_is_over: bool) -> str:
    """As in `Trace.stopped`."""
    if text_is_over:
        return "end of text"
    return "max_new_tokens" if narrator.statistics.tokens >= narrator.settings.max_new_tokens else "end of context"


def _fail(problem: Exception, say: Callable[[str], str]) -> Iterator[Message]:
    """Says what went wrong in the status line, and raises it for clients; no second message pops up on the page."""
    words = str(problem) or type(problem).__name__
    yield messages.error(say(words), field_of(words))
    raise gr.Error(words, visible=False, print_exception=not isinstance(problem, ValueError)) from problem
