"""The Gallery tab: a card for each thing worth seeing, which opens its recorded run in the player of the Generate tab."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from typing import Any

import gradio as gr
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ersd.trace.model import Trace
from visual.payload.gallery import CARDS, Card, View
from visual.payload.messages import Message, recording
from visual.payload.tree_preview import picture
from visual.server.pairs import EMBEDDED
from visual.server.recorded import RECORDED, read

from .control_events import QUIET
from .page_load import changed_by_settings, with_settings
from .workbench import Workbench

FOLDER = RECORDED / "gallery"
COMMAND = "python -m assets.record_gallery"
WORDS = "A recorded run of the gallery. Press Generate to have it again."


def gallery_tab(workbench: Workbench) -> None:
    """Builds the cards inside the current Blocks; `workbench`: that of the Generate tab."""
    with gr.Row(elem_classes="gallery"):
        for card in CARDS:
            traces = [_trace(name) for name in card.runs]
            views = card.find(traces)
            if views is None:
                raise ValueError(
                    f"the recorded run of {card.title!r} does not show it: record it again with python -m assets.record_gallery"
                )
            with gr.Column(elem_classes="exhibit", min_width=0):
                gr.HTML(_html(card, traces, views), apply_default_css=False, padding=False)
                with gr.Row(elem_classes="exhibit-buttons"):
                    for name in card.runs:
                        button = gr.Button(card.labels[name], elem_id=f"gallery-{name}", min_width=0)
                        _connect(button, workbench, name)


def route() -> Route:
    """Where the browser fetches a recorded run as a message of its player, for `launch`."""

    async def recorded_run(request: Request) -> Response:
        name = request.path_params["name"]
        if not any(name in card.runs for card in CARDS):
            return Response("no such run", 404)
        return Response(message(name), media_type="application/json")

    return Route("/gallery/{name}", recorded_run)


def _connect(button: gr.Button, workbench: Workbench, name: str) -> None:
    """Lets a button open a run at what is to be seen in it: the player shows it, and the controls hold its settings."""
    controls, ids = workbench.controls, workbench.ids

    def settings(models: str) -> dict[Any, Any]:
        trace = _trace(name)
        pair = EMBEDDED if EMBEDDED in workbench.preview.pairs.names else models
        return {**with_settings(workbench, trace.settings, pair), controls.prompt: trace.prompt, controls.models: pair}

    places = {"tab": f"tab-{ids.tab}", "player": ids.of("player"), "stop": ids.of("stop")}
    # the run needs no answer of the server, so that nothing waits for the controls
    button.click(None, None, None, js=f"() => ersdOpenRecorded({json.dumps(name)}, {json.dumps(places)})", **QUIET)
    changed = [each for each in changed_by_settings(workbench) if each is not workbench.player]
    button.click(settings, controls.models, [*changed, controls.models], **QUIET)


@cache
def _trace(name: str) -> Trace:
    return read(FOLDER / f"{name}.json", COMMAND)


def _views(card: Card) -> list[View]:
    """What to look at in the runs of a card. ValueError if they do not show it."""
    views = card.find([_trace(name) for name in card.runs])
    if views is None:
        raise ValueError(f"{card.title!r} is not what its recorded run shows: record it again with {COMMAND}")
    return views


@cache
def message(name: str) -> Message:
    """The recorded run of this name, as its player takes it."""
    card = next(card for card in CARDS if name in card.runs)
    view = dict(zip(card.runs, _views(card), strict=True))[name]
    return recording(_trace(name), WORDS, EMBEDDED, view)


def _html(card: Card, traces: list[Trace], views: list[View]) -> str:
    """A card without its buttons: the tree of the step to be seen, what it is, and what happened."""
    step = traces[0].steps[views[0].step]
    accepted = {one.vertex for visit in step.walk for one in visit.tries if one.accepted}
    sentences = "".join(f"<p>{escape(sentence, quote=False)}</p>" for sentence in card.tell(traces, views))
    return f"<h2>{escape(card.title, quote=False)}</h2>{picture(step.parents, step.ranks, accepted)}{sentences}"
