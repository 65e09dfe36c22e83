"""The Learn tab: lessons. A Gradio component with the texts and most figures, and a small player for recorded steps."""

from __future__ import annotations

import gradio as gr

from visual import assets
from visual.markup import template
from visual.payload.messages import compact
from visual.server.tabs.lab import KIT as LAB_KIT
from visual.server.tabs.lessons import KIT

from ..player import PLOTLY, player, raw_html

STYLES = sorted((assets.WEB / "learn").glob("*.css"))


def learn_tab() -> None:
    """Build the tab inside the current Blocks."""
    lab = template("lab/template.html").substitute(elem_id="learn-lab")
    with gr.Column(elem_classes="lessons", elem_id="lessons", min_width=0):
        raw_html(
            elem_id="learn",
            elem_classes="lab-stage",
            html_template=template("learn/template.html").substitute(lab=lab),
            js_on_load=assets.mounting("learn/learn.js", f"element, {compact(KIT)}, {compact(LAB_KIT)}", "The lessons"),
            head=PLOTLY,
        )
        player("learn-player", led=True)
