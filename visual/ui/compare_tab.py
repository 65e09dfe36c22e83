"""The Compare tab: two or three methods on one prompt and seed, side by side, on one scrubber."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import gradio as gr

from ersd.rules.registry import TRAITS
from ersd.settings import Settings
from visual.payload.messages import error
from visual.payload.sentences.labels import LABELS
from visual.payload.sentences.names import every_method
from visual.server import compare_recorded
from visual.server.compare import LANES, NAMES, NOTHING, comparing
from visual.server.endpoints import BUSY, SHARED
from visual.server.pairs import Pairs

from .compare_board import board, results
from .compare_link import ASKS, TAB, connect_compare_link
from .control_events import QUIET, about_chat
from .controls import PROMPT, Fields
from .element_ids import ElementIds
from .links import BUTTON
from .player import player
from .stop import stop_in_browser


@dataclass(frozen=True)
class CompareTab:
    """What the tab is made of."""

    ids: ElementIds
    controls: dict[str, Any]
    """by the names of `compare_run.NAMES`"""
    shown: list[gr.HTML]
    """the players and, last, the board"""

    @property
    def inputs(self) -> list[Any]:
        """The controls in the order in which a comparison is asked for."""
        return [self.controls[name] for name in NAMES]


def compare_tab(page: gr.Blocks, pairs: Pairs, usual: Settings) -> None:
    """Builds the tab inside the current Blocks; `usual`: what the controls hold at first, the methods apart."""
    ids = ElementIds("compare-")
    settings = replace(usual, draft_tokens=compare_recorded.DRAFT_TOKENS, seed=compare_recorded.SEED)
    with gr.Column(elem_classes="comparison", elem_id="comparison", min_width=0):
        with gr.Row(elem_classes="compare-setup"):
            controls = _controls(ids, settings, pairs)
            with gr.Row(elem_classes="actions"):
                start = gr.Button("Generate", variant="primary", elem_id=ids.of("generate"), elem_classes="start-button", min_width=0)
                stop = gr.Button("Stop", variant="secondary", elem_id=ids.of("stop"), elem_classes="stop-button", min_width=0)
                link = gr.Button(BUTTON, variant="secondary", elem_id=ids.of("copy_link"), elem_classes="link-button", min_width=0)
        compare_recorded.traces()  # one that is damaged is told when the page starts
        top = board("compare", {"address": compare_recorded.ADDRESS, "tab": TAB, "unless": ASKS})
        with gr.Row(elem_classes="lanes"):
            players = [player(f"compare-{place + 1}", led=True) for place in range(LANES)]
        results("compare")
    tab = CompareTab(ids, controls, [*players, top])
    _connect_methods(tab)
    models = controls["models"]
    models.input(lambda name: about_chat(pairs, name), models, controls["chat"], **{**QUIET, "trigger_mode": "always_last"})
    _connect_run(tab, pairs, start, stop)
    connect_compare_link(page, tab.controls, top, ids, settings, link)


def _controls(ids: ElementIds, settings: Settings, pairs: Pairs) -> dict[str, Any]:
    fields = Fields(ids, settings)
    controls: dict[str, Any] = {}
    with gr.Column(elem_classes="compare-prompt", min_width=0):
        controls["prompt"] = gr.Textbox(PROMPT, label="Prompt", lines=1, max_lines=3, **fields.identity("prompt"))
    for place in range(1, LANES + 1):
        with gr.Row(elem_classes="compare-method"):
            menu, drafted = f"method_{place}", f"draft_tokens_{place}"
            choices = [*every_method(), *([NOTHING] if place == LANES else [])]
            name = list(compare_recorded.METHODS.values())[place - 1]
            controls[menu] = gr.Dropdown(choices, value=name, label=f"Method {place}", min_width=0, **fields.identity(menu))
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
            plain = Fields(ids, replace(settings, algorithm="lossy", topology="sequence"))
            controls["leniency"] = plain.number("leniency", "Leniency (lossy)", 0.05)
            plain = Fields(ids, replace(settings, algorithm="gsd", topology="specinfer"))
            controls["branching"] = plain.text("branching", "Branching (SpecInfer tree)")
            plain = Fields(ids, replace(settings, algorithm="gsd", topology="multi_sequence"))
            controls["sequences"] = plain.number("sequences", "Chains (multi-sequence)", 1)
            controls["models"] = gr.Dropdown(pairs.names, value=pairs.names[0], label="Models", **fields.identity("models"))
            controls["chat"] = fields.chat(pairs.names[0])
    return controls


def _uses_k(method: str) -> bool:
    """Is a number of drafted tokens used by this method?"""
    algorithm, topology = every_method().get(method, ("autoregressive", ""))
    return TRAITS[algorithm].drafts and topology != "specinfer"


def _connect_methods(tab: CompareTab) -> None:
    """A number of drafted tokens can be changed where it is used."""
    for place in range(1, LANES + 1):
        method = tab.controls[f"method_{place}"]
        method.change(
            lambda name: gr.update(interactive=_uses_k(name)),
            method, tab.controls[f"draft_tokens_{place}"], **{**QUIET, "trigger_mode": "always_last"},
        )  # fmt: skip


def _connect_run(tab: CompareTab, pairs: Pairs, start: gr.Button, stop: gr.Button) -> None:
    """Lets one button start a comparison and another stop it."""
    private: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private", "preprocess": False}
    running = start.click(comparing(pairs), tab.inputs, tab.shown, js=_ask(), api_name="compared", **SHARED, **private)
    running.failure(None, None, tab.shown, js=_say_it_was_lost(tab.ids), queue=False, **private)
    shown = ["compare", *(f"compare-{place + 1}" for place in range(LANES))]
    stop.click(None, js=stop_in_browser(shown, tab.ids.of("generate")), cancels=[running], **QUIET)


def _ask() -> str:
    """The browser's part: tells board and players that a comparison is asked for, so that the wait for its beginning is seen; once they are
    there, as what is sent to a player before is lost."""
    last = NAMES.index(f"method_{LANES}")
    return f"""async (...values) => {{
      const lanes = values[{last}] === {json.dumps(NOTHING)} ? {LANES - 1} : {LANES};
      const ids = ["compare", ...Array.from({{ length: lanes }}, (_, place) => `compare-${{place + 1}}`)];
      const all = ids.map((id) => document.getElementById(id));
      while (!all.every((one) => one.dataset.state)) await new Promise((resolve) => setTimeout(resolve, 50));
      document.querySelector(".comparison").dataset.lanes = lanes;
      for (const one of all) one.dispatchEvent(new Event("ersd-ask"));
      return values;
    }}"""


def _say_it_was_lost(ids: ElementIds) -> str:
    """The browser's part: a comparison that got no answer, or none to its end, is said to be over."""
    return f"""() => {{
      const isLost = ersdFailed({json.dumps(ids.of("generate"))}) && document.getElementById("compare").dataset.state === "running";
      return Array({LANES + 1}).fill(isLost ? {json.dumps(error(BUSY))} : "");
    }}"""
