"""A lesson's figure by itself, `?figure=share-clocks`: figure, handle, caption and a link to its lesson, for blogs and slides.

Not a part of Gradio's page, of which every frame would load 2 MB and hold a session.
"""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Match, Route
from starlette.types import Scope

from visual import assets
from visual.markup import STYLES as PLAYER_STYLES, in_script, kit_once, player_html, style_sheets, template
from visual.payload.lessons import FALLBACK, Lesson, languages, read_labels
from visual.payload.messages import compact
from visual.payload.sentences.formatting import escape
from visual.server.pairs import Pairs
from visual.server.tabs import lessons
from visual.server.tabs.lab import KIT as LAB_KIT

from .tabs.compare_board import STYLES as LED_STYLES
from .tabs.lab import STYLES as LAB_STYLES
from .tabs.learn import STYLES as LEARN_STYLES

PARAMETER = "figure"
MODULE = "learn/alone.js"
SHEETS = (*PLAYER_STYLES, *LED_STYLES, *LAB_STYLES, *LEARN_STYLES, assets.WEB.parent / "export" / "document.css")


class _FigureRoute(Route):
    """The page's own address where it names a figure; without one it stays Gradio's."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        query = scope.get("query_string", b"").decode("latin-1")
        return super().matches(scope) if PARAMETER in parse_qs(query, keep_blank_values=True) else (Match.NONE, {})


def route(pairs: Pairs | None = None) -> Route:
    """Where browsers fetch a figure, for `launch`; with `pairs` what calls cost on this machine."""

    def figure(request: Request) -> Response:  # not async, so that it runs in a thread
        asked = request.query_params
        language = asked.get("language", FALLBACK)
        language = language if language in languages() else FALLBACK
        try:
            html, status = _page(*lessons.figure(asked[PARAMETER], language, pairs), language), 200
        except ValueError as problem:
            html, status = _refusal(str(problem), language), 404
        return HTMLResponse(html, status, {"cache-control": "no-cache"})

    return _FigureRoute("/", figure, methods=["GET", "HEAD"])


def _page(lesson: Lesson, data: dict[str, object], language: str) -> str:
    where = {"tab": "learn", "lesson": lesson.name} | ({"language": language} if language != FALLBACK else {})
    has_player = lesson.figure == "run"
    return template("learn/alone.html").substitute(
        language=language,
        title=escape(lesson.title),
        preloads=assets.preloads(MODULE),
        styles=style_sheets(SHEETS),
        kit=kit_once(),
        plotly=assets.address(assets.PLOTLY),
        lab=template("lab/template.html").substitute(elem_id="learn-lab") if lesson.figure == "lab" else "",
        player=f'<div id="learn-player">{player_html("learn-player", led=True)}</div>' if has_player else "",
        caption=escape(lesson.caption),
        lesson=escape(f"?{urlencode(where)}"),
        open_lesson=escape(read_labels(language)["open_lesson"]),
        mount=assets.mounting(MODULE, f"{in_script(compact(data))}, {in_script(compact(LAB_KIT))}", "The figure"),
    )


def _refusal(problem: str, language: str) -> str:
    title = escape(read_labels(language)["no_figure"])
    head = f'<!doctype html><html lang="{language}"><meta charset="utf-8"><title>{title}</title>'
    return f"{head}<h1>{title}</h1><p>{escape(problem)}</p></html>"
