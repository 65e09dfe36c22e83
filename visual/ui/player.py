"""The player as a Gradio component; a page may have several, each with its own ids and state.

Its modules are in web/ (`core/player.js` first); base/types.js has the types of the messages they understand.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import Template

import gradio as gr

from visual.payload.messages import compact, kit
from visual.server import static_files

_OWN_STYLES = ("page", "compare", "lab", "curves", "learn")
STYLES = sorted((path for path in static_files.WEB.glob("*/*.css") if path.parent.name not in _OWN_STYLES), key=lambda path: path.name)
"""The style sheets of all players, for `launch`."""
MODULE = "core/player.js"
"""Which of `static_files` mounts it."""
PANELS = {
    "steps": "story/panel.html",
    "tree": "tree/panel.html",
    "decision": "decision/panel.html",
    "theory": "panels/theory.html",
    "figures": "panels/figures.html",
    "every": "panels/every_decision.html",
    "speed": "panels/speed_details.html",
    "timeline": "timeline/panel.html",
}
"""Name of a part of the player's template -> its file."""
SPEEDS = (0.25, 0.5, 1, 2, 4, 8)
"""Playback speeds: at 1 a step takes a few seconds."""
_SHOW_ERROR = "(problem) => { console.error(problem); element.prepend(`The player could not be loaded; reload the page. (${problem})`); }"
PLOTLY = f'<script src="{static_files.address(static_files.PLOTLY)}"></script>'
"""Head of components that draw with Plotly: Gradio mounts them once it is loaded."""
_FRACTIONS = {0.25: "¼", 0.5: "½"}


def kit_once() -> str:
    """What all players of a page share, for its head; kit.js finds it by its id."""
    data = compact(kit()).replace("</", r"<\/")
    return f'<script type="application/json" id="ersd-kit">{data}</script>'


def player(elem_id: str, value: str = "", led: bool = False, what_if: str = "") -> gr.HTML:
    """A player inside the current Blocks; it plays every message that becomes its value. The page's head needs `kit_once`.

    Args:
        elem_id: its id; the parts inside are called `<elem_id>-text`, `-stats`, `-timeline`, `-tree`, `-theory`, `-race` and `-status`.
        value: the first message, for instance `visual.payload.messages.recording`.
        led: a small player, text and tree, led by another part of the page. That part has the keys and sends the step to show, from 1, in
            the event `ersd-go` at the player's element; the player reports a step chosen in it with `ersd-went`.
        what_if: id of its card on other trees; without one it has none.
    """
    names = {"elem_id": elem_id, "follow_id": "follow" if elem_id == "player" else f"{elem_id}-follow"}
    names |= {"transport": transport("step", "Steps", SPEEDS, usual=1)}
    panels = {name: template(file).substitute(names) for name, file in PANELS.items()}
    panels["what_if"] = template("panels/what_if.html").substitute(elem_id=what_if) if what_if else ""
    return gr.HTML(
        value=value,
        elem_id=elem_id,
        html_template=template("core/template.html").substitute(elem_id=elem_id, mode="led" if led else "", **panels),
        js_on_load=static_files.mounting(MODULE, "element, props, watch", _SHOW_ERROR),
        head=PLOTLY,
        apply_default_css=False,
        padding=False,
    )


def transport(one: str, all_of_them: str, speeds: Sequence[float], usual: float) -> str:
    """The HTML of the playback buttons and the speed menu, also for the board of the Compare tab.

    Args:
        one: what a button goes to, such as "step".
        all_of_them: what the buttons go through, such as "Steps".
        usual: the initial speed.
    """

    def option(speed: float) -> str:
        text = _FRACTIONS.get(speed, f"{speed:g}")
        return f'<option value="{speed:g}"{" selected" if speed == usual else ""}>{text}×</option>'

    return template("page/transport.html").substitute({"one": one, "all": all_of_them, "speeds": "".join(map(option, speeds))})


def template(name: str) -> Template:
    """An HTML template of web/."""
    return Template((static_files.WEB / name).read_text(encoding="utf-8"))
