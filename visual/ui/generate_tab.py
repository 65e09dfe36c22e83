"""The Generate tab: set up a run, watch it, step through it."""

from __future__ import annotations

import json
from typing import Any

import gradio as gr

from ersd.settings import MOST_CHARACTERS, Settings
from visual.payload.messages import error
from visual.payload.sentences.labels import in_labels
from visual.server.endpoints import BUSY, SHARED, TURNS, in_beats, streaming
from visual.server.pairs import Pairs
from visual.server.parameters import NAMES

from .control_events import QUIET, connect_controls
from .controls import build_controls
from .element_ids import ElementIds
from .links import BUTTON, connect_link
from .page_load import connect_page_load
from .player import player
from .preview import Preview
from .stop import stop_in_browser
from .workbench import Workbench


def generate_tab(page: gr.Blocks, pairs: Pairs, usual: Settings, first: str = "", prefix: str = "") -> Workbench:
    """Builds a workbench inside the current Blocks.

    Args:
        page: the Blocks.
        pairs: the model pairs offered.
        usual: the controls' first values.
        first: the player's first message, a recorded run; may be empty.
        prefix: of all ids, different for each workbench of a page; empty for the Generate tab.
    """
    ids = ElementIds(prefix)
    preview = Preview(pairs, topology_menu=ids.of("topology"))
    with gr.Row(elem_classes="workbench"):
        with gr.Column(elem_classes="setup", min_width=0):
            controls = build_controls(ids, usual, preview)
            with gr.Row(elem_classes="actions"):
                start = gr.Button("Generate", variant="primary", elem_id=ids.of("generate"), elem_classes="start-button", min_width=0)
                stop = gr.Button("Stop", variant="secondary", elem_id=ids.of("stop"), elem_classes="stop-button", min_width=0)
                link = gr.Button(BUTTON, variant="secondary", elem_id=ids.of("copy_link"), elem_classes="link-button", min_width=0)
        with gr.Column(elem_classes="stage", min_width=0):
            workbench = Workbench(ids, usual, controls, preview, player(ids.of("player"), first, what_if=ids.of("what_if")))
    connect_controls(controls, preview)
    _connect_match(workbench)
    _connect_run(workbench, pairs, start, stop)
    connect_link(workbench, link)
    connect_page_load(page, workbench)
    return workbench


def _connect_run(workbench: Workbench, pairs: Pairs, start: gr.Button, stop: gr.Button) -> None:
    """Lets one button start a run and another stop it."""
    # unchecked by Gradio, as the engine checks: what is wrong is told in the same words everywhere
    private: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private", "preprocess": False}
    running = start.click(
        in_beats(TURNS.streaming(streaming(pairs, in_labels, "page"))), workbench.controls.of_a_run, workbench.player,
        js=_ask(workbench.ids), api_name=workbench.ids.of("watched"), **SHARED, **private,
    )  # fmt: skip
    running.failure(None, workbench.controls.prompt, workbench.player, js=_say_it_was_lost(workbench.ids), queue=False, **private)
    stop.click(None, js=stop_in_browser([workbench.ids.of("player")], workbench.ids.of("generate")), cancels=[running], **QUIET)


def _connect_match(workbench: Workbench) -> None:
    """Tells the player what stands in the controls, so that it can say when its run is of other settings."""
    tell = f"""(...values) => {{
      const names = {json.dumps(NAMES)};
      const detail = Object.fromEntries(names.map((name, place) => [name, values[place]]));
      document.getElementById({json.dumps(workbench.ids.of("player"))})?.dispatchEvent(new CustomEvent("ersd-controls", {{ detail }}));
    }}"""
    for control in workbench.controls.of_a_run:
        control.change(None, workbench.controls.of_a_run, None, js=tell, **QUIET)


def _ask(ids: ElementIds) -> str:
    """The browser's part: tells the player that a run is asked for, so that the wait for its beginning is seen."""
    return f"""(...values) => {{
      document.getElementById({json.dumps(ids.of("player"))}).dispatchEvent(new Event("ersd-ask"));
      return values;
    }}"""


def _say_it_was_lost(ids: ElementIds) -> str:
    """The browser's part: a run that got no answer, or none to its end, is said to be over, so that the page can be used again."""
    long = in_labels(f"prompt must have at most {MOST_CHARACTERS:,} characters")
    return f"""(prompt) => {{
      if (!ersdFailed({json.dumps(ids.of("generate"))})) return undefined;
      if (document.getElementById({json.dumps(ids.of("player"))}).dataset.state !== "running") return undefined;
      return prompt?.length > {MOST_CHARACTERS} ? {json.dumps(error(long, "prompt"))} : {json.dumps(error(BUSY))};
    }}"""
