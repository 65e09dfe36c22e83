"""What happens when a page is opened: the settings of its link are put into the controls, and the preview is drawn."""

from __future__ import annotations

import json
from typing import Any

import gradio as gr

from ersd.settings import Settings
from visual.payload.messages import error
from visual.payload.sentences.labels import field_of, in_labels
from visual.payload.sentences.names import method_of
from visual.server.parameters import FIELDS, plain_values
from visual.ui import links

from .control_events import QUIET, updated, updates
from .element_ids import ElementIds
from .preview import USED
from .workbench import Workbench


def connect_page_load(page: gr.Blocks, workbench: Workbench) -> None:
    """Ties the page's opening to the controls. What is wrong with a link is said by the player, and the controls stay as usual."""
    controls, preview = workbench.controls, workbench.preview
    used = controls.named(USED)
    pair_is_loading = gr.Timer(1, active=False)

    def open_link(models: str, request: gr.Request) -> dict[Any, Any]:
        query = links.addressed_to(workbench.ids, dict(request.query_params))
        if not query:
            return {controls.preview: gr.skip()}
        try:
            settings = links.settings_in(query, workbench.usual)
        except ValueError as problem:
            return {workbench.player: error(in_labels(str(problem)), field_of(str(problem)))}
        changes = with_settings(workbench, settings, models)
        return {**changes, **({controls.prompt: query["prompt"]} if "prompt" in query else {})}

    def redraw(*values: Any) -> tuple[str, gr.Timer]:
        return preview.html(dict(zip(USED, values, strict=True))), gr.Timer(active=preview.pairs.loading)

    opened = page.load(open_link, controls.models, changed_by_settings(workbench), js=_wait_for_player(workbench.ids), **QUIET)
    # when all is in its place
    drawn = opened.then(redraw, used, [controls.preview, pair_is_loading], **QUIET)
    drawn.then(None, None, None, js=_run_link(workbench.ids), **QUIET)
    # the page waits for no pair; what is measured for it comes later
    pair_is_loading.tick(redraw, used, [controls.preview, pair_is_loading], **QUIET)


def _wait_for_player(ids: ElementIds) -> str:
    """The browser's part: a message must not come before the recorded run is on the screen, or it would take its place.

    On a tab that is not in view that is when the tab is opened.
    """
    return f"""async (models) => {{
      const isThere = () => document.getElementById({json.dumps(ids.of("player"))})?.dataset.state;
      while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 50));
      return [models];
    }}"""


def _run_link(ids: ElementIds) -> str:
    """The browser's part: a link to a run opens that run, at its step and vertex, and not the recorded one."""
    return f"""() => {{
      const query = new URLSearchParams(location.search);
      const player = document.getElementById({json.dumps(ids.of("player"))});
      const isOurs = (query.get("tab") ?? {json.dumps(ElementIds().tab)}) === {json.dumps(ids.tab)};
      const names = {json.dumps([*links.NAMES, "step"])};
      if (!isOurs || !names.some((name) => query.has(name)) || player.dataset.state === "error") return;
      const [step, vertex] = ["step", "vertex"].map((name) => (query.has(name) ? Number(query.get(name)) : undefined));
      player.dispatchEvent(new CustomEvent("ersd-view", {{ detail: {{ step, vertex }} }}));
      document.getElementById({json.dumps(ids.of("generate"))}).click();
    }}"""


def changed_by_settings(workbench: Workbench) -> list[Any]:
    """The components that `with_settings` changes, the prompt and the player."""
    controls = workbench.controls
    return list(dict.fromkeys([*updated(controls), *controls.named(FIELDS), controls.prompt, workbench.player]))


def with_settings(workbench: Workbench, settings: Settings, models: str) -> dict[Any, Any]:
    """The changes that put settings into the controls."""
    controls, values = workbench.controls, plain_values(settings)
    changes = updates(controls, {**{name: values[name] for name in USED if name in values}, "models": models}, workbench.preview)
    changes[controls.method] = method_of(settings.algorithm, settings.topology)
    for name in FIELDS:
        component = getattr(controls, name)
        changes[component] = {**changes.get(component, gr.update()), "value": values[name]}
    return changes
