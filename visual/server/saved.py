"""Saved runs: the page that a browser puts its run into, and the route that reads a trace a visitor opens. Nothing is kept."""

from __future__ import annotations

import asyncio
from functools import cache, lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ersd.formatting import quoted
from visual import assets
from visual.export.document import empty

from .questions import question_route
from .trace_reader import read

FOLDER = assets.WEB.parents[1] / "traces"
"""Beside the page: `?trace=name` opens `name.json` of it."""


def routes() -> list[Route]:
    """Where the browser asks, for `launch`."""

    def page(request: Request) -> Response:
        return Response(_page(), media_type="text/plain")

    return [Route("/saved-page", page), question_route("replay", lambda body: asyncio.wrap_future(read(body)))]


def load_shared_trace(name: str) -> str:
    """The message that plays a trace of FOLDER. ValueError where there is none of this name, or it cannot be read."""
    names = sorted(path.stem for path in FOLDER.glob("*.json"))
    wanted = name.removesuffix(".json")
    if wanted not in names:
        there = f"one of {', '.join(names)}" if names else "the name of a file in the folder traces, which is empty"
        raise ValueError(f"trace must be {there}, got {quoted(name)} in the link")
    try:
        path = FOLDER / f"{wanted}.json"
        return _message_of(path, path.stat().st_mtime_ns)
    except (OSError, ValueError) as problem:
        raise ValueError(f"trace {quoted(name)} cannot be opened: {problem}") from None


@lru_cache(maxsize=4)  # a class opens the same link
def _message_of(path: Path, _: int) -> str:
    """The message of a file as it was at this time."""
    return read(path.read_bytes()).result().decode()


@cache
def _page() -> str:
    return empty()
