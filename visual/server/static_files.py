"""The route of the page's modules and of Plotly. Their addresses change with their content, so that browsers may keep them for good.

Without such addresses browsers keep some files for a tenth of their age, and after an update new modules would meet old ones.
"""

from __future__ import annotations

import gzip
from functools import cache

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from visual.assets import FILES, version

CACHE_HEADERS = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}


@cache
def _gzipped(name: str) -> bytes:
    """Gzipped copy of a file for clients that accept it: Plotly has 1.2 MB, and 0.4 MB gzipped."""
    return gzip.compress(FILES[name].read_bytes(), 6)


def route() -> Route:
    """Where browsers fetch the files, for `launch`."""

    def module(request: Request) -> Response:  # not async, so that it runs in a thread: compressing Plotly takes a while
        name = request.path_params["name"]
        if name not in FILES or request.path_params["version"] != version():
            return Response("no such module", 404)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(_gzipped(name), media_type="text/javascript", headers={**CACHE_HEADERS, "content-encoding": "gzip"})
        return FileResponse(FILES[name], media_type="text/javascript", headers=CACHE_HEADERS)

    return Route("/modules/{version}/{name:path}", module, methods=["GET", "HEAD"])
