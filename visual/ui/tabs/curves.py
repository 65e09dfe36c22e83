"""The Curves tab: accepted tokens and speed against the number of drafted tokens, measured on the chosen pair."""

from __future__ import annotations

from typing import Any

import gradio as gr

from ersd.curves import Plan
from ersd.curves.plan import ALLOWED_DRAFTED, CALLS, TEXTS
from visual import assets
from visual.markup import template
from visual.payload.curves.message import KIT
from visual.payload.messages import compact
from visual.server.pairs import Pairs
from visual.server.tabs.curves import NAMES, curves_endpoint, recorded
from visual.server.tabs.pays import KIT as PAYS_KIT

from ..control_events import follow_source
from ..controls import Fields, settings_head
from ..player import PLOTLY, raw_html
from ..run_buttons import MODULE, connect_run, run_buttons

PREFIX = "curves-"
"""Of the ids of the controls and buttons."""
STYLES = sorted((assets.WEB / "curves").glob("*.css"))


def curves_tab(pairs: Pairs, fields: Fields) -> None:
    """Build the tab inside the current Blocks. `fields`: makes the controls, with PREFIX."""
    with gr.Row(elem_classes="workbench"):
        with gr.Column(elem_classes="setup curves-setup", min_width=0):
            settings_head()
            engine = template("pays/engine.html").substitute(elem_id="curves")
            raw_html(engine, elem_classes="curves-engine")
            controls = _controls(pairs, fields)
            buttons = run_buttons(PREFIX, "Measure")
        with gr.Column(elem_classes="stage curves-stage", min_width=0):
            shown = raw_html(
                recorded(),
                elem_id="curves",
                html_template=template("curves/template.html").substitute(elem_id="curves"),
                js_on_load=assets.mounting("curves/curves.js", f"element, {compact(KIT)}, {compact(PAYS_KIT)}, props, watch", "The curves"),
                head=PLOTLY,
            )
    follow_source(controls["models"], controls["source"], pairs)
    request = assets.calling(MODULE, "requestRun", buttons.generate.elem_id, [shown.elem_id])
    connect_run(buttons, curves_endpoint(pairs), [controls[name] for name in NAMES], [shown], "curved", request)


def _controls(pairs: Pairs, fields: Fields) -> dict[str, Any]:
    """The controls, by the names of `curves.NAMES`."""
    plan = Plan()
    first, second = plan.temperatures
    controls: dict[str, Any] = {}
    controls["models"] = gr.Dropdown(pairs.names, value=pairs.names[0], label="Models", **fields.identity("models"))
    controls["source"] = fields.source()
    with gr.Row(elem_classes="fields"):
        controls["temperature_1"] = gr.Number(
            first, label="Temperatures", step=0.1, min_width=60, info="0 to 5", **fields.identity("temperature_1")
        )
        controls["temperature_2"] = gr.Number(
            second, label="and", step=0.1, min_width=60, info="a second temperature, or empty", **fields.identity("temperature_2")
        )
    drafted = ", ".join(map(str, plan.drafted))
    controls["drafted"] = gr.Textbox(
        drafted, label="Drafted tokens, k", max_lines=1, min_width=60, info=f"{ALLOWED_DRAFTED}: one dot each", **fields.identity("drafted")
    )
    with gr.Row(elem_classes="fields"):
        controls["texts"] = gr.Number(
            plan.texts, label="Texts", step=1, min_width=60, info=f"{TEXTS}: more make the error bars shorter", **fields.identity("texts")
        )
        controls["calls"] = gr.Number(
            plan.calls, label="Calls each", step=1, min_width=60, info=f"target calls in each text, {CALLS}", **fields.identity("calls")
        )
    with gr.Column(elem_classes="advanced", min_width=0):
        fields.fold()
        controls["seed"] = gr.Number(plan.seed, label="Seed", step=1, min_width=60, **fields.identity("seed"))
        prompts = "\n".join(plan.prompts)
        controls["prompts"] = gr.Textbox(
            prompts, label="Prompts", lines=4, max_lines=8, info="one a line, used in turns", **fields.identity("prompts")
        )
    return controls
