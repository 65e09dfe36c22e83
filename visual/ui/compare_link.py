"""Links to a comparison: `?tab=compare&methods=ERSD τ*,standard&draft_tokens=16,8&prompt=…&seed=3`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gradio as gr

from ersd.formatting import number_in
from ersd.settings import RANGES, Settings
from visual.payload.messages import error
from visual.payload.sentences.labels import field_of, in_labels
from visual.server.compare import LANES, NAMES, NOTHING, SHARED_FIELDS, CompareRequest, lanes_in
from visual.server.pairs import Pairs
from visual.server.parameters import plain_values

from .control_events import QUIET, chat_update
from .links import SHARE, connect_copy, models_in

TAB = "compare"
METHODS, DRAFT_TOKENS = "methods", "draft_tokens"
"""Parameters with one value per method, separated by commas."""
ASKS = ("prompt", "models", METHODS, DRAFT_TOKENS, *SHARED_FIELDS)
"""A link with any of these requests a comparison, which is run."""


def connect_compare_link(
    page: gr.Blocks, controls: dict[str, Any], board: gr.HTML, pairs: Pairs, usual: Settings, button: gr.Button
) -> None:
    """Let a button copy a link to the comparison, and the page open such a link. The board shows what is wrong with one."""
    connect_copy(button, [controls[name] for name in NAMES], _COPY)

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
        changes = {controls[name]: value for name, value in values.items()}
        return {**changes, board: error(in_labels(problem))} if problem else changes

    menus = [controls[f"method_{lane}"] for lane in range(1, LANES + 1)]
    outputs = [*(controls[name] for name in NAMES), board]
    opened = page.load(open_link, menus, outputs, js=_WAIT_FOR_BOARD, **QUIET)
    opened.then(None, None, None, js=_RUN_LINK, **QUIET)


def values_in(query: Mapping[str, str], usual: Settings, methods: tuple[str, ...]) -> dict[str, Any]:
    """The controls' values for a link; what it leaves out is as in `usual` and `methods`. ValueError if a value is invalid."""
    values: dict[str, Any] = {name: plain_values(usual)[name] for name in SHARED_FIELDS}
    values |= {name: number_in(query[name]) if name in RANGES else query[name] for name in SHARED_FIELDS if name in query}
    if "prompt" in query:
        values["prompt"] = query["prompt"]
    values |= lanes_in(query.get(METHODS, ",".join(methods)), query.get(DRAFT_TOKENS, ""), usual.draft_tokens)
    first, *_ = CompareRequest(values).runs()
    return {**values, "chat": first.chat}  # in a link it is text


_COPY = f"""async (...values) => {{
  const names = {json.dumps(NAMES)};
  const of = (name) => values[names.indexOf(name)];
  const link = new URLSearchParams();
  link.set("tab", {json.dumps(TAB)});
  const lanes = Array.from({{ length: {LANES} }}, (_, lane) => [of(`method_${{lane + 1}}`), of(`draft_tokens_${{lane + 1}}`)]);
  const used = lanes.filter(([method]) => method !== {json.dumps(NOTHING)});
  [{json.dumps(METHODS)}, {json.dumps(DRAFT_TOKENS)}].forEach((name, part) => {{
    link.set(name, used.map((lane) => lane[part]).join(","));
  }});
  for (const name of {json.dumps(["prompt", "models", *SHARED_FIELDS])}) link.set(name, of(name) ?? "");
  {SHARE}
}}"""

_WAIT_FOR_BOARD = """async (...methods) => {
  if (new URLSearchParams(location.search).get("tab") !== "compare") return methods;
  const isMounted = () => document.getElementById("compare")?.dataset.state && document.getElementById("compare-1")?.dataset.state;
  while (!isMounted()) await new Promise((resolve) => setTimeout(resolve, 50));
  return methods;
}"""
"""In a hidden tab the board is mounted when the tab is opened."""

_RUN_LINK = f"""() => {{
  const query = new URLSearchParams(location.search);
  const asks = {json.dumps(ASKS)}.some((name) => query.has(name));
  const board = document.getElementById("compare");
  if (query.get("tab") === {json.dumps(TAB)} && asks && board.dataset.state !== "error") {{
    document.getElementById("compare-generate").click();
  }}
}}"""
