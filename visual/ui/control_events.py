"""What follows what in the controls: parts a method, a method its parts, the tree its algorithm, and the preview all of these."""

from __future__ import annotations

import json
from typing import Any

import gradio as gr

from ersd.drafts.topologies import TOPOLOGIES
from ersd.rules.registry import TRAITS
from ersd.settings import METHODS
from visual.payload.sentences.names import method_of
from visual.server.pairs import EMBEDDED, Pairs

from .controls import Controls
from .field_properties import field_properties
from .methods import usable_topology
from .preview import USED, Preview

QUIET: dict[str, Any] = {"show_progress": "hidden", "queue": False, "api_visibility": "private", "preprocess": False}
"""An event of the page alone, answered at once. Values come as they stand in the controls, not checked by Gradio: Settings checks them,
so that what is wrong is told in the same words everywhere."""

# in the browser, so that Generate pressed at once runs what was chosen, and no late answer undoes a newer choice
_PARTS_OF_METHOD = f"({json.dumps(METHODS)})[name] || [algorithm, topology]"
_SET_PARTS = f"(name, algorithm, topology) => {_PARTS_OF_METHOD}"
_WITH_PARTS = f"(name, algorithm, topology, ...others) => [name, ...({_PARTS_OF_METHOD}), ...others]"
_METHODS_OF = {algorithm: {topology: method_of(algorithm, topology) for topology in TOPOLOGIES} for algorithm in TRAITS}
_SET_METHOD = f"(algorithm, topology) => ({json.dumps(_METHODS_OF)})[algorithm]?.[topology]"

_A_MOMENT_LATER = "() => new Promise((resolve) => setTimeout(() => resolve([]), 0))"


def connect_controls(controls: Controls, preview: Preview) -> None:
    """Lets the controls follow one another."""
    used = controls.named(USED)

    def follow(*values: Any) -> dict[Any, Any]:
        return updates(controls, dict(zip(USED, values, strict=True)), preview)

    def follow_method(_: str, *values: Any) -> dict[Any, Any]:
        return follow(*values)

    def redraw(*values: Any) -> str:
        return preview.html(dict(zip(USED, values, strict=True)))

    method, parts = controls.method, [controls.algorithm, controls.topology]
    # while one answer is under way, of all further choices and keys only the last asks for another
    last: dict[str, Any] = {**QUIET, "trigger_mode": "always_last"}
    method.input(None, [method, *parts], parts, js=_SET_PARTS, **last)
    method.input(follow_method, [method, *used], updated(controls), js=_WITH_PARTS, **last)
    for part in parts:
        part.input(None, parts, method, js=_SET_METHOD, **last)
        part.input(follow, used, updated(controls), **last)
    controls.models.input(lambda name: about_chat(preview.pairs, name), controls.models, controls.chat, **last)
    for field in used[len(parts) :]:
        if field is not controls.branching:
            field.input(redraw, used, controls.preview, **last)
    # a text field has no `input` event for what is pasted into it; when a link changes it, the fields after it are not changed yet
    changed = controls.branching.change(None, None, None, js=_A_MOMENT_LATER, **last)
    changed.then(redraw, used, controls.preview, **last)


def about_chat(pairs: Pairs, models: str) -> dict[str, Any]:
    """What becomes of the chat switch where this pair is chosen: on for instruct models, not there for the embedded pair."""
    return gr.update(value=pairs.chats(models), visible=models != EMBEDDED)


def updated(controls: Controls) -> list[Any]:
    """The components that `updates` changes."""
    dependent = field_properties(controls.algorithm.value, controls.topology.value)
    return controls.named(["method", *dependent, "preview"])


def updates(controls: Controls, values: dict[str, Any], preview: Preview) -> dict[Any, Any]:
    """What becomes of the components at these values of the controls that the preview uses.

    A topology that the algorithm refuses is replaced, and the preview says why.
    """
    algorithm = values["algorithm"]
    topology = usable_topology(algorithm, values["topology"])
    changes: dict[Any, Any] = {
        getattr(controls, name): gr.update(**properties) for name, properties in field_properties(algorithm, topology.name).items()
    }
    if topology.note:
        changes[controls.topology]["value"] = topology.name
        changes[controls.method] = method_of(algorithm, topology.name)
    changes[controls.preview] = preview.html({**values, "topology": topology.name}, topology.note)
    return changes
