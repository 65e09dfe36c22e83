"""The Generate tab: set up a run, watch it, step through it; above it the introduction, until the first action in a browser."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from ersd.settings import MAX_CHARACTERS, METHODS, Settings
from visual import assets
from visual.markup import template
from visual.payload.lessons import languages, read_labels
from visual.payload.messages import error
from visual.payload.sentences.formatting import escape
from visual.payload.sentences.names import in_labels, menu_label
from visual.server.endpoints import PAGE, batched, generate_endpoint
from visual.server.pairs import Pairs
from visual.server.parameters import NAMES
from visual.server.queue import RUNS

from ..control_events import QUIET, connect_controls
from ..controls import Controls, build_controls, settings_head
from ..links import NAMES as LINK_NAMES, TRACE, connect_link
from ..page_load import connect_page_load
from ..player import player, raw_html
from ..run_buttons import connect_run, link_button, run_buttons

SKIPPED_BY = (*LINK_NAMES, TRACE, "step", "vertex", "tab", "lesson", "figure", "view")
"""Parameters of an address that asks for a run, a step, a tab or the page for a room: it is opened without the introduction."""


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
            settings_head()
            controls = build_controls(usual, pairs)
            buttons = run_buttons()
        with gr.Column(elem_classes="stage", min_width=0):
            _introduction()
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


def _introduction() -> None:
    """A sentence and two ways on, once in each language of the lessons: the browser keeps one (web/introduction)."""
    html = template("introduction/introduction.html")
    texts = []
    for language in languages():
        labels = {name: escape(text) for name, text in read_labels(language).items()}
        texts.append(html.substitute(labels, language=language))
    raw_html(f'<div class="introduction-place"><div>{"".join(texts)}</div></div>')


def introduction_head() -> str:
    """What the script of the introduction needs in the page's head."""
    return f'<meta name="ersd-links" content="{" ".join(SKIPPED_BY)}">'


def _connect_match(controls: Controls) -> None:
    """Send the controls' values to the player, which marks a run of other settings."""
    compare = assets.calling("page/generate.js", "compareWithRun", NAMES)
    for control in controls.of_a_run:
        control.change(None, controls.of_a_run, None, js=compare, **QUIET)
