"""The endpoints: `/generate` streams a run, `/run` returns it whole, and the page has a stream of its own."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any

import gradio as gr

import ersd
from ersd.decoding import stop_reason, trace_of
from ersd.formatting import truncated
from ersd.models.tree_cache import ModelError
from ersd.rerun import RankRecorder
from ersd.trace.rank_sequence import is_known_for, recorded_ranks
from visual.payload import messages
from visual.payload.messages import Message, RunMessages
from visual.payload.sentences.names import field_of

from .average import average
from .logs import Entry, logged
from .pairs import Pairs
from .parameters import Endpoint, RunParameters, RunRequest
from .queue import RUNNING_LIMIT, RUNS, WAITING_LIMIT
from .zero_gpu import RunError, on_gpu, time_limit

CONCURRENCY: dict[str, Any] = {"concurrency_limit": RUNNING_LIMIT + WAITING_LIMIT + 2, "concurrency_id": "run"}
"""Gradio starts every run that our queue has room for, and two more, which report that it is full."""

BUSY = "The page is busy or cannot be reached: this run did not get through. Press {button} again in a moment."
"""What the page shows when a run gets no answer; it cannot know why."""

CUT = "The connection to the server was lost, so this run ended early. What has arrived stays; press {button} to run it again."
"""What the page shows when the answer of a run ends before the run."""

PAGE = "page"
"""Name of the page's own runs, in the log."""

BATCH_SECONDS = 0.2
"""Steps of this time are sent to the page together. It draws about as often, and every message costs both sides time."""


def publish(pairs: Pairs) -> None:
    """Add the endpoints for clients to the page being built."""
    gr.api(RUNS.streaming(generate_endpoint(pairs)), api_name="generate", **CONCURRENCY)
    gr.api(RUNS.whole(run_endpoint(pairs)), api_name="run", **CONCURRENCY)


def generate_endpoint(pairs: Pairs, wording: Callable[[str], str] = str, name: str = "generate") -> Endpoint:
    """The function of `/generate`; `wording`: how its error messages name a field; `name`: of its requests in the log."""
    parameters = RunParameters(pairs.names[0])

    def generate(*values: Any, run: str = "", **named: Any) -> Iterator[Message]:
        """Stream a run as JSON strings: one `begin`, one `step` per target call, one `end`."""
        with logged(name) as entry:
            try:
                yield from _messages(pairs, parameters.request(*values, **named), entry, run, is_saved=name == PAGE)
            except Exception as problem:  # also out of memory and the like: the page must show why the run ended
                error = run_error(problem)
                yield messages.error(wording(error.message), field_of(error.message), run)
                raise error from problem

    return parameters.declare(on_gpu(generate, name, _settings_of(parameters), pairs.run_seconds))


def run_endpoint(pairs: Pairs) -> Endpoint:
    """The function of `/run`."""
    parameters = RunParameters(pairs.names[0])

    def run(*values: Any, **named: Any) -> str:
        """The whole trace of a run as JSON; `ersd.Trace.from_json` reads it."""
        with logged("run") as entry:
            try:
                return _trace(pairs, parameters.request(*values, **named), entry)
            except Exception as problem:  # whatever it is, a client must get a message and not null
                raise run_error(problem) from problem

    return parameters.declare(on_gpu(run, "run", _settings_of(parameters), pairs.run_seconds))


def batched(endpoint: Endpoint) -> Endpoint:
    """The same stream for the page: the messages of each BATCH_SECONDS together, one per line, and the first step immediately.

    A run that fails sends an error message and ends normally here: the page takes a failure of the stream for a lost connection.
    """

    @functools.wraps(endpoint)
    def stream(*values: Any) -> Iterator[str]:
        unsent: list[Message] = []
        last_step = -math.inf  # when a step was sent
        with closing(endpoint(*values)) as run, suppress(gr.Error):
            for message in run:
                unsent.append(message)
                is_step = message.type == "step"
                if is_step and time.monotonic() - last_step <= BATCH_SECONDS:
                    continue
                yield "\n".join(unsent)
                unsent = []
                if is_step:
                    last_step = time.monotonic()

    return stream


def _messages(pairs: Pairs, request: RunRequest, entry: Entry, name: str, is_saved: bool) -> Iterator[Message]:
    """The messages of a run of this name; `is_saved`: with its trace. Closing the generator frees the caches of the models."""
    settings = entry.settings = request.settings()
    for progress in pairs.loading_progress(request.models, RUNS.check_client):
        yield messages.status(progress, name)
    pair = pairs.get(request.models)
    steps = RUNS.steps(lambda: ersd.generate(pair, request.prompt, settings), time_limit(pairs.run_seconds, settings))
    fed = RUNS.on_worker(pair.fed, request.prompt, settings.chat)
    trace = (
        replace(RUNS.on_worker(trace_of, pair, request.prompt, settings, []), costs=pair.costs.get(settings.source)) if is_saved else None
    )
    known = average(settings, pair.prior)
    run = RunMessages(
        request.prompt, settings, request.models, pair.costs.get(settings.source), fed, pair.left_out, trace=trace, run=name, average=known
    )
    ranks = RUNS.on_worker(RankRecorder, pair, request.prompt, settings) if is_known_for(settings) else None
    yield run.begin()
    with closing(steps):
        for step in steps:
            entry.tokens += len(step.emitted)
            yield run.step(step)
            if ranks:
                ranks.add(recorded_ranks([step]), step.leaf_rank)
    sequence = RUNS.on_worker(ranks.sequence) if ranks else None
    yield run.end(stop_reason(pair, settings, run.statistics.tokens, step), sequence)


def _trace(pairs: Pairs, request: RunRequest, entry: Entry) -> str:
    """The trace of a run as JSON."""
    settings = entry.settings = request.settings()
    pair = loaded(pairs, request.models)
    done = []
    with closing(RUNS.steps(lambda: ersd.generate(pair, request.prompt, settings), time_limit(pairs.run_seconds, settings))) as steps:
        for step in steps:
            done.append(step)
            entry.tokens += len(step.emitted)
    return replace(RUNS.on_worker(trace_of, pair, request.prompt, settings, done), costs=pair.costs.get(settings.source)).to_json()


def loaded(pairs: Pairs, name: str) -> ersd.ModelPair:
    """The pair, for a client that waits for it. Raises as `Pairs.get`, and ClientGone."""
    for _ in pairs.loading_progress(name, RUNS.check_client):
        pass
    return pairs.get(name)


def _settings_of(parameters: RunParameters) -> Callable[..., list[ersd.Settings]]:
    """From the arguments of an endpoint to the settings of its run."""
    return lambda *values, **named: [parameters.request(*values, **named).settings()]


def run_error(problem: Exception) -> RunError:
    """What went wrong, for clients. Errors caused neither by the request nor by a limit of this server are printed too."""
    is_expected = isinstance(problem, (ValueError, TimeoutError)) and not isinstance(problem, ModelError)
    text = str(problem) if isinstance(problem, (ValueError, TimeoutError)) else truncated(problem)
    return RunError(text or type(problem).__name__, print_exception=not is_expected)
