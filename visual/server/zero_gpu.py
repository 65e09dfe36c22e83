"""Hugging Face ZeroGPU: a GPU is lent to one call at a time, and each call runs in a forked process of its own.

A Space must import `spaces` before torch (app.py does), load the models and move them to CUDA in the main thread before the page is served,
and call functions whose arguments and results can be pickled.
"""

from __future__ import annotations

import functools
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import gradio as gr

from ersd.formatting import truncated
from ersd.machine import now_ms
from ersd.rules.registry import TRAITS
from ersd.settings import Settings
from visual.payload import messages
from visual.payload.messages import Message

from . import logs
from .parameters import Endpoint

IS_ZERO_GPU = os.environ.get("SPACES_ZERO_GPU", "").lower() in ("1", "t", "true")
"""Whether this is a Space on ZeroGPU, read as `spaces` reads it."""

START_SECONDS = 10.0
"""Time before the first step: the process is forked and the weights are moved."""
LAYER_SECONDS = 0.001
"""One layer of a forward pass through transformers, a slow estimate of launching its kernels."""
USUAL_LAYERS = 32
MAX_LEVELS = 16
"""Levels of a draft tree that is not regular: a larger tree grows wider, not deeper."""


def seconds_of(*runs: Settings) -> float:
    """Upper bound on the time of these runs one after another: each token takes a step, each level of its tree a draft call.

    The bound must be tight, since ZeroGPU checks a visitor's quota against it; a run that exceeds it ends with a message.
    """
    return START_SECONDS + sum(map(_most_calls, runs)) * USUAL_LAYERS * LAYER_SECONDS


def _most_calls(settings: Settings) -> int:
    if not TRAITS[settings.algorithm].drafts:
        return settings.max_new_tokens
    levels = min(settings.draft_tokens, MAX_LEVELS) if settings.levels is None else len(settings.levels)
    return settings.max_new_tokens * (1 + levels)


def time_limit(most: float, *runs: Settings) -> float:
    """Seconds that a request may take: `most`, and on ZeroGPU no more than its runs can need."""
    return min(most, seconds_of(*runs)) if IS_ZERO_GPU else most


class RunError(gr.Error):
    """Why a run failed. It has been sent and logged where it happened; on ZeroGPU that is the process of the call."""

    def __init__(self, text: str, print_exception: bool = False) -> None:
        super().__init__(text, visible=False, print_exception=print_exception)


def on_gpu(
    function: Endpoint,
    request: str,
    runs: Callable[..., Sequence[Settings]],
    most: float,
    output: Callable[[Message], Any] = lambda message: message,
) -> Endpoint:
    """The function as ZeroGPU calls it; elsewhere the function itself. What ZeroGPU refuses or ends is sent and logged here.

    Args:
        function: returns or yields something, and raises nothing but `RunError`.
        request: its name in the log.
        runs: from its arguments to the settings of its runs; raises ValueError if they are invalid.
        most: seconds that a call may take.
        output: makes what is yielded out of an error message; a function that yields also takes the name of its run, `run`.
    """
    if not IS_ZERO_GPU:
        return function

    def requested(*values: Any, **named: Any) -> Sequence[Settings]:
        try:
            return runs(*values, **named)
        except ValueError:  # the call itself will report it
            return []

    def duration(*values: Any, run: str = "", **named: Any) -> int:
        return int(time_limit(most, *requested(*values, **named))) + 1

    @contextmanager
    def logging_failures(*values: Any, **named: Any) -> Iterator[None]:
        start = now_ms()
        try:
            yield
        except RunError:
            raise
        except Exception as problem:
            title, text = type(problem).__name__, truncated(problem)
            if isinstance(problem, gr.Error):
                title, text = problem.title, problem.message
            each_run: Sequence[Settings | None] = requested(*values, **named) or [None]
            for settings in each_run:
                # only the process of the call knew how many tokens there were
                logs.log(request, f"failed: {title}", settings, None, now_ms() - start)
            raise ZeroGpuError(without_html(text)) from problem

    decorated: Endpoint = sys.modules["spaces"].GPU(duration=duration)(function)

    @functools.wraps(function)
    def stream(*values: Any, run: str = "", **named: Any) -> Iterator[Any]:
        try:
            with logging_failures(*values, **named):
                yield from decorated(*values, run=run, **named)
        except ZeroGpuError as error:
            yield output(messages.error(error.message, run=run))
            raise

    @functools.wraps(function)
    def whole(*values: Any, **named: Any) -> Any:
        with logging_failures(*values, **named):
            return decorated(*values, **named)

    return stream if inspect.isgeneratorfunction(function) else whole


class ZeroGpuError(RunError):
    """ZeroGPU refused a call or ended it."""


def without_html(message: str) -> str:
    """A message of ZeroGPU without the links and line breaks of its HTML."""
    return " ".join(re.sub(r"<[^>]*>", " ", message).split())
