"""The document: styles, kit, plotly.js, modules, the player's elements and the run as the message that the page would be sent."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from string import Template

from ersd.trace.files import FRAME_HEIGHT, frame_of
from ersd.trace.model import Trace
from visual import assets
from visual.markup import STYLES, in_script, kit_once, player_html, style_sheets
from visual.payload.messages import compact, recording
from visual.payload.sentences.formatting import escape
from visual.payload.sentences.names import run_name

SAVED_RUN = "files/saved_run.js"
"""The module that shows the run."""
STATUS = "A saved run: it is played without any model."
RUN_PLACEHOLDER = "ERSD_RUN"
"""What the run takes the place of; files.js knows it too."""
FOLDER = assets.WEB.parent / "export"
MODULE_PREFIX = "ersd/"
"""Of the names in the import map; a name without one would be a path."""


def html(trace: Trace) -> str:
    """One HTML document that plays a run. The text of the run is data in it: nothing of it is executed.

    `?step=8&theme=dark` at its address chooses what is shown first. In a frame it tells the page around it its height, in a message
    `{"ersd": "height", "height": pixels}`.
    """
    return empty(f" · {run_name(trace.settings)}").replace(RUN_PLACEHOLDER, in_script(recording(trace, STATUS, is_saved=True)))


def empty(title: str = "") -> str:
    """The document with RUN_PLACEHOLDER where the run goes; `title`: what follows the product's name."""
    return Template((FOLDER / "document.html").read_text(encoding="utf-8")).substitute(
        title=escape(f"Exponential Races{title}"),
        styles=style_sheets([*STYLES, FOLDER / "document.css"]),
        kit=kit_once(),
        plotly=plotly(),
        import_map=import_map(SAVED_RUN),
        player=player_html("player", what_if="what-if"),
        message=RUN_PLACEHOLDER,
        module=MODULE_PREFIX + SAVED_RUN,
    )


def plotly() -> str:
    """plotly.js, for a script element."""
    return assets.FILES[assets.PLOTLY].read_text(encoding="utf-8").replace("</script", r"<\/script")


def import_map(*entries: str) -> str:
    """The script element that gives modules and all that they import an address, without a build step.

    A module in a `data:` address has no place that "../base/dom.js" could start from, so every import is written with the module's full
    name. `entries`: names in `assets.FILES`.
    """
    names = {name for entry in entries for name in assets.with_imports(entry)}
    imports = {MODULE_PREFIX + name: _address(assets.with_full_names(name, MODULE_PREFIX)) for name in sorted(names)}
    return f'<script type="importmap">{compact({"imports": imports})}</script>'


def _address(source: str) -> str:
    return f"data:text/javascript;base64,{base64.b64encode(source.encode()).decode()}"


@dataclass(frozen=True)
class Shown:
    """What a notebook draws of a trace: its player, in a frame that nothing around it can disturb."""

    trace: Trace
    height: int = FRAME_HEIGHT
    """pixels"""

    def _repr_html_(self) -> str:
        return frame_of(self.trace, self.height)
