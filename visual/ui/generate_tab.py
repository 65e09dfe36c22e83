"""The Generate tab: set up a run, watch it, step through it."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from ersd.settings import MAX_CHARACTERS, METHODS, Settings
from visual import assets
from visual.payload.messages import error
from visual.payload.sentences.labels import in_labels
from visual.payload.sentences.names import menu_label
from visual.server.endpoints import PAGE, batched, generate_endpoint
from visual.server.pairs import Pairs
from visual.server.parameters import NAMES
from visual.server.queue import RUNS

from .control_events import QUIET, connect_controls
from .controls import Controls, build_controls
from .introduction import introduction
from .links import connect_link
from .page_load import connect_page_load
from .player import player
from .run_buttons import connect_run, link_button, run_buttons


@dataclass(frozen=True)
class GenerateTab:
    """The tab's components."""

    controls: Controls
    player: gr.HTML


def generate_tab(page: gr.Blocks, pairs: Pairs, usual: Settings, first: str = "") -> GenerateTab:
    """Build the tab inside the current Blocks.

    Args:
        usual: the initial values of the controls.
        first: the player's first message, a recorded run; may be empty.
    """
    with gr.Row(elem_classes="workbench"):
        with gr.Column(elem_classes="setup", min_width=0):
            gr.HTML(_HEAD, elem_classes="setup-head", apply_default_css=False, padding=False)
            controls = build_controls(usual, pairs)
            buttons = run_buttons()
        with gr.Column(elem_classes="stage", min_width=0):
            introduction()
            tab = GenerateTab(controls, player("player", first, what_if="what-if"))
    link = link_button()
    connect_controls(controls, pairs)
    _connect_match(controls)
    run = batched(RUNS.streaming(generate_endpoint(pairs, in_labels, PAGE)))
    request = assets.calling("page/generate.js", "request", NAMES, {menu_label(name): parts for name, parts in METHODS.items()})
    too_long = {"most": MAX_CHARACTERS, "tooLong": error(in_labels(f"prompt must have at most {MAX_CHARACTERS:,} characters"), "prompt")}
    connect_run(buttons, run, controls.of_a_run, [tab.player], "watched", request, too_long, controls.prompt)
    connect_link(controls, link)
    connect_page_load(page, controls, tab.player, pairs, usual)
    return tab


def _connect_match(controls: Controls) -> None:
    """Send the controls' values to the player, which marks a run of other settings."""
    compare = assets.calling("page/generate.js", "compareWithRun", NAMES)
    for control in controls.of_a_run:
        control.change(None, controls.of_a_run, None, js=compare, **QUIET)


_HEAD = '<h2>Settings</h2><button type="button" class="fold-settings" aria-expanded="true" aria-label="Settings"></button>'
