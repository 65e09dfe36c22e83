"""Recorded runs of the assets, and the gallery's, served as messages of their player."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ersd.trace.model import Trace
from visual.payload.gallery import CARDS, Card, View
from visual.payload.messages import Message, recording

from .average import of_embedded
from .pairs import EMBEDDED

RECORDED = Path(__file__).resolve().parent.parent.parent / "assets" / "recorded"
GALLERY = RECORDED / "gallery"
GALLERY_COMMAND = "python -m assets.record_gallery"
FIRST_LOOK = "first-look"
"""The name under which the gallery's route has the run that the page begins with."""
FIRST_STATUS = "A recorded run. Press Generate for one of your own."
GALLERY_STATUS = "Recorded for the gallery. Press Generate to have it again."


def read(path: Path, command: str) -> Trace:
    """A recorded run. ValueError if the file is damaged; `command` records it again."""
    try:
        return Trace.from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        how = f"restore it with git checkout, or record it again with {command}"
        raise ValueError(f"{path} is damaged, or of another version: {how}") from None


def first_look() -> Trace | None:
    """The run that the Generate tab shows at first, if one is recorded. ValueError if it is damaged."""
    path = min(RECORDED.glob("*.json"), default=None)
    return read(path, "python -m assets.record_first_look") if path else None


@cache
def first_message() -> str:
    """That run as a message for the player; empty if none is recorded."""
    trace = first_look()
    return _recording(trace, FIRST_STATUS) if trace else ""


@cache
def gallery_trace(name: str) -> Trace:
    """A run of the gallery by the name of its file. ValueError if it is damaged."""
    return read(GALLERY / f"{name}.json", GALLERY_COMMAND)


def views(card: Card) -> list[View]:
    """What a card shows first in each of its runs. ValueError if they do not show its effect."""
    found = card.find([gallery_trace(name) for name in card.runs])
    if found is None:
        raise ValueError(f"the recorded run of {card.title!r} does not show it: record it again with {GALLERY_COMMAND}")
    return found


@cache
def gallery_message(name: str) -> Message:
    """A run of the gallery as a message for the player."""
    card = next(card for card in CARDS if name in card.runs)
    view = dict(zip(card.runs, views(card), strict=True))[name]
    return _recording(gallery_trace(name), GALLERY_STATUS, view)


def _recording(trace: Trace, status: str, view: View | None = None) -> Message:
    return recording(trace, status, EMBEDDED, view, is_saved=True, average=of_embedded(trace.settings))


def gallery_route() -> Route:
    """Where the browser fetches a run of the gallery, for `launch`."""

    def recorded_run(request: Request) -> Response:  # not async, so that it runs in a thread
        name = request.path_params["name"]
        if name == FIRST_LOOK and first_message():
            return Response(first_message(), media_type="application/json")
        if not any(name in card.runs for card in CARDS):
            return Response("no such run", 404)
        return Response(gallery_message(name), media_type="application/json")

    return Route("/gallery/{name}", recorded_run)
