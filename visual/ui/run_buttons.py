"""The buttons Generate and Stop of a tab, and what they do; the button Link, which stands in the header."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from visual import assets
from visual.payload.messages import error, lost
from visual.server.endpoints import BUSY, CONCURRENCY, CUT

from .control_events import QUIET
from .controls import element_id
from .links import BUTTON

MODULE = "page/run_buttons.js"


@dataclass(frozen=True)
class RunButtons:
    """The buttons of one tab."""

    generate: gr.Button
    stop: gr.Button


def run_buttons(prefix: str = "", label: str = "Generate") -> RunButtons:
    """Build Generate and Stop inside the current Blocks; `prefix`: of their ids; `label`: of the first."""
    with gr.Row(elem_classes="actions"):
        generate = gr.Button(label, variant="primary", elem_id=element_id("generate", prefix), elem_classes="start-button", min_width=0)
        return RunButtons(generate, gr.Button("Stop", elem_id=element_id("stop", prefix), elem_classes="stop-button", min_width=0))


def link_button(prefix: str = "") -> gr.Button:
    """Build Link inside the current Blocks, outside of all other columns: the style sheet puts it into the header."""
    with gr.Row(elem_classes="header-link"):
        return gr.Button(BUTTON, elem_id=element_id("copy_link", prefix), elem_classes="link-button", min_width=0)


def connect_run(
    buttons: RunButtons, run: Callable[..., Any], inputs: Sequence[Any], shown: Sequence[gr.HTML], api_name: str, request: str,
    too_long: dict[str, Any] | None = None, prompt: gr.Textbox | None = None,
) -> None:  # fmt: skip
    """Let Generate start a run and Stop end it.

    Args:
        run: the streaming function; it checks `inputs` itself, so that every error has the same message everywhere.
        shown: what shows the run, the outputs of `run`.
        request: JavaScript before the run is requested: from the inputs to the inputs; it ends in `requestRun` of page/run_buttons.js.
        too_long: `most` characters of `prompt`, and the message for a run that got no answer because it has more.
    """
    private: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private", "preprocess": False}
    running = buttons.generate.click(run, list(inputs), list(shown), js=request, api_name=api_name, **CONCURRENCY, **private)
    start, button = buttons.generate.elem_id, buttons.generate.value
    failure = {"button": start, "busy": error(BUSY.format(button=button)), "cut": lost(CUT.format(button=button)), **(too_long or {})}
    running.failure(None, prompt, None, js=assets.calling(MODULE, "showFailure", failure), queue=False, **private)
    running.success(None, None, None, js=assets.calling(MODULE, "noteEnd", start), queue=False, **private)
    # run_buttons.js shows it immediately; Gradio closes the run, as the event that the button cancels
    buttons.stop.click(None, cancels=[running], **QUIET)
