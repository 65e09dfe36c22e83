"""The Compare tab, on one prompt and seed and one scrubber: every source of guesses on one text, or two or three methods side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gradio as gr

from ersd.drafts.topologies import TREES
from ersd.rules.registry import TRAITS
from ersd.settings import Settings
from visual import assets
from visual.payload.sentences.names import LABELS, every_method, method_choices
from visual.server.pairs import Pairs
from visual.server.tabs import compare_recorded
from visual.server.tabs.compare import EVERY_SOURCE, LANES, NAMES, NO_METHOD, compare_endpoint

from ..control_events import LAST_INPUT, QUIET, follow_models
from ..controls import PROMPT, Fields
from ..player import player
from ..run_buttons import connect_run, link_button, run_buttons
from .compare_board import board, results
from .compare_link import ASKS, FORM, MODULE, TAB, connect_compare_link, source_choices

METHODS = ("ERSD τ*", "standard", "one by one")
"""The initial methods."""
PREFIX = "compare-"
"""Of the ids of the controls and buttons."""


def compare_tab(page: gr.Blocks, pairs: Pairs, usual: Settings) -> None:
    """Build the tab inside the current Blocks; `usual`: the initial values of the controls other than the methods."""
    settings = replace(usual, draft_tokens=compare_recorded.DRAFT_TOKENS, seed=compare_recorded.SEED)
    with gr.Column(elem_classes="comparison", elem_id="comparison", min_width=0):
        with gr.Row(elem_classes="compare-setup"):
            controls = _controls(settings, pairs)
            buttons = run_buttons(PREFIX)
        compare_recorded.traces()  # a damaged one is reported when the page starts
        top = board("compare", {"address": compare_recorded.ADDRESS, "tab": TAB, "unless": list(ASKS)})
        with gr.Row(elem_classes="lanes"):
            players = [player(f"compare-{lane}", led=True) for lane in range(1, LANES + 1)]
        results("compare")
    follow_models(controls["models"], controls["chat"], controls["source"], pairs)
    for lane in range(1, LANES + 1):
        method, draft_tokens = controls[f"method_{lane}"], controls[f"draft_tokens_{lane}"]
        method.change(lambda name: gr.update(interactive=_uses_k(name)), method, draft_tokens, **LAST_INPUT)
    controls["source"].change(None, controls["source"], None, js=assets.calling(MODULE, "showMethods", EVERY_SOURCE), **QUIET)
    inputs = [controls[name] for name in NAMES]
    connect_run(buttons, compare_endpoint(pairs), inputs, [*players, top], "compared", assets.calling(MODULE, "request", FORM))
    connect_compare_link(page, controls, top, pairs, settings, link_button(PREFIX))


def _controls(settings: Settings, pairs: Pairs) -> dict[str, Any]:
    """The controls, by the names of `compare.NAMES`."""
    fields = Fields(settings, PREFIX)
    controls: dict[str, Any] = {}
    with gr.Column(elem_classes="compare-prompt", min_width=0):
        controls["prompt"] = gr.Textbox(PROMPT, label="Prompt", lines=1, max_lines=3, **fields.identity("prompt"))
    with gr.Column(elem_classes="compare-source", min_width=0):
        controls["source"] = fields.menu("source", "Compare", source_choices(), value=EVERY_SOURCE, info=None)
    for lane, name in enumerate(METHODS, 1):
        with gr.Row(elem_classes="compare-method"):
            menu, drafted = f"method_{lane}", f"draft_tokens_{lane}"
            choices = [*method_choices(), *([("No third method", NO_METHOD)] if lane == LANES else [])]
            controls[menu] = gr.Dropdown(
                choices, value=name, label="Method" if lane == 1 else f"Method {lane}", min_width=0, **fields.identity(menu)
            )
            controls[drafted] = gr.Number(
                settings.draft_tokens, label="k", step=1, min_width=0, interactive=_uses_k(name), **fields.identity(drafted)
            )
    with gr.Row(elem_classes="compare-shared"):
        for name in ("max_new_tokens", "seed"):
            controls[name] = fields.number(name, LABELS[name], 1)
    with gr.Column(elem_classes="advanced", min_width=0):
        fields.fold()
        with gr.Row(elem_classes="compare-advanced"):
            for name, step in (("temperature", 0.1), ("top_k", 1.0), ("top_p", 0.05)):
                controls[name] = fields.number(name, LABELS[name], step)

            def fields_of(algorithm: str, topology: str) -> Fields:
                """Fields as they are where this method uses them."""
                return Fields(replace(settings, algorithm=algorithm, topology=topology), PREFIX)

            controls["leniency"] = fields_of("lossy", "sequence").number("leniency", "Leniency (biased)", 0.05)
            controls["branching"] = fields_of("gsd", "specinfer").text("branching", "Branching (SpecInfer tree)")
            controls["sequences"] = fields_of("gsd", "multi_sequence").number("sequences", "Sequences", 1)
            controls["models"] = gr.Dropdown(pairs.names, value=pairs.names[0], label="Models", **fields.identity("models"))
            controls["chat"] = fields.chat(pairs.names[0])
            controls["keys"] = fields.keys()
        fields.fed()
    return controls


def _uses_k(method: str) -> bool:
    """Whether this method has a number of drafted tokens."""
    algorithm, topology = every_method().get(method, ("autoregressive", "sequence"))
    return TRAITS[algorithm].drafts and "draft_tokens" in TREES[topology].fields
