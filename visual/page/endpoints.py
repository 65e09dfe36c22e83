"""What the server does for the page and for clients: `generate` streams a run, `run` returns it whole."""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any

import gradio as gr

import ersd
from visual import player
from visual.player import Narrator

from .controls import written
from .pairs import Pairs

CONCURRENT = 2
"""Runs at once; more wait in the queue. Runs share the processor, so more would only make each slower."""

Endpoint = Callable[..., Any]


def on_gpu(function: Endpoint) -> Endpoint:
    """The `spaces.GPU` decorator on Hugging Face ZeroGPU, nothing elsewhere."""
    try:
        import spaces  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        return function
    decorated: Endpoint = spaces.GPU(duration=60)(function)
    return decorated


def settings_of(values: Mapping[str, Any]) -> ersd.Settings:
    """The settings among named values; the values may be anything, Settings says what is wrong with them."""
    return ersd.Settings(**{field.name: values[field.name] for field in dataclasses.fields(ersd.Settings)})


def streaming(pairs: Pairs) -> Endpoint:
    """The function behind `/generate`."""
    usual = ersd.Settings()

    def generate(
        prompt: str, algorithm: str = usual.algorithm, topology: str = usual.topology, draft_tokens: int = usual.draft_tokens,
        temperature: float = usual.temperature, top_k: int = usual.top_k, top_p: float = usual.top_p,
        max_new_tokens: int = usual.max_new_tokens, seed: int = usual.seed, models: str = pairs.names[0],
        branching: str = written(usual.branching), sequences: int = usual.sequences, leniency: float = usual.leniency,
    ) -> Iterator[str]:  # fmt: skip
        """Stream a run as JSON strings: one `begin`, one `step` per target call, one `end`."""
        values = locals()
        try:
            settings = settings_of(values)
            if not pairs.ready(models):
                yield player.status("Loading the model …")
            pair = pairs.get(models)
            steps = ersd.generate(pair, prompt, settings)
        except ValueError as problem:
            yield from _fail(problem)
        yield from _tell(Narrator(prompt, settings, models), steps, pair.eos_ids)

    return on_gpu(generate)


BEAT = 0.085
"""Seconds of a run that travel to the page together. It draws about so often, and every message costs both sides time."""


def paced(endpoint: Endpoint) -> Endpoint:
    """The same stream for the page: what happens within one BEAT in one message, a JSON string per line; the first step at once."""

    @functools.wraps(endpoint)
    def together(*values: Any) -> Iterator[str]:
        messages = endpoint(*values)
        waiting: list[str] = []
        sent = 0.0
        try:
            for message in messages:
                waiting.append(message)
                if time.monotonic() - sent > BEAT or not player.is_step(message):
                    yield "\n".join(waiting)
                    if player.is_step(message):
                        sent = time.monotonic()
                    waiting = []
        finally:
            messages.close()

    return together


def _tell(narrator: Narrator, steps: Generator[ersd.Step, None, None], eos_ids: frozenset[int]) -> Iterator[str]:
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
        yield from _fail(problem)
    finally:
        steps.close()
    full = narrator.statistics.tokens >= narrator.settings.max_new_tokens
    yield narrator.end("end of text" if last in eos_ids else "max_new_tokens" if full else "end of context")


def _fail(problem: Exception) -> Iterator[str]:
    """Says what went wrong in the status line, and raises it for clients; no second message pops up on the page."""
    words = str(problem) or type(problem).__name__
    yield player.error(words)
    raise gr.Error(words, visible=False, print_exception=not isinstance(problem, ValueError)) from problem


def whole(pairs: Pairs) -> Endpoint:
    """The function behind `/run`."""
    usual = ersd.Settings()

    def run(
        prompt: str, algorithm: str = usual.algorithm, topology: str = usual.topology, draft_tokens: int = usual.draft_tokens,
        temperature: float = usual.temperature, top_k: int = usual.top_k, top_p: float = usual.top_p,
        max_new_tokens: int = usual.max_new_tokens, seed: int = usual.seed, models: str = pairs.names[0],
        branching: str = written(usual.branching), sequences: int = usual.sequences, leniency: float = usual.leniency,
    ) -> str:  # fmt: skip
        """The whole trace of a run as JSON; `ersd.Trace.from_json` reads it."""
        values = locals()
        try:
            return ersd.run(pairs.get(models), prompt, settings_of(values)).to_json()
        except ValueError as problem:
            raise gr.Error(str(problem), print_exception=False) from problem

    return on_gpu(run)
