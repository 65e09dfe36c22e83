"""All that is reached in Gradio by a private name: what for, the version it was checked on, and what happens without it."""

from __future__ import annotations

from typing import Any

import gradio as gr


def rest_between_polls(page: gr.Blocks, seconds: float) -> bool:
    """Lets the queue of a page poll for new work every so many seconds. Is that possible with this Gradio?

    Gradio polls every millisecond, also while a model computes, and so takes the interpreter from it; an event can wait `seconds`.
    Reached: `Blocks._queue.sleep_when_free`, checked on Gradio 6.31.0. Without it the queue keeps Gradio's pace: slower runs, nothing else.
    """
    queue: Any = getattr(page, "_queue", None)
    if not isinstance(getattr(queue, "sleep_when_free", None), float):
        return False
    queue.sleep_when_free = seconds
    return True
