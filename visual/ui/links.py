"""Links to a run, `/?method=SpecInfer&seed=3`: names of Settings, `method`, `prompt` and `models`. They belong to the Generate tab."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gradio as gr

from ersd.drafts.topologies import TOPOLOGIES
from ersd.formatting import number_in, quoted
from ersd.rules.registry import TRAITS
from ersd.settings import RANGES, Settings, parts_of
from visual import assets
from visual.payload.sentences.names import BY_PARTS
from visual.server.parameters import NAMES as PARAMETERS
from visual.server.startup import space_address

from .control_events import QUIET
from .controls import Controls, element_id
from .field_properties import usable_topology

NAMES = ("method", *PARAMETERS)
"""What a link to a run may contain; other parameters belong to others."""
TRACE = "trace"
"""A link to a trace beside the page has its name instead, and perhaps a step."""

UNREAD = "The server did not answer, so this link was not opened: reload the page."
"""What stands where a link would have run, if its settings did not arrive."""

BUTTON = "Link"
"""Label of the button that copies a link."""

MAX_CHARACTERS = 8_000
"""Characters of a link, percent-encoded. RFC 9110 asks servers to take 8,000; proxies such as nginx refuse more than about 8,190."""

SHARING = {"most": MAX_CHARACTERS, "space": space_address()}
"""What sharing a link depends on (`Sharing` in page/share.js)."""


def for_generate_tab(query: Mapping[str, str]) -> dict[str, str]:
    """The parameters of an address that are meant for the Generate tab."""
    if query.get("tab", "generate") != "generate":
        return {}
    return {name: value for name, value in query.items() if name in (*NAMES, TRACE)}


def models_in(query: Mapping[str, str], offered: Sequence[str]) -> tuple[str, str]:
    """The pair of a link, or the default one, and what is wrong: a link may want models that this server does not offer."""
    usual = offered[0]
    wanted = query.get("models", usual)
    if wanted in offered:
        return wanted, ""
    instead = f"Nothing was run: Generate runs the other settings of the link with {usual}."
    return usual, f"models must be one of {', '.join(offered)}, got {quoted(wanted)} in the link. {instead}"


def settings_in(query: Mapping[str, str], usual: Settings) -> Settings:
    """The settings of a link; what it leaves out is as in `usual`. ValueError from Settings if a value is invalid."""
    values: dict[str, Any] = usual.to_dict()
    if "method" in query:
        values["algorithm"], values["topology"] = parts_of(query["method"])
    values |= {name: number_in(query[name]) if name in RANGES else query[name] for name in values if name in query}
    if "topology" not in query and values["algorithm"] in TRAITS and values["topology"] in TOPOLOGIES:
        values["topology"] = usable_topology(values["algorithm"], values["topology"]).name
    return Settings(**values)


def connect_copy(button: gr.Button, inputs: list[Any], copy: str) -> None:
    """Let a button run JavaScript that copies a link, show its result for a moment, then its own label."""
    restore = assets.calling("page/share.js", "restoreLabel", BUTTON)
    button.click(None, inputs, button, js=copy, **QUIET).then(None, None, button, js=restore, **QUIET)


def connect_link(controls: Controls, button: gr.Button) -> None:
    """Let a button copy a link to the current settings."""
    fields = [{"name": name, "id": element_id(name), "isPart": name in ("algorithm", "topology")} for name in PARAMETERS]
    copy = assets.calling("page/generate.js", "copyLink", {**SHARING, "byParts": BY_PARTS, "fields": fields})
    connect_copy(button, controls.named(NAMES), copy)
