"""The controls of a run. Ranges, help and checks come from `ersd.settings`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import gradio as gr

from ersd.settings import ALGORITHMS, HELP, KEYS, SOURCES, TOPOLOGIES, Settings
from visual import assets
from visual.payload.sentences.glossary import BY_ID
from visual.payload.sentences.names import LABELS, METHOD_LABELS, SOURCE_LABELS, algorithm_name, menu_label, method_of, topology_name
from visual.server.pairs import EMBEDDED, Pairs
from visual.server.parameters import NAMES, plain_values

from .field_properties import field_info, field_properties
from .player import raw_html
from .preview import preview

PROMPT = "Once upon a time there was a little girl named"
_MODELS_INFO = f"target ← draft; the embedded storyteller: {BY_ID['storyteller'].sentence}"

_REMEMBER = '<label><input type="checkbox" id="remember" checked> Remember these settings in this browser</label>'
"""Off: what was remembered is forgotten (page/remember.js)."""
_SETTINGS_HEAD = '<h2>Settings</h2><button type="button" class="fold-settings" aria-expanded="true" aria-label="Settings"></button>'
_FOLD = "<details><summary>More settings</summary></details>"


def element_id(name: str, prefix: str = "") -> str:
    """The id of a control: `draft_tokens` is `draft-tokens`, or `compare-draft-tokens` with the prefix `compare-`."""
    return prefix + name.replace("_", "-")


@dataclass(frozen=True)
class Controls:
    """The components of the Generate tab's controls, named as in Settings."""

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
    source: gr.Dropdown
    keys: gr.Dropdown
    price: gr.Number
    frequent_tokens: gr.Number

    def named(self, names: Iterable[str]) -> list[Any]:
        """The components with these names."""
        return [getattr(self, name) for name in names]

    @property
    def of_a_run(self) -> list[Any]:
        """The components in the order of the endpoints' parameters."""
        return self.named(NAMES)


def settings_head() -> None:
    """The title of a column of settings, and the button that folds it (page/sidebar.js)."""
    mark_folded = assets.mounting("page/sidebar.js", "element", entry="markFolded")
    raw_html(_SETTINGS_HEAD, elem_classes="setup-head", js_on_load=mark_folded)


def build_controls(settings: Settings, pairs: Pairs) -> Controls:
    """Build the controls inside the current Blocks, with the values of `settings`."""
    fields = Fields(settings)
    built: dict[str, Any] = {}
    models = [(f"{name} ({pairs.about(name)})" if pairs.about(name) else name, name) for name in pairs.names]
    built["models"] = fields.menu("models", "Models", models, value=pairs.names[0], info=_MODELS_INFO)
    built["prompt"] = gr.Textbox(
        PROMPT, label="Prompt", lines=2, max_lines=5, info="the text both models continue", **fields.identity("prompt")
    )
    methods = [(menu_label(name), name) for name in METHOD_LABELS]
    about = "a published method; other combinations of algorithm and draft tree are under More settings"
    built["method"] = fields.menu("method", "Method", methods, value=method_of(settings.algorithm, settings.topology), info=about)
    with gr.Row(elem_classes="fields"):
        built["draft_tokens"] = fields.number("draft_tokens", "Drafted tokens, k", 1)
        built["price"] = fields.number("price", LABELS["price"], 0.05)
    with gr.Row(elem_classes="fields"):
        built["branching"] = fields.text("branching", "Branching")
        built["sequences"] = fields.number("sequences", "Sequences", 1)
        built["leniency"] = fields.number("leniency", "Leniency (biased)", 0.05)
    built["source"] = fields.source()
    drawn = preview(pairs, {**settings.to_dict(), "models": pairs.names[0]})
    built["preview"] = raw_html(drawn, **fields.identity("preview"))
    fields.source_shown()
    with gr.Row(elem_classes="fields"):
        built["seed"] = fields.number("seed", "Seed", 1)
        built["max_new_tokens"] = fields.number("max_new_tokens", "Length", 1)
    # not an Accordion, which takes folded fields off the page: links copy the fields that are on it
    with gr.Column(elem_classes="advanced", min_width=0):
        fields.fold()
        with gr.Row(elem_classes="fields"):
            built["temperature"] = fields.number("temperature", "Temperature", 0.1)
            built["top_k"] = fields.number("top_k", "Top-k", 1)
            built["top_p"] = fields.number("top_p", "Top-p", 0.05)
        algorithms = [(algorithm_name(name), name) for name in ALGORITHMS]
        built["algorithm"] = fields.menu("algorithm", "Algorithm", algorithms, value=settings.algorithm, info=HELP["algorithm"])
        topologies = [(topology_name(name), name) for name in TOPOLOGIES]
        built["topology"] = fields.menu("topology", "Draft tree", topologies, value=settings.topology)
        built["chat"] = fields.chat(pairs.names[0])
        built["frequent_tokens"] = fields.number("frequent_tokens", LABELS["frequent_tokens"], 256)
        built["keys"] = fields.keys()
        fields.fed()
        raw_html(_REMEMBER, elem_classes="remember")
    return Controls(**built)


class Fields:
    """Makes fields, each with its id, style class, initial value and explanation."""

    def __init__(self, settings: Settings, prefix: str = "") -> None:
        """`settings`: the initial values; `prefix`: of the ids."""
        self._prefix = prefix
        self._values = plain_values(settings)
        self._properties = field_properties(settings.algorithm, settings.topology, settings.source)

    def identity(self, name: str) -> dict[str, Any]:
        """Id and class of a component: scripts and tests find it by its id, the style sheet by its class."""
        return {"elem_id": element_id(name, self._prefix), "elem_classes": "field-" + element_id(name)}

    def menu(self, name: str, label: str, choices: list[Any], **more: Any) -> gr.Dropdown:
        """A choice from a list."""
        return gr.Dropdown(choices, label=label, **self.identity(name), **{**self._properties.get(name, {}), **more})

    def number(self, name: str, label: str, step: float) -> gr.Number:
        """A number."""
        properties = {"value": self._values[name], **self._explained(name)}
        return gr.Number(label=label, step=step, min_width=60, **self.identity(name), **properties)

    def text(self, name: str, label: str) -> gr.Textbox:
        """A line of text."""
        return gr.Textbox(self._values[name], label=label, max_lines=1, min_width=60, **self.identity(name), **self._explained(name))

    def _explained(self, name: str) -> dict[str, Any]:
        return {"info": field_info(name), **self._properties.get(name, {})}

    def fold(self) -> gr.HTML:
        """What unfolds the column of advanced fields around it."""
        mark_open = assets.mounting("page/sidebar.js", "element", entry="markOpen")
        return raw_html(_FOLD, js_on_load=mark_open, **self.identity("fold"))

    def fed(self) -> gr.HTML:
        """The prompt as the models read it; the players of the tab fill it in."""
        return raw_html('<div class="ersd-fed-place"></div>', elem_classes="fed")

    def source_shown(self) -> gr.HTML:
        """What there is to see of the source of a run; the player fills it in."""
        place = '<div class="ersd-sources-place ersd-source-picture"></div>'
        return raw_html(place, **self.identity("source_shown"))

    def source(self) -> gr.Dropdown:
        """Where the guesses come from."""
        offered = [(SOURCE_LABELS[name], name) for name in SOURCES]
        return self.menu("source", LABELS["source"], offered, value=self._values["source"])

    def keys(self) -> gr.Dropdown:
        """What clocks depend on."""
        choices = [(label, name) for name, label in KEYS.items()]
        return self.menu("keys", LABELS["keys"], choices, value=self._values["keys"], info=HELP["keys"])

    def chat(self, models: str) -> gr.Checkbox:
        """The switch for the chat template; the embedded pair has none."""
        return gr.Checkbox(
            self._values["chat"], label=LABELS["chat"], info=HELP["chat"], visible=models != EMBEDDED, **self.identity("chat")
        )
