"""What hangs together in the controls: a method and its parts, an algorithm and the trees it allows, all of these and the preview."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import gradio as gr

import ersd
from ersd.rules import RULES
from ersd.settings import TOPOLOGIES

from .controls import Controls
from .looks import fallback, looks, method_of

Preview = Callable[..., str]

QUIET: dict[str, Any] = {"show_progress": "hidden", "queue": False, "api_visibility": "private"}

TREE = ("algorithm", "topology", "draft_tokens", "branching", "sequences", "leniency", "models")
"""What the preview is drawn from."""

# in the browser, so that Generate pressed at once runs what was chosen, and no late answer undoes a newer choice
_PARTS = f"({json.dumps(ersd.METHODS)})[name] || [algorithm, topology]"
_SET_PARTS = f"(name, algorithm, topology) => {_PARTS}"
_WITH_PARTS = f"(name, algorithm, topology, ...others) => [name, ...({_PARTS}), ...others]"
_METHODS_OF = {algorithm: {topology: method_of(algorithm, topology) for topology in TOPOLOGIES} for algorithm in RULES}
_SET_METHOD = f"(algorithm, topology) => ({json.dumps(_METHODS_OF)})[algorithm]?.[topology]"


def tie(made: Controls, preview: Preview) -> None:
    """Lets the controls follow one another."""
    tree = [getattr(made, name) for name in TREE]

    def follow(*values: Any) -> dict[Any, Any]:
        return look(made, dict(zip(TREE, values[-len(TREE) :], strict=True)), preview)

    def redraw(*values: Any) -> str:
        return preview(**dict(zip(TREE, values, strict=True)))

    parts = [made.algorithm, made.topology]
    quiet = {**QUIET, "trigger_mode": "always_last"}
    made.method.input(None, [made.method, *parts], parts, js=_SET_PARTS, **quiet)
    made.method.input(follow, [made.method, *tree], looking(made), js=_WITH_PARTS, **quiet)
    for part in parts:
        part.input(None, parts, made.method, js=_SET_METHOD, **quiet)
        part.input(follow, tree, looking(made), **quiet)
    # while one picture is under way, of all further keys only the last asks for another
    for field in tree[2:]:
        # a text field has no `input` event for what is pasted into it
        event = field.change if field is made.branching else field.input
        event(redraw, tree, made.preview, **quiet)


def looking(made: Controls) -> list[Any]:
    """The components that `look` changes."""
    return [made.method, made.topology, made.draft_tokens, made.branching, made.sequences, made.leniency, made.preview]


def look(made: Controls, fields: dict[str, Any], preview: Preview) -> dict[Any, Any]:
    """How the controls look for these values of TREE. A topology that the algorithm refuses is replaced, and the preview says why."""
    algorithm = fields["algorithm"]
    topology, note = fallback(algorithm, fields["topology"])
    shown: dict[Any, Any] = {getattr(made, name): gr.update(**properties) for name, properties in looks(algorithm, topology).items()}
    if note:
        shown[made.topology]["value"] = topology
        shown[made.method] = method_of(algorithm, topology)
    return {**shown, made.preview: preview(**{**fields, "topology": topology}, note=note)}
