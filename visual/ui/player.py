"""The player as a Gradio component: as many on a page as wanted, each with its own ids and state.

The template and the style are here, the modules are loaded by the browser as they are (`player.js` first), and `types.js` has the types of
the messages they understand.
"""

from __future__ import annotations

from string import Template

import gradio as gr

from visual.payload import timeline
from visual.payload.messages import compact, kit
from visual.server import static_files

from .transport import transport

_OWN_STYLES = ("page", "compare")
STYLES = sorted((path for path in static_files.WEB.glob("*/*.css") if path.parent.name not in _OWN_STYLES), key=lambda path: path.name)
"""The style sheets, for `launch`; for all players."""
MODULE = "core/player.js"
"""Which of `static_files` mounts it."""
SPEEDS = (0.25, 0.5, 1, 2, 4, 8)
"""Of a story: at 1 a step takes a few seconds."""
_SAY_SO = "(problem) => { console.error(problem); element.prepend(`The player could not be loaded; reload the page. (${problem})`); }"


def kit_once() -> str:
    """What all players of a page need, for its head; kit.js finds it there by its id."""
    data = compact(kit()).replace("</", r"<\/")
    return f'<script type="application/json" id="ersd-kit">{data}</script>'


def player(elem_id: str, value: str = "", led: bool = False, what_if: str = "") -> gr.HTML:
    """A player inside the current Blocks; the page's head needs `kit_once`.

    Args:
        elem_id: its id; the parts inside are called `<elem_id>-text`, `-stats`, `-timeline`, `-tree`, `-theory`, `-race` and `-status`.
        value: the first message, for instance `visual.payload.messages.recording`.
        led: another part of the page has the keys and says which step is shown, with the event `ersd-go` and its `step`, from 1, at the
            player's element; the player says with `ersd-went` which one a reader chose in it. It is small: text and tree, and the
            decision at a vertex that is clicked.
        what_if: id of its card on other trees; without one it has none.

    Returns:
        The component; every message of `visual.payload.messages` that becomes its value is played.
    """
    template = _template("core/template.html")
    card = _template("panels/what_if.html").substitute(elem_id=what_if) if what_if else ""
    return gr.HTML(
        value=value,
        elem_id=elem_id,
        html_template=template.substitute(
            elem_id=elem_id,
            follow_id=_follow_id(elem_id),
            timeline_height=timeline.HEIGHT,
            mode="led" if led else "",
            what_if=card,
            transport=transport("step", "Steps", SPEEDS, usual=1),
        ),
        js_on_load=static_files.mounting(MODULE, "element, props, watch", _SAY_SO),
        head=f'<script src="{static_files.address(static_files.PLOTLY)}"></script>',
        apply_default_css=False,
        padding=False,
    )


def _template(name: str) -> Template:
    return Template((static_files.WEB / name).read_text(encoding="utf-8"))


def _follow_id(elem_id: str) -> str:
    """The id of the menu that says how a live run is watched: `follow` beside `player`."""
    prefix = elem_id.removesuffix("player")
    return f"{prefix}follow" if prefix != elem_id else f"{elem_id}-follow"
