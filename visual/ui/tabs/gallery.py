"""The Gallery tab: a card for each recorded run or pair of runs, which opens them in the player of the Generate tab."""

from __future__ import annotations

import re
from html import escape
from typing import Any

import gradio as gr

from visual import assets
from visual.payload.gallery import CARDS, Card
from visual.payload.gallery.card import OPEN
from visual.payload.tree.preview import picture
from visual.server.pairs import EMBEDDED, Pairs
from visual.server.recorded import gallery_trace, views

from ..control_events import QUIET, settings_outputs, settings_updates
from ..controls import Controls
from ..player import raw_html


def gallery_tab(controls: Controls, pairs: Pairs) -> None:
    """Build the cards inside the current Blocks; `controls`: those of the Generate tab."""
    with gr.Row(elem_classes="gallery"):
        for card in CARDS:
            with gr.Column(elem_classes="exhibit", min_width=0):
                raw_html(_html(card))
                with gr.Row(elem_classes="exhibit-buttons"):
                    for name in card.runs:
                        button = gr.Button(card.labels.get(name, OPEN), elem_id=f"gallery-{name}", min_width=0)
                        _connect(button, controls, pairs, name)


def _connect(button: gr.Button, controls: Controls, pairs: Pairs, name: str) -> None:
    """Let a button open a run: the player shows it, and the controls get its settings."""

    def settings(models: str) -> dict[Any, Any]:
        trace = gallery_trace(name)
        pair = EMBEDDED if EMBEDDED in pairs.names else models
        return {**settings_updates(controls, pairs, trace.settings, pair), controls.prompt: trace.prompt}

    # two events: the browser opens the run itself (gallery.js), so that nothing waits for the controls
    opened = assets.calling("page/gallery.js", "openRecorded", {"name": name, "tab": "tab-generate", "player": "player"})
    button.click(None, None, None, js=opened, **QUIET)
    button.click(settings, controls.models, [*settings_outputs(controls), controls.prompt], **QUIET)


def _html(card: Card) -> str:
    """A card without its buttons: the tree of the step it shows, its title, and what happens there."""
    traces, shown = [gallery_trace(name) for name in card.runs], views(card)
    step = traces[0].steps[shown[0].step]
    sentences = "".join(f"<p>{_boxed(sentence)}</p>" for sentence in card.tell(traces, shown))
    return f"<h2>{escape(card.title, quote=False)}</h2>{picture(step.parents, step.ranks, set(step.path))}{sentences}"


def _boxed(sentence: str) -> str:
    """A sentence as HTML, its tokens in boxes."""
    return re.sub("“(.*?)”", r'<span class="ersd-tok">\1</span>', escape(sentence, quote=False))
