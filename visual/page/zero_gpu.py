"""Hugging Face ZeroGPU: a GPU that is lent to one call at a time. The call runs in a process of its own, forked when it is asked for.

What a Space must keep to: `spaces` is imported before torch (app.py does), the models are loaded and moved to CUDA before the page is
served, in the main thread, and what a call takes and yields can be pickled.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ersd.settings import Settings

if TYPE_CHECKING:
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


def seconds_of(settings: Settings) -> float:
    """How long a run may take, a bound: every token has a step of its own, and every level of its tree a draft call.

    Quota is checked against what is declared, so this must be tight; a run is ended at this bound in words (`endpoints.timed`).
    """
    levels = {"batch": 1, "specinfer": len(settings.branching), "sequence": settings.draft_tokens}
    levels["multi_sequence"] = -(-settings.draft_tokens // settings.sequences)
    deep = 0 if settings.algorithm == "autoregressive" else levels.get(settings.topology, min(settings.draft_tokens, MOST_LEVELS))
    return START_SECONDS + settings.max_new_tokens * (1 + deep) * USUAL_LAYERS * LAYER_SECONDS


def on_gpu(function: Endpoint, seconds: Callable[..., float]) -> Endpoint:
    """The function as ZeroGPU calls it; the function itself elsewhere. `seconds`: of the same arguments, how long it may take."""
    if not IS_ZERO_GPU:
        return function

    def duration(*values: Any, **named: Any) -> int:
        return int(seconds(*values, **named)) + 1

    decorated: Endpoint = sys.modules["spaces"].GPU(duration=duration)(function)
    assert inspect.isgeneratorfunction(decorated) == inspect.isgeneratorfunction(function)
    return decorated


def seconds_for(fields: Mapping[str, Any]) -> float:
    """`seconds_of` for fields that nobody has looked at yet. What is wrong with them is said by the run, at once."""
    try:
        return seconds_of(Settings(**fields))
    except ValueError:
        return START_SECONDS


def in_words(message: str) -> str:
    """What ZeroGPU says, without the links and line breaks of its HTML."""
    return " ".join(re.sub(r"<[^>]*>", " ", message).split())
