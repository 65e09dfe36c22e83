"""The page as a whole: title, tabs, theme, and what `launch` needs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gradio as gr
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from ersd.settings import Settings
from visual import assets
from visual.markup import PLAYER, STYLES as PLAYER_STYLES, kit_once, style_sheets
from visual.payload.theme import DARK, LIGHT
from visual.server import endpoints, health, saved, static_files, watermark
from visual.server.gradio_adapter import keep_answers_of, refuse_missing_values_briefly
from visual.server.guard import Guard
from visual.server.pairs import Pairs
from visual.server.programs.comparison import publish_comparison
from visual.server.programs.tools import publish_tools
from visual.server.queue import WAITING_LIMIT
from visual.server.recorded import first_look, first_message, gallery_route
from visual.server.tabs import compare_recorded, lab, lessons, pays

from . import figure_page
from .controls import Fields
from .player import raw_html
from .tabs import all_tabs, tab
from .tabs.compare import compare_tab
from .tabs.compare_board import STYLES as BOARD_STYLES
from .tabs.curves import PREFIX as CURVES_PREFIX, STYLES as CURVES_STYLES, curves_tab
from .tabs.gallery import gallery_tab
from .tabs.generate import generate_tab, introduction_head
from .tabs.lab import STYLES as LAB_STYLES, lab_tab
from .tabs.learn import STYLES as LEARN_STYLES, learn_tab

TITLE = "Exponential Races"
SESSIONS = 50
"""Sessions that Gradio keeps, twice as many as can run or wait: each takes 0.2 MB and its last answer, 2 MB of a long run. A visitor whose
session was dropped goes on as before."""
ANSWERS = 500
"""Sessions whose answers Gradio keeps until they are fetched; more than can arrive during one run, since the oldest is dropped first."""
LENIENCY = 0.3
"""Initial leniency, large enough for the lenient rule to have an effect."""


def build(pairs: Pairs, tools_at: str = "") -> gr.Blocks:
    """The page for these model pairs; `tools_at`: its address, if it offers tools for agents."""
    usual = replace(usual_settings(), source=pairs.source(pairs.names[0]))
    with gr.Blocks(title=TITLE, analytics_enabled=False, fill_width=True) as page:
        header = (assets.WEB / "page" / "header.html").read_text(encoding="utf-8")
        answer = assets.mounting("page/header.js", "element", "The buttons of the header")
        raw_html(header, elem_classes="masthead", js_on_load=answer)
        with all_tabs():
            with tab("generate"):
                generate = generate_tab(page, pairs, usual, first_message())
            with tab("compare"):
                compare_tab(page, pairs, usual)
            with tab("lab"):
                lab_tab()
            with tab("curves"):
                curves_tab(pairs, Fields(usual, CURVES_PREFIX))
            with tab("learn"):
                learn_tab()
            with tab("gallery"):
                gallery_tab(generate.controls, pairs)
        # pressed by gradio_adapter.js: the event does nothing, but its answer opens the connection that brings all others
        listen = gr.Button(visible="hidden", elem_id="listen")
        listen.click(lambda: None, concurrency_limit=None, show_progress="hidden", api_visibility="private")
        endpoints.publish(pairs)
        publish_comparison(pairs)
        if tools_at:
            publish_tools(page, pairs, tools_at)
    # no run except through the queue, and no more in it than may wait
    page.queue(max_size=WAITING_LIMIT, api_open=False)
    keep_answers_of(page, ANSWERS)
    refuse_missing_values_briefly(page)
    return page


def usual_settings() -> Settings:
    """The initial values of the controls: the settings of the recorded run on the screen."""
    trace = first_look()
    return replace(trace.settings if trace else Settings(), leniency=LENIENCY)


def launch_options(pairs: Pairs | None = None) -> dict[str, Any]:
    """Theme, styles, scripts, routes and limits, for `launch`; with `pairs` also the route `/health`."""
    css = style_sheets([assets.WEB / "page" / "page.css", *PLAYER_STYLES, *BOARD_STYLES, *LAB_STYLES, *CURVES_STYLES, *LEARN_STYLES])
    own = [name for name in assets.FILES if name.startswith(("page/", "introduction/"))]
    own_sheets = ("page/sidebar.css", "introduction/introduction.css", "page/present.css")
    own_styles = "".join((assets.WEB / name).read_text(encoding="utf-8") for name in own_sheets)
    head = f"{introduction_head()}{assets.preloads(PLAYER, *own)}<style>{own_styles}</style>{kit_once()}{assets.scripts(own)}"
    # the outermost compresses all responses: the page has 0.5 MB of text; streams are sent as they come
    middleware = [Middleware(GZipMiddleware, compresslevel=6), Middleware(Guard)]
    routes = [
        static_files.route(),
        gallery_route(),
        compare_recorded.route(),
        lab.route(),
        pays.route(),
        watermark.route(pairs),
        lessons.route(pairs),
        figure_page.route(pairs),
        *saved.routes(),
        *([health.route(pairs)] if pairs else []),
    ]
    return {
        "theme": _theme(),
        "css": css,
        "head": head,
        "app_kwargs": {"middleware": middleware, "routes": routes},
        "max_file_size": 1,  # nothing is uploaded
        "enable_monitoring": False,
        "state_session_capacity": SESSIONS,
        "show_error": True,  # a failed call answers with its message instead of null
    }


_COLOUR_USES = {
    "page": "body_background_fill input_background_fill button_secondary_background_fill",
    "panel": "background_fill_primary block_background_fill",
    "soft": "background_fill_secondary",
    "line": "block_border_color border_color_primary input_border_color",
    "ink": "body_text_color button_secondary_text_color",
    "muted": "body_text_color_subdued block_label_text_color block_title_text_color block_info_text_color",
    "button": "button_primary_background_fill button_primary_background_fill_hover color_accent input_border_color_focus",
    "button-ink": "button_primary_text_color",
}
"""Colour of the palettes -> Gradio's theme variables."""


def _theme() -> gr.themes.Base:
    """Gradio's components in the colours of the pictures. Fonts are the system's own: nothing is fetched."""
    fonts: dict[str, Any] = {"font": ["system-ui", "sans-serif"], "font_mono": ["ui-monospace", "monospace"]}
    theme = gr.themes.Base(primary_hue="slate", neutral_hue="slate", radius_size="md", spacing_size="sm", text_size="sm", **fonts)
    colours = {name: colour for colour, names in _COLOUR_USES.items() for name in names.split()}
    chosen: dict[str, Any] = {name: LIGHT[colour] for name, colour in colours.items()}
    chosen |= {f"{name}_dark": DARK[colour] for name, colour in colours.items() if name != "color_accent"}
    return theme.set(**chosen)
