"""The buttons Generate, Stop and Link of a tab, and what Generate and Stop do."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from visual.payload.messages import stopped
from visual.server.endpoints import CONCURRENCY

from .control_events import QUIET
from .controls import element_id
from .links import BUTTON


@dataclass(frozen=True)
class RunButtons:
    """The buttons of one tab."""

    generate: gr.Button
    stop: gr.Button
    link: gr.Button


def run_buttons(prefix: str = "") -> RunButtons:
    """Build the buttons inside the current Blocks; `prefix`: of their ids."""

    def button(text: str, name: str, style: str, variant: str = "secondary") -> gr.Button:
        return gr.Button(text, variant=variant, elem_id=element_id(name, prefix), elem_classes=style, min_width=0)  # type: ignore[arg-type]

    with gr.Row(elem_classes="actions"):
        return RunButtons(
            button("Generate", "generate", "start-button", "primary"),
            button("Stop", "stop", "stop-button"),
            button(BUTTON, "copy_link", "link-button"),
        )


def connect_run(
    buttons: RunButtons, run: Callable[..., Any], inputs: Sequence[Any], shown: Sequence[gr.HTML], api_name: str, request: str, lost: str,
    lost_inputs: gr.Textbox | None = None,
) -> None:  # fmt: skip
    """Let Generate start a run and Stop end it.

    Args:
        run: the streaming function; it checks `inputs` itself, so that every error has the same message everywhere.
        shown: what shows the run, the outputs of `run`.
        request: JavaScript before the run is requested: from the inputs to the inputs.
        lost: JavaScript after a run that got no answer, or none to its end: from `lost_inputs` to the outputs.
    """
    private: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private", "preprocess": False}
    running = buttons.generate.click(run, list(inputs), list(shown), js=request, api_name=api_name, **CONCURRENCY, **private)
    running.failure(None, lost_inputs, list(shown), js=lost, queue=False, **private)
    # ersdStop shows it immediately; Gradio closes the run, as the event that the button cancels
    ids = [each.elem_id for each in shown]
    stop = f"() => ersdStop({json.dumps(ids)}, {json.dumps(buttons.generate.elem_id)}, {json.dumps(stopped())})"
    buttons.stop.click(None, js=stop, cancels=[running], **QUIET)
