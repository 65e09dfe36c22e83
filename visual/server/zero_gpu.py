"""Hugging Face ZeroGPU: a GPU that is lent to one call at a time. The call runs in a process of its own, forked when it is asked for.

What a Space must keep to: `spaces` is imported before torch (app.py does), the models are loaded and moved to CUDA before the page is
served, in the main thread, and what a call takes and yields can be pickled.
"""

from __future__ import annotations

import functools
import inspect
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import gradio as gr

from ersd.formatting import brief
from ersd.settings import Settings
from visual.server import logs as request_log

from .parameters import Endpoint

IS_ZERO_GPU = os.environ.get("SPACES_ZERO_GPU", "").lower() in ("1", "t", "true")
"""Is this a Space on ZeroGPU? Asked as `spaces` asks it."""

START_SECONDS = 10.0
"""Before the first step: the process is forked, and the weights are moved."""
LAYER_SECONDS = 0.001
"""A layer of a forward pass through transformers, on the slower side of what launching its kernels takes."""
USUAL_LAYERS = 32
MOST_LEVELS = 16
"""Levels of a draft tree that is not a chain; a larger one is broad before it is deep."""


def seconds_of(*runs: Settings) -> float:
    """How long runs may take one after another, a bound: every token has a step of its own, and every level of its tree a draft call.

    Quota is checked against what is declared, so this must be tight; a run is ended at this bound in words (`endpoints.timed`).
    """
    return START_SECONDS + sum(map(_most_calls, runs)) * USUAL_LAYERS * LAYER_SECONDS


def _most_calls(settings: Settings) -> int:
    levels = {"batch": 1, "specinfer": len(settings.branching), "sequence": settings.draft_tokens}
    levels["multi_sequence"] = -(-settings.draft_tokens // settings.sequences)
    deep = 0 if settings.algorithm == "autoregressive" else levels.get(settings.topology, min(settings.draft_tokens, MOST_LEVELS))
    return settings.max_new_tokens * (1 + deep)


def most_seconds(most: float, *runs: Settings) -> float:
    """How long a request may take: so many seconds, and on ZeroGPU no longer than its runs need."""
    return min(most, seconds_of(*runs)) if IS_ZERO_GPU else most


class Told(gr.Error):
    """What went wrong in a run, in words. It is told and logged where it happened: on ZeroGPU in the process of the call."""

    def __init__(self, words: str, print_exception: bool = False) -> None:
        super().__init__(words, visible=False, print_exception=print_exception)


Runs = Callable[..., Sequence[Settings]]
"""From the arguments of a request to the runs that it asks for. ValueError in the words of Settings."""


def on_gpu(function: Endpoint, request: str, runs: Runs, most: float, tell: Callable[[str], Any] = str) -> Endpoint:
    """The function as ZeroGPU calls it; the function itself elsewhere. What ZeroGPU refuses or ends is told and logged here.

    Args:
        function: returns something, or yields; of what goes wrong in it, it raises `Told` or nothing.
        request: what the log calls it.
        runs: of the function's arguments.
        most: seconds that a call may take, whatever it asks for.
        tell: makes what is yielded of words.
    """
    if not IS_ZERO_GPU:
        return function

    def duration(*values: Any, **named: Any) -> int:
        return int(most_seconds(most, *_asked(lambda: runs(*values, **named)))) + 1

    decorated: Endpoint = sys.modules["spaces"].GPU(duration=duration)(function)

    @functools.wraps(function)
    def stream(*values: Any, **named: Any) -> Iterator[Any]:
        start = time.monotonic()
        try:
            yield from decorated(*values, **named)
        except Told:
            raise
        except Exception as problem:
            told = _ended(problem, request, lambda: runs(*values, **named), start)
            yield tell(told.message)
            raise told from problem

    @functools.wraps(function)
    def whole(*values: Any, **named: Any) -> Any:
        start = time.monotonic()
        try:
            return decorated(*values, **named)
        except Told:
            raise
        except Exception as problem:
            raise _ended(problem, request, lambda: runs(*values, **named), start) from problem

    return stream if inspect.isgeneratorfunction(function) else whole


def _ended(problem: Exception, request: str, runs: Callable[[], Sequence[Settings]], start: float) -> Told:
    """Logs what ZeroGPU refused, or ended. Whether there were tokens by then only the process of the call knew."""
    title, words = (problem.title, problem.message) if isinstance(problem, gr.Error) else (type(problem).__name__, brief(problem))
    asked: Sequence[Settings | None] = _asked(runs) or [None]
    for settings in asked:
        request_log.write(request, f"failed: {title}", settings, None, time.monotonic() - start)
    return Told(in_words(words))


def _asked(runs: Callable[[], Sequence[Settings]]) -> Sequence[Settings]:
    """The runs; none where something is wrong with what is asked for, which the request says itself, at once."""
    try:
        return runs()
    except ValueError:
        return []


def in_words(message: str) -> str:
    """What ZeroGPU says, without the links and line breaks of its HTML."""
    return " ".join(re.sub(r"<[^>]*>", " ", message).split())
