"""Saved runs: the page that a browser puts its run into, and the route that reads a trace a visitor opens. Nothing is kept."""

from __future__ import annotations

import json
from functools import cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ersd.formatting import quoted
from ersd.trace.model import Trace
from visual.export.document import empty
from visual.payload.messages import Message, recording

from . import static_files

STATUS = "An opened run: it is played without any model."
FOLDER = static_files.WEB.parents[1] / "traces"
"""Beside the page: `?trace=name` opens `name.json` of it."""


def routes() -> list[Route]:
    """Where the browser asks, for `launch`."""

    def page(request: Request) -> Response:
        return Response(_page(), media_type="text/plain")

    async def replay(request: Request) -> Response:
        try:
            trace = Trace.from_json((await request.body()).decode("utf-8"))
            return Response(recording(trace, STATUS, is_saved=True), media_type="application/json")
        except ValueError as problem:
            return Response(json.dumps({"error": str(problem)}), 400, media_type="application/json")

    return [Route("/saved-page", page), Route("/replay", replay, methods=["POST"])]


def beside(name: str) -> Message:
    """The message that plays a trace of FOLDER. ValueError where there is none of this name, or it cannot be read."""
    names = sorted(path.stem for path in FOLDER.glob("*.json"))
    wanted = name.removesuffix(".json")
    if wanted not in names:
        there = f"one of {', '.join(names)}" if names else "the name of a file in the folder traces, which is empty"
        raise ValueError(f"trace must be {there}, got {quoted(name)} in the link")
    try:
        return recording(Trace.from_json((FOLDER / f"{wanted}.json").read_text(encoding="utf-8")), STATUS, is_saved=True)
    except (OSError, UnicodeDecodeError, ValueError) as problem:
        raise ValueError(f"trace {quoted(name)} cannot be opened: {problem}") from None


@cache
def _page() -> str:
    return empty()
