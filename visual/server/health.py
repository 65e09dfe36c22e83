"""`/health`: whether this server can make runs, for whoever monitors it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from .pairs import Pairs
from .queue import RUNS

PATH = "/health"


def route(pairs: Pairs) -> Route:
    """The route, for `launch`: 200 while the default pair is loaded or being loaded, 503 if it cannot be loaded.

    Runs are counted in this process, where they queue; on ZeroGPU each is made in a process of its own.
    """

    async def health(_: Request) -> JSONResponse:
        name = pairs.names[0]
        not_ready = "loading" if pairs.loading else "failed"
        status = "ok" if pairs.ready(name) else not_ready
        answer = {"status": status, "pair": name, "running": RUNS.running, "waiting": RUNS.waiting}
        return JSONResponse(answer, 503 if status == "failed" else 200, headers={"cache-control": "no-store"})

    return Route(PATH, health, methods=["GET", "HEAD"])
