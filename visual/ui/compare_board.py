"""The board of the Compare tab as Gradio components: one scrubber for several players, their texts beside one another, table and plot.

It leads the players of the element around it that has the class `comparison`. `types.js` has the types of the messages it understands,
which `visual.payload.compare` makes.
"""

from __future__ import annotations

from string import Template
from typing import Any

import gradio as gr

from visual.payload.compare import KIT, PLOT_HEIGHT
from visual.payload.messages import compact
from visual.server import static_files

from .transport import transport

STYLES = sorted((static_files.WEB / "compare").glob("*.css"))
SPEEDS = (1, 2, 4, 8, 16)
"""Calls per second."""
_SAY_SO = "(problem) => { console.error(problem); element.prepend(`This could not be loaded; reload the page. (${problem})`); }"


def board(elem_id: str, recorded: dict[str, Any]) -> gr.HTML:
    """The scrubber and the strips of a comparison inside the current Blocks; every message of `visual.payload.compare` that becomes its value is
    shown, and at first what is recorded.

    Args:
        elem_id: its id; its parts are called `<elem_id>-status` and so on.
        recorded: where to fetch it, and which links show a run of their own instead (`WhereRecorded` of types.js).
    """
    kit = compact({**KIT, "recorded": recorded})
    start = static_files.mounting("compare/board.js", f"element, {kit}, props, watch", _SAY_SO)
    return gr.HTML("", elem_id=elem_id, html_template=_template("board.html", elem_id), js_on_load=start, **_BARE)


def results(elem_id: str) -> gr.HTML:
    """The places of the board's table and plot, called `<elem_id>-table` and `<elem_id>-plot`."""
    return gr.HTML(_template("results.html", elem_id), elem_classes="results", **_BARE)


_BARE: dict[str, Any] = {"apply_default_css": False, "padding": False}


def _template(name: str, elem_id: str) -> str:
    buttons = transport("call", "Target calls", SPEEDS, usual=4)
    template = Template((static_files.WEB / "compare" / name).read_text(encoding="utf-8"))
    return template.substitute(elem_id=elem_id, plot_height=PLOT_HEIGHT, transport=buttons)
