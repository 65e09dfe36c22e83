"""The page as a whole: title, tabs, theme."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gradio as gr
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from ersd.settings import Settings
from ersd.trace.model import Trace
from visual.payload.messages import recording
from visual.payload.theme import DARK, LIGHT, css_variables
from visual.server import compare_recorded, endpoints, health, static_files
from visual.server.gradio_adapter import keep_answers_of, refuse_missing_values_briefly, rest_between_polls
from visual.server.guard import Gate
from visual.server.pairs import EMBEDDED, Pairs
from visual.server.recorded import RECORDED, read
from visual.ui import gallery_tab

from .compare_board import STYLES as BOARD_STYLES
from .compare_tab import compare_tab
from .generate_tab import generate_tab
from .player import MODULE as PLAYER, STYLES as PLAYER_STYLES, kit_once
from .tabs import all_tabs, tab

HERE = static_files.WEB / "page"
PAGE_STYLE = HERE / "page.css"
LECTURE_STYLE = HERE / "lecture.css"
SCRIPTS = (
    HERE / "gradio_adapter.js",
    HERE / "lecture_view.js",
    HERE / "gallery.js",
    HERE / "stop_button.js",
    HERE / "tabs.js",
    HERE / "server_watch.js",
)
TITLE = "Exponential Races"
SESSIONS = 50
"""Visitors that Gradio remembers, twice as many as can run or wait at once: each takes 0.2 MB and its last answer, 2 MB of a long run. One
that it has forgotten goes on as before."""
ANSWERS = 500
"""Visitors whose answers Gradio keeps until they are fetched; more than can come while one run lasts, as it forgets the first first."""
REST = 0.02
"""Seconds the queue rests when nothing is asked for, and so the longest that a click waits to be seen."""


def build(pairs: Pairs) -> gr.Blocks:
    """The page for these model pairs."""
    trace, usual = recorded(), usual_settings()
    words = "A recorded run. Press Generate for one of your own."
    with gr.Blocks(title=TITLE, analytics_enabled=False, fill_width=True) as page:
        gr.HTML(
            f"<h1>{TITLE}</h1><p>see speculative decoding accept, reject and race, token by token</p>"
            '<button type="button" class="lecture-button">Lecture view</button>',
            elem_classes="masthead", apply_default_css=False, padding=False,
        )  # fmt: skip
        with all_tabs():
            with tab("generate"):
                workbench = generate_tab(page, pairs, usual, recording(trace, words, EMBEDDED) if trace else "")
            with tab("compare"):
                compare_tab(page, pairs, usual)
            with tab("gallery"):
                gallery_tab.gallery_tab(workbench)
        # pressed by server_watch.js: it does nothing, and its answer comes over the connection that brings all others
        listen = gr.Button(visible="hidden", elem_id="listen")
        listen.click(lambda: None, concurrency_limit=None, show_progress="hidden", api_visibility="private")
        endpoints.publish(pairs)
    # no run but through the queue, and no more in it than are let in
    page.queue(max_size=endpoints.WAITING, api_open=False)
    rest_between_polls(page, REST)
    keep_answers_of(page, ANSWERS)
    refuse_missing_values_briefly(page)
    return page


LENIENCY = 0.3
"""A leniency that does something, for who chooses the lenient rule."""


def usual_settings() -> Settings:
    """What the controls hold at first: the settings of the recorded run, so that the first run is the one that is seen already."""
    trace = recorded()
    return replace(trace.settings if trace else Settings(), leniency=LENIENCY)


def recorded() -> Trace | None:
    """The first recorded run of the assets, if there is one. ValueError if it is damaged."""
    path = min(RECORDED.glob("*.json"), default=None)
    return read(path, "python -m assets.record_first_look") if path else None


def launch_options(pairs: Pairs | None = None) -> dict[str, Any]:
    """Theme, style sheets, the page's own scripts, and what is let in and kept, for `launch`; with `pairs` it says how they are too."""
    css = css_variables() + "".join(path.read_text(encoding="utf-8") for path in (PAGE_STYLE, *PLAYER_STYLES, *BOARD_STYLES))
    head = static_files.preloads(PLAYER) + f"<style>{LECTURE_STYLE.read_text(encoding='utf-8')}</style>"
    head += kit_once() + "".join(f'<script type="module">{path.read_text(encoding="utf-8")}</script>' for path in SCRIPTS)
    # outermost, as it packs what all others answer: the page has 0.5 MB as text; streams go as they come
    middleware = [Middleware(GZipMiddleware, compresslevel=6), Middleware(Gate)]
    routes = [static_files.route(), gallery_tab.route(), compare_recorded.route(), *([health.route(pairs)] if pairs else [])]
    return {
        "theme": _theme(),
        "css": css,
        "head": head,
        "app_kwargs": {"middleware": middleware, "routes": routes},
        "max_file_size": 1,  # nothing is uploaded
        "enable_monitoring": False,
        "state_session_capacity": SESSIONS,
        "show_error": True,  # what is wrong with a call, in words, and not null
    }


_COLOUR_USES = {
    "page": "body_background_fill",
    "panel": "background_fill_primary block_background_fill",
    "soft": "background_fill_secondary input_background_fill button_secondary_background_fill",
    "line": "block_border_color border_color_primary input_border_color",
    "ink": "body_text_color button_secondary_text_color",
    "muted": "body_text_color_subdued block_label_text_color block_title_text_color block_info_text_color",
    "accepted-fill": "button_primary_background_fill button_primary_background_fill_hover",
    "accepted": "color_accent input_border_color_focus",
    "white": "button_primary_text_color",
}
"""Colour of the palettes -> Gradio's theme variables."""


def _theme() -> gr.themes.Base:
    """Gradio's components in the colours of the pictures. Fonts are the system's own: nothing is fetched."""
    fonts: dict[str, Any] = {"font": ["system-ui", "sans-serif"], "font_mono": ["ui-monospace", "monospace"]}
    theme = gr.themes.Base(primary_hue="emerald", neutral_hue="slate", radius_size="md", spacing_size="sm", text_size="sm", **fonts)
    colours = {name: colour for colour, names in _COLOUR_USES.items() for name in names.split()}
    chosen: dict[str, Any] = {name: LIGHT[colour] for name, colour in colours.items()}
    chosen |= {f"{name}_dark": DARK[colour] for name, colour in colours.items() if name != "color_accent"}
    return theme.set(**chosen)
