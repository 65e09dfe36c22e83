"""The Lab tab: one Gradio component, whose script asks the lab's route (visual/server/tabs/lab.py) and draws the answers."""

from __future__ import annotations

from visual import assets
from visual.markup import template
from visual.payload.messages import compact
from visual.server.tabs.lab import KIT

from ..player import PLOTLY, raw_html

STYLES = sorted((assets.WEB / "lab").glob("*.css"))


def lab_tab() -> None:
    """Build the tab inside the current Blocks."""
    raw_html(
        elem_id="lab",
        elem_classes="lab-stage",
        html_template=template("lab/template.html").substitute(elem_id="lab"),
        js_on_load=assets.mounting("lab/lab.js", f"element, {compact(KIT)}", "The lab"),
        head=PLOTLY,
    )
