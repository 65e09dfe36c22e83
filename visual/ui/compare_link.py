"""Links to a comparison: `?tab=compare&methods=ERSD τ*,standard&draft_tokens=16,8&prompt=…&seed=3`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import gradio as gr

from ersd.formatting import number_in
from ersd.settings import RANGES, Settings
from visual.payload.messages import error
from visual.payload.sentences.labels import field_of, in_labels
from visual.server.compare import LANES, NAMES, NOTHING, SHARED_FIELDS, CompareRequest
from visual.server.parameters import plain_values

from .control_events import QUIET
from .element_ids import ElementIds
from .links import RESTORE_BUTTON, SHARE

TAB = "compare"
METHODS, DRAFT_TOKENS = "methods", "draft_tokens"
"""What a link says of each method, in order, with commas between them."""
ASKS = ("prompt", METHODS, DRAFT_TOKENS, *SHARED_FIELDS)
"""A link that says any of these asks for a comparison, which is run."""


def connect_compare_link(
    page: gr.Blocks, controls: dict[str, Any], board: gr.HTML, ids: ElementIds, usual: Settings, button: gr.Button
) -> None:
    """Lets a button copy a link to the comparison as it stands, and the page open such a link. What is wrong with it the board says."""
    copied = button.click(None, [controls[name] for name in NAMES], button, js=_COPY_LINK, **QUIET)
    copied.then(None, None, button, js=RESTORE_BUTTON, **QUIET)
    menus = [f"method_{place}" for place in range(1, LANES + 1)]

    def open_link(first: str, second: str, third: str, request: gr.Request) -> dict[Any, Any]:
        query = dict(request.query_params)
        if query.get("tab") != TAB or not _says_something(query):
            return {board: gr.skip()}
        try:
            values = values_in(query, usual, (first, second, third))
        except ValueError as problem:
            return {board: error(in_labels(str(problem)), field_of(str(problem)))}
        return {controls[name]: value for name, value in values.items()}

    changed = [*(controls[name] for name in NAMES if name != "models"), board]
    opened = page.load(open_link, [controls[name] for name in menus], changed, js=_WAIT_FOR_BOARD, **QUIET)
    opened.then(None, None, None, js=_RUN_LINK.replace("IDS", json.dumps(ids.of("generate"))), **QUIET)


def _says_something(query: Mapping[str, str]) -> bool:
    return any(name in query for name in ASKS)


def values_in(query: Mapping[str, str], usual: Settings, methods: tuple[str, ...]) -> dict[str, Any]:
    """The values of the controls that a link asks for; what it leaves out is as usual. ValueError in the words of Settings."""
    values: dict[str, Any] = {name: plain_values(usual)[name] for name in SHARED_FIELDS}
    values |= {name: number_in(query[name]) if name in RANGES else query[name] for name in SHARED_FIELDS if name in query}
    if "prompt" in query:
        values["prompt"] = query["prompt"]
    named = query[METHODS].split(",") if METHODS in query else list(methods)
    if not 2 <= len(named) <= LANES:
        raise ValueError(f"method must be 2 to {LANES} names with commas between them, got {len(named)} in the link")
    drafted = [number_in(one) for one in query.get(DRAFT_TOKENS, "").split(",")] if query.get(DRAFT_TOKENS) else []
    for place in range(LANES):
        values[f"method_{place + 1}"] = named[place] if place < len(named) else NOTHING
        values[f"draft_tokens_{place + 1}"] = drafted[place] if place < len(drafted) else usual.draft_tokens
    first, *_ = CompareRequest(values).runs()
    return {**values, "chat": first.chat}  # a link writes it as a word


_COPY_LINK = f"""async (...values) => {{
  const names = {json.dumps(NAMES)};
  const of = (name) => values[names.indexOf(name)];
  const link = new URL(location.origin + location.pathname);
  link.searchParams.set("tab", {json.dumps(TAB)});
  const lanes = Array.from({{ length: {LANES} }}, (_, lane) => [of(`method_${{lane + 1}}`), of(`draft_tokens_${{lane + 1}}`)]);
  const used = lanes.filter(([method]) => method !== {json.dumps(NOTHING)});
  [{json.dumps(METHODS)}, {json.dumps(DRAFT_TOKENS)}].forEach((name, part) => {{
    link.searchParams.set(name, used.map((lane) => lane[part]).join(","));
  }});
  for (const name of {json.dumps(["prompt", *SHARED_FIELDS])}) link.searchParams.set(name, of(name));
  {SHARE}
}}"""
"""The browser's part: puts a link to the comparison as it stands into the address bar and the clipboard."""

_WAIT_FOR_BOARD = """async (...methods) => {
  if (new URLSearchParams(location.search).get("tab") !== "compare") return methods;
  const isThere = () => document.getElementById("compare")?.dataset.state && document.getElementById("compare-1")?.dataset.state;
  while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 50));
  return methods;
}"""
"""The browser's part: on a tab that is not in view the board is there when the tab is opened."""

_RUN_LINK = f"""() => {{
  const query = new URLSearchParams(location.search);
  const asks = {json.dumps(ASKS)}.some((name) => query.has(name));
  const board = document.getElementById("compare");
  if (query.get("tab") === {json.dumps(TAB)} && asks && board.dataset.state !== "error") document.getElementById(IDS).click();
}}"""
"""The browser's part: a link to a comparison runs it."""
