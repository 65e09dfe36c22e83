"""`/health`: is this server of use? For whoever watches over it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from .endpoints import TURNS
from .pairs import Pairs

PATH = "/health"


def route(pairs: Pairs) -> Route:
    """The route, for `launch`. 200 while the page is of use, also while its pair is being loaded; 503 where the pair cannot be loaded.

    Runs are counted where they queue, in this process: on ZeroGPU they are made in others.
    """

    async def health(_: Request) -> JSONResponse:
        name = pairs.names[0]
        not_ready = "loading" if pairs.loading else "failed"
        status = "ok" if pairs.ready(name) else not_ready
        runs = {"running": TURNS.running, "waiting": len(TURNS) - TURNS.running}
        answer = {"status": status, "pair": name, **runs}
        return JSONResponse(answer, 503 if status == "failed" else 200, headers={"cache-control": "no-store"})

    return Route(PATH, health, methods=["GET", "HEAD"])
