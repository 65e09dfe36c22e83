"""The page's JavaScript modules and Plotly, served at addresses that change with their content, so that browsers may keep them for good.

Without such addresses browsers keep some files for a tenth of their age, and after an update new modules would meet old ones.
"""

from __future__ import annotations

import gzip
import posixpath
import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

WEB = Path(__file__).resolve().parent.parent / "web"
"""JavaScript, style sheets and HTML templates."""
PLOTLY = "plotly-basic.min.js"
FILES = {path.relative_to(WEB).as_posix(): path for path in sorted(WEB.glob("*/*.js")) if path.parent.name != "page"} | {
    PLOTLY: WEB.parent.parent / "assets" / "plotly" / PLOTLY
}
"""Name -> file; modules import one another by these names. Nothing else is served."""
KEPT = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}

_IMPORT = re.compile(r'^import [^;]+ from "([^"]+)";$', re.MULTILINE)
"""An import of a module, with its path relative to the importing one."""


@cache
def version() -> str:
    """A hash of all files, computed once."""
    digest = sha256()
    for name, path in FILES.items():
        digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _gzipped(name: str) -> bytes:
    """Gzipped copy of a file for clients that accept it: Plotly has 1.2 MB, and 0.4 MB gzipped."""
    return gzip.compress(FILES[name].read_bytes(), 6)


def address(name: str) -> str:
    """The address of one of `FILES`, relative to the page, which may be served under a prefix such as /demo/."""
    return f"modules/{version()}/{name}"


def mounting(name: str, arguments: str, otherwise: str, entry: str = "mount") -> str:
    """The script of a component that imports a module and calls its entry.

    Args:
        name: of the module.
        arguments: of the entry, JavaScript.
        otherwise: a JavaScript function of the error.
        entry: the function of the module.
    """
    # an import would resolve a relative address against Gradio's scripts, so it gets the page's
    return f'import(new URL("{address(name)}", document.baseURI)).then((module) => module.{entry}({arguments})).catch({otherwise});'


def preloads(name: str) -> str:
    """Links for the page's head that fetch a module, all its imports and Plotly together with Gradio's own scripts.

    Otherwise each module is requested after the one that imports it has arrived, which dominates the first visit over a slow connection.
    """
    found = [name]
    for importing in found:  # grows in the loop
        imported = _IMPORT.findall(FILES[importing].read_text(encoding="utf-8"))
        paths = (posixpath.normpath(f"{posixpath.dirname(importing)}/{path}") for path in imported)
        found += [path for path in paths if path not in found]
    links = "".join(f'<link rel="modulepreload" href="{address(each)}">' for each in found)
    return f'<link rel="preload" as="script" href="{address(PLOTLY)}">{links}'


def route() -> Route:
    """Where browsers fetch the files, for `launch`."""

    def module(request: Request) -> Response:  # not async, so that it runs in a thread: compressing Plotly takes a while
        name = request.path_params["name"]
        if name not in FILES or request.path_params["version"] != version():
            return Response("no such module", 404)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(_gzipped(name), media_type="text/javascript", headers={**KEPT, "content-encoding": "gzip"})
        return FileResponse(FILES[name], media_type="text/javascript", headers=KEPT)

    return Route("/modules/{version}/{name:path}", module, methods=["GET", "HEAD"])
