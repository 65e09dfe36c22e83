"""What happens when a page is opened: the settings of its link are put into the controls, and the preview is drawn."""

from __future__ import annotations

import dataclasses
from typing import Any

import gradio as gr

import ersd
from visual.player import error

from . import links
from .controls import Controls, written
from .looks import method_of
from .pairs import Pairs
from .ties import QUIET, TREE, Preview, look, looking

LINK = "Link"
"""What stands on the button that copies one."""

# a message must not come before the recorded run is on the screen, or it would take its place
_MOUNTED = """async (models) => {
  for (let i = 0; i < 300 && !document.querySelector("#player[data-state]"); i++) await new Promise((go) => setTimeout(go, 30));
  return [models];
}"""
_UNCOPIED = f"() => new Promise((go) => setTimeout(() => go('{LINK}'), 1600))"


def arrival(page: gr.Blocks, pairs: Pairs, made: Controls, usual: ersd.Settings, sketch: Preview, view: gr.HTML) -> None:
    """Ties the page's opening to the controls. What is wrong with a link is said by the player, and the controls stay as usual."""
    tree = [getattr(made, name) for name in TREE]
    waiting = gr.Timer(1, active=False)

    def arrive(models: str, request: gr.Request) -> dict[Any, Any]:
        query = {name: value for name, value in request.query_params.items() if name in links.NAMES}
        try:
            return _opened(made, links.settings_in(query, usual), query, models, sketch)
        except ValueError as problem:
            return {view: error(str(problem))}

    def redraw(*values: Any) -> tuple[str, gr.Timer]:
        return sketch(**dict(zip(TREE, values, strict=True))), gr.Timer(active=pairs.coming)

    changed = dict.fromkeys([*looking(made), *_fields(made).values(), made.prompt, view])
    opened = page.load(arrive, made.models, list(changed), js=_MOUNTED, **QUIET)
    # once more when all is in its place: a field that a link changes asks for a picture before the fields after it have changed
    opened.then(redraw, tree, [made.preview, waiting], **QUIET)
    waiting.tick(redraw, tree, [made.preview, waiting], **QUIET)  # the page waits for no pair; what is measured for it comes later


def copying(made: Controls, button: gr.Button) -> None:
    """Ties the button that copies a link to the settings as they stand."""
    named = {"prompt": made.prompt, **_fields(made)}
    copied = button.click(None, [made.method, *named.values()], button, js=links.copying(list(named)), **QUIET)
    copied.then(None, None, button, js=_UNCOPIED, **QUIET)


def _fields(made: Controls) -> dict[str, Any]:
    """The components of the fields of Settings."""
    return {field.name: getattr(made, field.name) for field in dataclasses.fields(ersd.Settings)}


def _opened(made: Controls, settings: ersd.Settings, query: dict[str, str], models: str, sketch: Preview) -> dict[Any, Any]:
    """The controls with the settings of a link."""
    if not query:
        return {made.preview: gr.skip()}
    values = {**settings.to_dict(), "branching": written(settings.branching)}
    shown = look(made, {name: {**values, "models": models}[name] for name in TREE}, sketch)
    shown[made.method] = method_of(settings.algorithm, settings.topology)
    for name, component in _fields(made).items():
        shown[component] = {**shown.get(component, gr.update()), "value": values[name]}
    return {**shown, **({made.prompt: query["prompt"]} if "prompt" in query else {})}
