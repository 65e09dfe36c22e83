"""Opening the page: the controls take the settings of its link, and the preview is drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import gradio as gr

from ersd.settings import Settings
from visual import assets
from visual.payload.messages import error
from visual.payload.sentences.names import field_of, in_labels
from visual.server import saved
from visual.server.pairs import Pairs
from visual.server.parameters import NAMES

from . import links
from .control_events import QUIET, settings_outputs, settings_updates
from .controls import Controls
from .preview import USED, preview


def connect_page_load(page: gr.Blocks, controls: Controls, player: gr.HTML, pairs: Pairs, usual: Settings) -> None:
    """Connect the page's load event. The player shows what is wrong with a link; with an invalid value the controls stay as they are."""
    used = controls.named(USED)
    pair_is_loading = gr.Timer(1, active=False)

    remembered = gr.Textbox(visible="hidden")

    def open_link(last: str, request: gr.Request) -> dict[Any, Any]:
        query = links.for_generate_tab(dict(request.query_params))
        if links.TRACE in query:
            return {player: open_trace(query[links.TRACE])}
        if not query:
            return open_remembered(last)
        models, problem = links.models_in(query, pairs.names)
        try:
            settings = links.settings_in(query, replace(usual, chat=pairs.chats(models)))
        except ValueError as invalid:
            return {player: error(in_labels(str(invalid)), field_of(str(invalid)))}
        changes = settings_updates(controls, pairs, settings, models)
        if "prompt" in query:
            changes[controls.prompt] = query["prompt"]
        if problem:
            changes[player] = error(in_labels(problem))  # of no field: the controls are about to change
        return changes

    def open_trace(name: str) -> str:
        try:
            return saved.load_shared_trace(name)
        except ValueError as problem:
            return error(str(problem))

    def open_remembered(last: str) -> dict[Any, Any]:
        """The settings of the last run in this browser; as they are by default if they fit no more."""
        query = dict(parse_qsl(last, keep_blank_values=True))
        models, problem = links.models_in(query, pairs.names)
        try:
            settings = links.settings_in(query, replace(usual, chat=pairs.chats(models)))
        except ValueError:
            problem = "refused"
        if not query or problem:
            return {controls.preview: gr.skip()}
        return {**settings_updates(controls, pairs, settings, models), controls.prompt: query.get("prompt", "")}

    def redraw(*values: Any) -> tuple[str, gr.Timer]:
        return preview(pairs, dict(zip(USED, values, strict=True))), gr.Timer(active=pairs.loading)

    outputs = [*settings_outputs(controls), controls.prompt, player]
    # in a hidden tab the player is there when the tab is opened
    opened = page.load(open_link, remembered, outputs, js=assets.calling("page/generate.js", "openPage"), **QUIET)
    asking = {"names": [*links.NAMES, "step"], "trace": links.TRACE}
    opened.then(None, None, None, js=assets.calling("page/generate.js", "runLink", asking), **QUIET)
    opened.failure(None, None, None, js=assets.calling("page/generate.js", "reportUnread", asking, error(links.UNREAD)), **QUIET)
    drawn = opened.then(redraw, used, [controls.preview, pair_is_loading], **QUIET)
    # a field that a link shows for the first time reports no change
    drawn.then(None, controls.of_a_run, None, js=assets.calling("page/generate.js", "compareWithRun", NAMES), **QUIET)
    # the page does not wait for the pair; its measured rank distribution comes later
    pair_is_loading.tick(redraw, used, [controls.preview, pair_is_loading], **QUIET)
