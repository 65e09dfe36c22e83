"""Every use of a private name of Gradio: its purpose, the version it was checked on, and what happens without it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import gradio as gr


def keep_answers_of(page: gr.Blocks, sessions: int) -> bool:
    """Limit the answers that nobody has fetched to those of the latest sessions; False if this Gradio has no such limit.

    Gradio keeps them for 2000 sessions, gigabytes of `/run` answers.
    Uses `Blocks._queue.pending_messages_per_session.max_size`, checked on Gradio 6.31.0. Without it Gradio's own limit holds.
    """
    kept: Any = getattr(getattr(page, "_queue", None), "pending_messages_per_session", None)
    if not isinstance(getattr(kept, "max_size", None), int):
        return False
    kept.max_size = sessions
    return True


def refuse_missing_values_briefly(page: gr.Blocks) -> bool:
    """Answer a call with too few values with their number only, not with the values; False if this Gradio does not check them.

    Uses `Blocks.validate_inputs`, checked on Gradio 6.31.0. Without it the message is Gradio's own, of any length.
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


def offer_tools(page: gr.Blocks, names: Collection[str]) -> bool:
    """Offer only the endpoints of these names as tools for agents; False if this Gradio marks them in another way.

    Gradio would offer every endpoint, `/generate` too, of which an agent gets the last message alone.
    Uses `BlockFunction.fn._mcp_type`, which `gr.mcp.tool` sets, checked on Gradio 6.31.0. Without it all public endpoints are offered.
    """
    if not hasattr(gr.mcp.tool()(lambda: None), "_mcp_type"):
        return False
    for block in page.fns.values():
        function: Any = block.fn
        if function is not None and block.api_name not in names:
            function._mcp_type = "none"
    return True


def current_event() -> tuple[str, ...]:
    """The ids of the event that is being answered and of its session, by which its client fetches the answer; empty if there is none.

    Uses `gradio.context.LocalContext`, checked on Gradio 6.31.0. Without it a run goes on when its client has gone.
    """
    try:
        from gradio.context import LocalContext

        event, request = LocalContext.event_id.get(None), LocalContext.request.get(None)
    except (ImportError, AttributeError):
        return ()
    return tuple(filter(None, (event, getattr(request, "session_hash", None)))) if event else ()
