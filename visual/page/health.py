"""`/health`: is this server of use? For whoever watches over it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from .pairs import Pairs
from .request_log import RUNNING

PATH = "/health"


def route(pairs: Pairs) -> Route:
    """The route, for `launch`. 200 while the page is of use, also while its pair is being loaded; 503 where the pair cannot be loaded."""

    async def health(_: Request) -> JSONResponse:
        name = pairs.names[0]
        not_ready = "loading" if pairs.loading else "failed"
        status = "ok" if pairs.ready(name) else not_ready
        answer = {"status": status, "pair": name, "running": RUNNING.count}
        return JSONResponse(answer, 503 if status == "failed" else 200, headers={"cache-control": "no-store"})

    return Route(PATH, health, methods=["GET", "HEAD"])
