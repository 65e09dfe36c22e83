"""The player as a Gradio component; a page may have several, each with its own ids and state.

Its modules are in web/ (`core/player.js` first); base/messages.d.ts has the types of the messages they understand.
"""

from __future__ import annotations

from typing import Any

import gradio as gr

from visual import assets
from visual.markup import PLAYER, player_html

PLOTLY = f'<script src="{assets.address(assets.PLOTLY)}"></script>'
"""Head of components that draw with Plotly: Gradio mounts them once it is loaded."""


def raw_html(content: str = "", **more: Any) -> gr.HTML:
    """HTML inside the current Blocks, without Gradio's style and space around it."""
    return gr.HTML(content, apply_default_css=False, padding=False, **more)


def player(elem_id: str, value: str = "", led: bool = False, what_if: str = "") -> gr.HTML:
    """A player inside the current Blocks; it plays every message that becomes its value. The page's head needs `kit_once`.

    Args:
        elem_id: its id; the parts inside are called `<elem_id>-text`, `-stats`, `-timeline`, `-tree`, `-theory`, `-race` and `-status`.
        value: the first message, for instance `visual.payload.messages.recording`.
        led: a small player, text and tree, led by another part of the page, which has the keys and sends the step to show
            (base/parts.js).
        what_if: id of its card on other trees; without one it has none.
    """
    return raw_html(
        value,
        elem_id=elem_id,
        html_template=player_html(elem_id, led, what_if),
        js_on_load=assets.mounting(PLAYER, "{ element, stream: { props, watch } }", "The player", entry="render"),
        head=PLOTLY,
    )
