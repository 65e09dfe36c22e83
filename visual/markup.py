"""The player's HTML, styles and kit, for the page and for files that hold one run (`visual.export`). Its modules are in web/."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from string import Template

from ersd.settings import MAX_CHARACTERS
from visual import assets
from visual.payload.kit import kit
from visual.payload.messages import compact
from visual.payload.theme import css_variables

MAX_BYTES = 12 * MAX_CHARACTERS + 100_000
"""Largest request: the longest prompt, each character as the longest JSON escape, and everything else."""
_OWN_STYLES = ("page", "introduction", "compare", "lab", "curves", "learn")
STYLES = sorted((path for path in assets.WEB.glob("*/*.css") if path.parent.name not in _OWN_STYLES), key=lambda path: path.name)
"""The style sheets of all players."""
PLAYER = "core/player.js"
"""The module of a player; `render` starts one."""
PANELS = {
    "steps": "story/panel.html",
    "tree": "tree/panel.html",
    "decision": "decision/panel.html",
    "theory": "panels/theory.html",
    "figures": "figures/figures.html",
    "every": "panels/every_decision.html",
    "speed": "figures/speed_details.html",
    "lanes": "lanes/panel.html",
    "watermark": "watermark/panel.html",
    "sources": "sources/panel.html",
    "timeline": "timeline/panel.html",
}
"""Name of a part of the player's template -> its file."""
SPEEDS = (0.25, 0.5, 1, 2, 4, 8)
"""Playback speeds: at 1 a step takes a few seconds."""
_REDRAW_BUTTON = '<button type="button" class="ersd-redraw-open" aria-expanded="false">What if</button>'
_FRACTIONS = {0.25: "¼", 0.5: "½"}


def player_html(elem_id: str, led: bool = False, what_if: str = "") -> str:
    """A player's elements.

    Args:
        elem_id: id of the element around them; the parts inside are called `<elem_id>-text`, `-stats`, `-timeline`, `-tree`, `-theory`,
            `-race` and `-status`.
        led: a small player, text and tree, led by another part of the page.
        what_if: id of its card on other trees; without one it has none, and its steps are not redrawn.
    """
    names = {"elem_id": elem_id, "follow_id": "follow" if elem_id == "player" else f"{elem_id}-follow"}
    names |= {"transport": transport("step", "Steps", SPEEDS, usual=1)}
    names |= {"redraw": template("redraw/panel.html").substitute() if what_if else "", "redraw_button": _REDRAW_BUTTON if what_if else ""}
    panels = {name: template(file).substitute(names) for name, file in PANELS.items()}
    panels["what_if"] = template("what_if/what_if.html").substitute(elem_id=what_if) if what_if else ""
    return template("core/template.html").substitute(elem_id=elem_id, mode="led" if led else "", most_bytes=MAX_BYTES, **panels)


def kit_once() -> str:
    """What all players of a page share, for its head; kit.js finds it by its id."""
    return f'<script type="application/json" id="ersd-kit">{in_script(compact(kit()))}</script>'


def style_sheets(paths: Iterable[Path]) -> str:
    """The colours of the page as custom properties, then these style sheets."""
    return css_variables() + "".join(path.read_text(encoding="utf-8") for path in paths)


def in_script(data: str) -> str:
    """JSON that stays inside its script element, whatever its texts say."""
    return data.replace("<", r"\u003c")


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

    return template("core/transport.html").substitute({"one": one, "all": all_of_them, "speeds": "".join(map(option, speeds))})


def template(name: str) -> Template:
    """An HTML template of web/."""
    return Template((assets.WEB / name).read_text(encoding="utf-8"))
