"""Saved runs: the page that a browser puts its run into, and the route that reads a trace a visitor opens. Nothing is kept."""

from __future__ import annotations

import json
from functools import cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ersd.trace.model import Trace
from visual.export.document import empty
from visual.payload.messages import recording

STATUS = "An opened run: it is played without any model."


def routes() -> list[Route]:
    """Where the browser asks, for `launch`."""

    def page(request: Request) -> Response:
        return Response(_page(), media_type="text/plain")

    async def replay(request: Request) -> Response:
        try:
            trace = Trace.from_json((await request.body()).decode("utf-8"))
            return Response(recording(trace, STATUS), media_type="application/json")
        except ValueError as problem:
            return Response(json.dumps({"error": str(problem)}), 400, media_type="application/json")

    return [Route("/saved-page", page), Route("/replay", replay, methods=["POST"])]


@cache
def _page() -> str:
    return empty()
