"""The Generate tab: set up a run, watch it, step through it."""

from __future__ import annotations

from functools import partial

import gradio as gr

import ersd
from visual.player import stopped

from .arrival import LINK, arrival, copying
from .controls import controls
from .endpoints import CONCURRENT, paced, streaming, whole
from .pairs import Pairs
from .player import player
from .preview import preview
from .ties import tie

_ASK = "(...values) => { document.getElementById('player').dispatchEvent(new Event('ersd-ask')); return values; }"


def generate_tab(page: gr.Blocks, pairs: Pairs, settings: ersd.Settings, first: str) -> None:
    """Builds the tab inside the current Blocks.

    Args:
        page: the Blocks.
        pairs: the model pairs offered.
        settings: the controls' first values.
        first: the player's first message, a recorded run; may be empty.
    """
    sketch = partial(preview, pairs)
    with gr.Row(elem_classes="workbench"):
        with gr.Column(elem_classes="setup", min_width=0):
            made = controls(pairs.names, settings, sketch)
            tie(made, sketch)
            with gr.Row(elem_classes="actions"):
                start = gr.Button("Generate", variant="primary", elem_id="generate", min_width=0)
                stop = gr.Button("Stop", variant="secondary", elem_id="stop", min_width=0)
                link = gr.Button(LINK, variant="secondary", elem_id="copy-link", min_width=0)
        with gr.Column(elem_classes="stage", min_width=0):
            view = player("player", first)
    stream = streaming(pairs)
    running = start.click(
        paced(stream), made.inputs, view, js=_ASK, show_progress="hidden", api_name="watched", api_visibility="private",
        concurrency_limit=CONCURRENT, concurrency_id="run",
    )  # fmt: skip
    stop.click(stopped, None, view, cancels=[running], queue=False, show_progress="hidden", api_visibility="private")
    gr.api(stream, api_name="generate", concurrency_limit=CONCURRENT, concurrency_id="run")
    gr.api(whole(pairs), api_name="run", concurrency_limit=CONCURRENT, concurrency_id="run")
    arrival(page, pairs, made, settings, sketch, view)
    copying(made, link)
