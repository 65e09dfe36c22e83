"""Links to a comparison: `?tab=compare&methods=ERSD τ*,standard&draft_tokens=16,8&prompt=…&seed=3`, or `source=all` for every source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gradio as gr

from ersd.formatting import number_in
from ersd.settings import RANGES, SOURCES, Settings
from visual import assets
from visual.payload.messages import error
from visual.payload.sentences.names import field_of, in_labels, short_source, source_name
from visual.server.pairs import Pairs
from visual.server.parameters import plain_values
from visual.server.tabs.compare import EVERY_SOURCE, LANES, NAMES, NO_METHOD, SHARED_FIELDS, CompareRequest, lanes_in

from ..control_events import QUIET, chat_update
from ..links import SHARING, UNREAD, connect_copy, models_in

TAB = "compare"
METHODS, DRAFT_TOKENS = "methods", "draft_tokens"
"""Parameters with one value per method, separated by commas."""
ASKS = ("prompt", "models", METHODS, DRAFT_TOKENS, *SHARED_FIELDS)
"""A link with any of these requests a comparison, which is run."""
MODULE = "page/comparison.js"
FORM = {"names": NAMES, "lanes": LANES, "nothing": NO_METHOD, "every": EVERY_SOURCE}
"""The order of the form's values, as that module needs it (`Form`)."""


def source_choices(value: str = EVERY_SOURCE) -> list[tuple[str, str]]:
    """What the menu of sources offers; with an older link's list of one source per method, also that."""
    choices = [("every source of guesses", EVERY_SOURCE), *((f"methods, with {source_name(name)}", name) for name in SOURCES)]
    named = [name.strip() for name in value.split(",")]
    if len(named) > 1 and all(name in SOURCES for name in named):
        choices.append((f"methods, with {', '.join(map(short_source, named))}", value))
    return choices


def connect_compare_link(
    page: gr.Blocks, controls: dict[str, Any], board: gr.HTML, pairs: Pairs, usual: Settings, button: gr.Button
) -> None:
    """Let a button copy a link to the comparison, and the page open such a link. The board shows what is wrong with one."""
    parameters = {"perMethod": [METHODS, DRAFT_TOKENS], "shared": ["prompt", "models", *SHARED_FIELDS]}
    connect_copy(button, [controls[name] for name in NAMES], assets.calling(MODULE, "copyLink", {**FORM, **SHARING, **parameters}))

    def open_link(first: str, second: str, third: str, request: gr.Request) -> dict[Any, Any]:
        query = dict(request.query_params)
        if query.get("tab") != TAB or not any(name in query for name in ASKS):
            return {board: gr.skip()}
        models, problem = models_in(query, pairs.names)
        try:
            values = values_in(query, replace(usual, chat=pairs.chats(models)), (first, second, third))
        except ValueError as invalid:
            return {board: error(in_labels(str(invalid)), field_of(str(invalid)))}
        values |= {"models": models, "chat": chat_update(pairs, models, values["chat"])}
        changes: dict[Any, Any] = {controls[name]: value for name, value in values.items()}
        changes[controls["source"]] = gr.update(choices=source_choices(values["source"]), value=values["source"])
        return {**changes, board: error(in_labels(problem))} if problem else changes

    menus = [controls[f"method_{lane}"] for lane in range(1, LANES + 1)]
    outputs = [*(controls[name] for name in NAMES), board]
    # in a hidden tab the board is there when the tab is opened
    opened = page.load(open_link, menus, outputs, js=assets.calling(MODULE, "openPage"), **QUIET)
    opened.then(None, None, None, js=assets.calling(MODULE, "runLink", ASKS), **QUIET)
    opened.failure(None, None, None, js=assets.calling(MODULE, "reportUnread", ASKS, error(UNREAD)), **QUIET)


def values_in(query: Mapping[str, str], usual: Settings, methods: tuple[str, ...]) -> dict[str, Any]:
    """The controls' values for a link; what it leaves out is as in `usual` and `methods`. ValueError if a value is invalid."""
    values: dict[str, Any] = {name: plain_values(usual)[name] for name in SHARED_FIELDS}
    values |= {name: number_in(query[name]) if name in RANGES else query[name] for name in SHARED_FIELDS if name in query}
    if "prompt" in query:
        values["prompt"] = query["prompt"]
    values |= lanes_in(query.get(METHODS, ",".join(methods)), query.get(DRAFT_TOKENS, ""), usual.draft_tokens)
    first, *_ = CompareRequest(values).runs()
    return {**values, "chat": first.chat}  # in a link it is text
