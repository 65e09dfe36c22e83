"""The player as a Gradio component: as many on a page as wanted, each with its own ids and state."""

from __future__ import annotations

from pathlib import Path

import gradio as gr
import plotly

from visual.player import compact, kit

HERE = Path(__file__).resolve().parent
STYLE = HERE / "style.css"
"""The style sheet, for `launch`; one for all players."""
PLOTLY = Path(plotly.__file__).resolve().parent / "package_data" / "plotly.min.js"


def _url(path: Path) -> str:
    return f"/gradio_api/file={path.as_posix()}"


def player(elem_id: str, value: str = "") -> gr.HTML:
    """A player inside the current Blocks.

    Args:
        elem_id: its id; the parts inside are called `<elem_id>-text`, `-tree`, `-race`, `-timeline`, `-stats` and `-status`.
        value: the first message, for instance `visual.player.recording`.

    Returns:
        The component; every message of `visual.player` that becomes its value is played.
    """
    gr.set_static_paths([*sorted(HERE.glob("*.js")), PLOTLY])
    template = (HERE / "template.html").read_text(encoding="utf-8").replace("PLAYER", elem_id)
    template = template.replace('class="ersd-player"', f'class="ersd-player" data-player="{elem_id}"')
    # the modules are imported by address, so that browsers show them as the files they are
    start = f'import("{_url(HERE / "player.js")}").then((it) => it.mount(element, {compact(kit())}, props, watch));'
    return gr.HTML(
        value=value,
        elem_id=elem_id,
        html_template=template,
        js_on_load=start,
        head=f'<script src="{_url(PLOTLY)}"></script>',
        apply_default_css=False,
        padding=False,
    )
