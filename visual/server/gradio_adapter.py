"""All that is reached in Gradio by a private name: what for, the version it was checked on, and what happens without it."""

from __future__ import annotations

from typing import Any

import gradio as gr

SELDOM = 1.0
"""Seconds between two looks for what nobody writes."""


def keep_answers_of(page: gr.Blocks, sessions: int) -> bool:
    """Lets the queue of a page keep what nobody has fetched for so many sessions, the latest. Is that possible with this Gradio?

    Gradio keeps it for 2000, which answers of `/run` make gigabytes.
    Reached: `Blocks._queue.pending_messages_per_session.max_size`, checked on Gradio 6.31.0. Without it Gradio's own number holds.
    """
    kept: Any = getattr(getattr(page, "_queue", None), "pending_messages_per_session", None)
    if not isinstance(getattr(kept, "max_size", None), int):
        return False
    kept.max_size = sessions
    return True


def rest_between_polls(page: gr.Blocks, seconds: float) -> bool:
    """Lets the queue of a page poll for new work every so many seconds, and hardly ever for what `gr.Progress` has to tell: nothing here
    uses it. Is that possible with this Gradio?

    Gradio polls every millisecond for the one and every ten for the other, also while a model computes, and so takes the interpreter from
    it; an event can wait `seconds`. Reached: `Blocks._queue.sleep_when_free` and `progress_update_sleep_when_free`, checked on Gradio
    6.31.0. Without them the queue keeps Gradio's pace: slower runs, nothing else.
    """
    queue: Any = getattr(page, "_queue", None)
    rests = {"sleep_when_free": seconds, "progress_update_sleep_when_free": SELDOM}
    if not all(isinstance(getattr(queue, name, None), float) for name in rests):
        return False
    for name, rest in rests.items():
        setattr(queue, name, rest)
    return True


def refuse_missing_values_briefly(page: gr.Blocks) -> bool:
    """Lets a page that is called with too few values say how many it needs, and not all that it was given. Is that possible here?

    Reached: `Blocks.validate_inputs`, checked on Gradio 6.31.0. Without it the message is Gradio's own, of any length.
    """
    check: Any = getattr(page, "validate_inputs", None)
    if not callable(check):
        return False

    def brief_check(block_fn: Any, inputs: list[Any]) -> None:
        try:
            check(block_fn, inputs)
        except ValueError:
            raise gr.Error(f"{len(block_fn.inputs)} values are needed, got {len(inputs)}", print_exception=False) from None

    page.validate_inputs = brief_check  # type: ignore[method-assign]
    return True
