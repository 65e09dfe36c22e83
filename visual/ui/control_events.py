"""How the controls depend on one another: method and parts, the tree on its algorithm, and the preview on all of them."""

from __future__ import annotations

from typing import Any

import gradio as gr

from ersd.drafts.topologies import TOPOLOGIES
from ersd.rules.registry import TRAITS
from ersd.settings import METHODS, Settings
from visual import assets
from visual.payload.sentences.names import method_of
from visual.server.pairs import EMBEDDED, Pairs
from visual.server.parameters import FIELDS, plain_values

from .controls import Controls
from .field_properties import field_properties, usable_topology
from .preview import USED, preview

QUIET: dict[str, Any] = {"show_progress": "hidden", "queue": False, "api_visibility": "private", "preprocess": False}
"""An event of the page alone, answered immediately. Gradio does not check its values; Settings does, with the same messages everywhere."""

LAST_INPUT: dict[str, Any] = {**QUIET, "trigger_mode": "always_last"}
"""The same for input events: while one is answered, only the last of those that follow is kept."""

_MODULE = "page/generate.js"
_METHODS_OF = {algorithm: {topology: method_of(algorithm, topology) for topology in TOPOLOGIES} for algorithm in TRAITS}


def connect_controls(controls: Controls, pairs: Pairs) -> None:
    """Connect the events of the controls."""
    used = controls.named(USED)

    def follow(*values: Any) -> dict[Any, Any]:
        return tree_updates(controls, pairs, dict(zip(USED, values, strict=True)))

    def follow_method(_: str, *values: Any) -> dict[Any, Any]:
        return follow(*values)

    def redraw(*values: Any) -> str:
        return preview(pairs, dict(zip(USED, values, strict=True)))

    with_parts = assets.calling(_MODULE, "withParts", METHODS)
    method_js = assets.calling(_MODULE, "methodOf", _METHODS_OF)
    method, parts = controls.method, [controls.algorithm, controls.topology]
    method.input(None, [method, *parts], parts, js=assets.calling(_MODULE, "partsOf", METHODS), **LAST_INPUT)
    method.input(follow_method, [method, *used], tree_outputs(controls), js=with_parts, **LAST_INPUT)
    for part in parts:
        part.input(None, parts, method, js=method_js, **LAST_INPUT)
    # one event for all: answers of several could overtake one another, and an old one would stay
    gr.on([each.input for each in (*parts, controls.source)], follow, used, tree_outputs(controls), **LAST_INPUT)
    follow_models(controls.models, controls.chat, controls.source, pairs)
    others = (field for field in used[len(parts) :] if field not in (controls.branching, controls.source))
    gr.on([field.input for field in others], redraw, used, controls.preview, **LAST_INPUT)
    # a text field has no `input` event for pasted text; when a link changes it, the fields after it have not changed yet
    changed = controls.branching.change(None, None, None, js=assets.calling(_MODULE, "nextTask"), **LAST_INPUT)
    changed.then(redraw, used, controls.preview, **LAST_INPUT)


def chat_update(pairs: Pairs, models: str, chat: bool | None = None) -> dict[str, Any]:
    """The chat switch for a pair: as `chat`, or if that is None, on for instruct models.

    It is hidden for the embedded pair, which has no template, unless it is on and must be turned off.
    """
    value = pairs.chats(models) if chat is None else chat
    return gr.update(value=value, visible=models != EMBEDDED or value)


def follow_models(models: Any, chat: Any, source: Any, pairs: Pairs) -> None:
    """Let the chat switch and the menu of sources follow the choice of a pair, with one answer: between two, clicks were lost."""

    def follow(name: str, chosen: str) -> tuple[Any, Any]:
        return chat_update(pairs, name), _source_update(pairs, name, chosen)

    models.input(follow, [models, source], [chat, source], **LAST_INPUT)


def follow_source(models: Any, source: Any, pairs: Pairs) -> None:
    """Let the menu of sources follow the choice of a pair."""
    models.input(lambda name, chosen: _source_update(pairs, name, chosen), [models, source], source, **LAST_INPUT)


def _source_update(pairs: Pairs, models: str, chosen: str) -> Any:
    """The source for a pair: one without a draft model has its guesses from elsewhere."""
    return pairs.source(models) if chosen == "model" else gr.skip()


def tree_outputs(controls: Controls) -> list[Any]:
    """The components of `tree_updates`."""
    dependent = field_properties(controls.algorithm.value, controls.topology.value, controls.source.value)
    return controls.named(["method", *dependent, "preview"])


def tree_updates(controls: Controls, pairs: Pairs, values: dict[str, Any]) -> dict[Any, Any]:
    """The updates of the components that depend on the tree, for these values of the controls that the preview uses.

    A topology that the algorithm refuses is replaced, and the preview explains it.
    """
    algorithm = values["algorithm"]
    topology = usable_topology(algorithm, values["topology"])
    changes: dict[Any, Any] = {
        getattr(controls, name): gr.update(**properties)
        for name, properties in field_properties(algorithm, topology.name, values["source"]).items()
    }
    if topology.note:
        changes[controls.topology]["value"] = topology.name
        changes[controls.method] = method_of(algorithm, topology.name)
    changes[controls.preview] = preview(pairs, {**values, "topology": topology.name}, topology.note)
    return changes


def settings_outputs(controls: Controls) -> list[Any]:
    """The components of `settings_updates`."""
    return list(dict.fromkeys([*tree_outputs(controls), *controls.named(FIELDS), controls.models]))


def settings_updates(controls: Controls, pairs: Pairs, settings: Settings, models: str) -> dict[Any, Any]:
    """The updates that put settings and a pair into the controls."""
    values = plain_values(settings)
    changes = tree_updates(controls, pairs, {**{name: values[name] for name in USED if name in values}, "models": models})
    changes[controls.method] = method_of(settings.algorithm, settings.topology)
    for name in FIELDS:
        component = getattr(controls, name)
        changes[component] = {**changes.get(component, gr.update()), "value": values[name]}
    changes[controls.chat] = chat_update(pairs, models, settings.chat)
    changes[controls.models] = models
    return changes
