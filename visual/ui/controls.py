"""The controls of a run. Ranges and help come from `ersd.settings`; what is allowed is checked there too, in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import gradio as gr

from ersd.settings import ALGORITHMS, HELP, METHODS, TOPOLOGIES, Settings
from visual.payload.sentences.glossary import BY_ID
from visual.payload.sentences.labels import LABELS
from visual.payload.sentences.names import BY_PARTS, algorithm_name, method_of, topology_name
from visual.server.pairs import EMBEDDED
from visual.server.parameters import NAMES, plain_values

from .element_ids import ElementIds
from .field_properties import field_info, field_properties
from .preview import Preview

_FOLD = "<details><summary>Advanced settings</summary></details>"
# a style sheet that looks for the open details is made to look again by all that changes in the fields
_SAY_OPEN = """element.querySelector("details").addEventListener("toggle", ({ target }) =>
  target.closest(".advanced").toggleAttribute("data-open", target.open))"""
_ABOUT_MODELS = f"target ← draft; the embedded storyteller: {BY_ID['storyteller'].sentence}"
PROMPT = "Once upon a time there was a little girl named"


@dataclass(frozen=True)
class Controls:
    """The components, named as in Settings."""

    prompt: gr.Textbox
    method: gr.Dropdown
    algorithm: gr.Dropdown
    topology: gr.Dropdown
    draft_tokens: gr.Number
    branching: gr.Textbox
    sequences: gr.Number
    leniency: gr.Number
    preview: gr.HTML
    temperature: gr.Number
    top_k: gr.Number
    top_p: gr.Number
    max_new_tokens: gr.Number
    seed: gr.Number
    models: gr.Dropdown
    chat: gr.Checkbox

    def named(self, names: Iterable[str]) -> list[Any]:
        """The components of these names."""
        return [getattr(self, name) for name in names]

    @property
    def of_a_run(self) -> list[Any]:
        """In the order of the endpoints' parameters."""
        return self.named(NAMES)


def build_controls(ids: ElementIds, settings: Settings, preview: Preview) -> Controls:
    """Builds the controls inside the current Blocks, with the values of `settings` and the pairs that the preview knows."""
    fields = Fields(ids, settings)
    prompt = gr.Textbox(PROMPT, label="Prompt", lines=2, max_lines=5, info="the text both models continue", **fields.identity("prompt"))
    method = fields.menu(
        "method", "Method", [*METHODS, BY_PARTS], value=method_of(settings.algorithm, settings.topology),
        info="a published method by its name: an algorithm and a draft tree; or any two of them, by parts",
    )  # fmt: skip
    with gr.Column(elem_classes="parts", min_width=0):
        algorithms = [(algorithm_name(name), name) for name in ALGORITHMS]
        algorithm = fields.menu("algorithm", "Algorithm", algorithms, value=settings.algorithm, info=HELP["algorithm"])
        topologies = [(topology_name(name), name) for name in TOPOLOGIES]
        topology = fields.menu("topology", "Draft tree", topologies, value=settings.topology)
        with gr.Row(elem_classes="fields"):
            draft_tokens = fields.number("draft_tokens", "Drafted tokens", 1)
            branching = fields.text("branching", "Branching")
            sequences = fields.number("sequences", "Sequences", 1)
            leniency = fields.number("leniency", "Leniency (biased)", 0.05)
        pairs = preview.pairs
        models = [(f"{name} ({pairs.about(name)})" if pairs.about(name) else name, name) for name in pairs.names]
        drawn = gr.HTML(
            preview.html({**settings.to_dict(), "models": pairs.names[0]}),
            apply_default_css=False,
            padding=False,
            **fields.identity("preview"),
        )
    with gr.Row(elem_classes="fields"):
        max_new_tokens = fields.number("max_new_tokens", "Length", 1)
        seed = fields.number("seed", "Seed", 1)
    # not an Accordion: what that folds away is not on the page, and links take what is
    with gr.Column(elem_classes="advanced", min_width=0):
        fields.fold()
        with gr.Row(elem_classes="fields"):
            temperature = fields.number("temperature", "Temperature", 0.1)
            top_k = fields.number("top_k", "Top-k", 1)
            top_p = fields.number("top_p", "Top-p", 0.05)
        pair = fields.menu("models", "Models", models, value=pairs.names[0], info=_ABOUT_MODELS)
        chat = fields.chat(pairs.names[0])
    return Controls(
        prompt=prompt, method=method, algorithm=algorithm, topology=topology, draft_tokens=draft_tokens, branching=branching,
        sequences=sequences, leniency=leniency, preview=drawn, temperature=temperature, top_k=top_k, top_p=top_p,
        max_new_tokens=max_new_tokens, seed=seed, models=pair, chat=chat,
    )  # fmt: skip


class Fields:
    """Makes the fields of one workbench, each with its id, its style class, its first value and its explanation."""

    def __init__(self, ids: ElementIds, settings: Settings) -> None:
        self._ids = ids
        self._values = plain_values(settings)
        self._properties = field_properties(settings.algorithm, settings.topology)

    def identity(self, name: str) -> dict[str, Any]:
        """Scripts and tests find a component by its id, the style sheet, one for all workbenches, by its class."""
        return {"elem_id": self._ids.of(name), "elem_classes": "field-" + name.replace("_", "-")}

    def menu(self, name: str, label: str, choices: list[Any], **more: Any) -> gr.Dropdown:
        """A choice from a list."""
        return gr.Dropdown(choices, label=label, **self.identity(name), **self._properties.get(name, {}), **more)

    def number(self, name: str, label: str, step: float) -> gr.Number:
        """A number."""
        properties = {"info": field_info(name), **self._properties.get(name, {})}
        return gr.Number(self._values[name], label=label, step=step, min_width=60, **self.identity(name), **properties)

    def text(self, name: str, label: str) -> gr.Textbox:
        """A line of text."""
        properties = {"info": field_info(name), **self._properties.get(name, {})}
        return gr.Textbox(self._values[name], label=label, max_lines=1, min_width=60, **self.identity(name), **properties)

    def fold(self) -> gr.HTML:
        """What unfolds the column of advanced fields that it stands in."""
        return gr.HTML(_FOLD, js_on_load=_SAY_OPEN, apply_default_css=False, padding=False, **self.identity("fold"))

    def chat(self, models: str) -> gr.Checkbox:
        """The switch for the chat template; the embedded pair has none."""
        return gr.Checkbox(
            self._values["chat"], label=LABELS["chat"], info=HELP["chat"], visible=models != EMBEDDED, **self.identity("chat")
        )
