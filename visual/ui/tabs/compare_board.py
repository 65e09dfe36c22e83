"""The board of the Compare tab as Gradio components: one scrubber for several players, their texts, a table and a plot.

It leads the players inside the element of class `comparison` around it. compare/types.d.ts has the types of its messages, which
`visual.payload.compare.board` makes.
"""

from __future__ import annotations

import gradio as gr

from visual import assets
from visual.markup import template, transport
from visual.payload.compare.board import KIT, PLOT_HEIGHT
from visual.payload.message_types.compare import BoardKit, WhereRecorded
from visual.payload.messages import compact

from ..player import raw_html

STYLES = sorted((assets.WEB / "compare").glob("*.css"))
SPEEDS = (1, 2, 4, 8, 16)
"""Calls per second."""


def board(elem_id: str, recorded: WhereRecorded) -> gr.HTML:
    """The scrubber and the texts inside the current Blocks; every message that becomes its value is shown.

    Args:
        elem_id: its id; its parts are called `<elem_id>-status` and so on.
        recorded: where the browser fetches the recorded comparison, and which links show a run instead.
    """
    kit: BoardKit = {**KIT, "recorded": recorded}
    start = assets.mounting("compare/board.js", f"element, {compact(kit)}, props, watch", "This")
    return raw_html(elem_id=elem_id, html_template=_html("board.html", elem_id), js_on_load=start)


def results(elem_id: str) -> gr.HTML:
    """The elements of the board's table and plot, `<elem_id>-table` and `<elem_id>-plot`."""
    return raw_html(_html("results.html", elem_id), elem_classes="results")


def _html(name: str, elem_id: str) -> str:
    buttons = transport("call", "Target calls", SPEEDS, usual=4)
    return template(f"compare/{name}").substitute(elem_id=elem_id, plot_height=PLOT_HEIGHT, transport=buttons)
