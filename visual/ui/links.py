"""Links with settings in them, `/?method=SpecInfer&seed=3`. The names are those of Settings, and `method` and `prompt`.

A link belongs to the Generate tab, or to the workbench that its `tab` names.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import gradio as gr

from ersd.drafts.topologies import TOPOLOGIES
from ersd.formatting import number_in
from ersd.rules.registry import TRAITS
from ersd.settings import RANGES, Settings, parts_of
from visual.payload.sentences.names import BY_PARTS
from visual.server.parameters import FIELDS

from .control_events import QUIET
from .element_ids import ElementIds
from .methods import usable_topology
from .workbench import Workbench

NAMES = ("prompt", "method", *FIELDS)
"""What a link may say; anything else in it belongs to others."""

BUTTON = "Link"
"""What stands on the button that copies one."""

RESTORE_BUTTON = f"() => new Promise((resolve) => setTimeout(() => resolve({json.dumps(BUTTON)}), 1600))"

SHARE = """history.replaceState(history.state, "", link);
      try {
        await navigator.clipboard.writeText(link);
      } catch {
        return "See address"; // clipboards are only for pages from a secure address
      }
      return "Copied";"""
"""The browser's part of copying a link: it goes into the address bar and the clipboard, and the button says what became of it."""


def addressed_to(ids: ElementIds, query: Mapping[str, str]) -> dict[str, str]:
    """What an address, by its query, says to the workbench with these ids."""
    if query.get("tab", ElementIds().tab) != ids.tab:
        return {}
    return {name: value for name, value in query.items() if name in NAMES}


def settings_in(query: Mapping[str, str], usual: Settings) -> Settings:
    """The settings a link asks for; what it leaves out is as in `usual`. ValueError in the words of Settings."""
    values: dict[str, Any] = usual.to_dict()
    if "method" in query:
        values["algorithm"], values["topology"] = parts_of(query["method"])
    values |= {name: number_in(query[name]) if name in RANGES else query[name] for name in values if name in query}
    if "topology" not in query and values["algorithm"] in TRAITS and values["topology"] in TOPOLOGIES:
        values["topology"] = usable_topology(values["algorithm"], values["topology"]).name
    return Settings(**values)


def connect_link(workbench: Workbench, button: gr.Button) -> None:
    """Lets a button copy a link to the settings as they stand."""
    names = ["prompt", *FIELDS]
    values = workbench.controls.named(["method", *names])
    copied = button.click(None, values, button, js=_copy_link(workbench.ids, names), **QUIET)
    copied.then(None, None, button, js=RESTORE_BUTTON, **QUIET)


def _copy_link(ids: ElementIds, names: list[str]) -> str:
    """The browser's part: puts a link to method and these fields, as they stand, into the address bar and the clipboard."""
    fields = [{"name": name, "id": ids.of(name), "part": name in ("algorithm", "topology")} for name in names]
    tab = f'link.searchParams.set("tab", {json.dumps(ids.tab)});' if ids.prefix else ""
    return f"""async (method, ...values) => {{
      const link = new URL(location.origin + location.pathname);
      {tab}
      const named = method !== {json.dumps(BY_PARTS)};
      if (named) link.searchParams.set("method", method);
      {json.dumps(fields)}.forEach((field, i) => {{
        const inUse = document.getElementById(field.id);
        if (inUse && !(named && field.part) && values[i] != null) link.searchParams.set(field.name, values[i]);
      }});
      // where in its run the reader is, as long as it is the run of these settings
      const {{ step, vertex, stale }} = document.getElementById({json.dumps(ids.of("player"))}).dataset;
      if (stale !== "true" && Number(step) > 0) link.searchParams.set("step", step);
      if (stale !== "true" && vertex !== undefined) link.searchParams.set("vertex", vertex);
      {SHARE}
    }}"""
