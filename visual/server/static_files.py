"""The page's modules and the library that draws, as browsers fetch them: below an address that changes with what they hold.

So a browser may keep them for good. Of files at one address it keeps some for a tenth of their age, if nothing else is said, and after an
update new modules would meet old ones.
"""

from __future__ import annotations

import gzip
import posixpath
import re
from functools import cache
from hashlib import sha256
from pathlib import Path

import plotly
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

WEB = Path(__file__).resolve().parent.parent / "web"
"""JavaScript, style sheets and HTML templates."""
PLOTLY = "plotly.min.js"
FILES = {path.relative_to(WEB).as_posix(): path for path in sorted(WEB.glob("*/*.js")) if path.parent.name != "page"} | {
    PLOTLY: Path(plotly.__file__).resolve().parent / "package_data" / PLOTLY
}
"""Name -> file; modules import one another by these names. Nothing else is served."""
KEPT = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}

_IMPORT = re.compile(r'^import [^;]+ from "([^"]+)";$', re.MULTILINE)
"""What a module imports, by its path from that module."""


@cache
def version() -> str:
    """A name for what the files hold, as it was at first."""
    whole = sha256()
    for name, path in FILES.items():
        whole.update(name.encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()[:16]


@cache
def _packed(name: str) -> bytes:
    """A file for who takes it smaller: Plotly has 4.8 MB, and 1.5 like this."""
    return gzip.compress(FILES[name].read_bytes(), 6)


def address(name: str) -> str:
    """Of one of `FILES`, relative to the page: it may be served below a path, such as /demo/, and then nothing of it is at the root."""
    return f"modules/{version()}/{name}"


def mounting(name: str, arguments: str, otherwise: str) -> str:
    """The script of a component: fetches a module and calls its `mount`. By its address, so that browsers show it as the file it is; an
    import would take a relative address for one relative to Gradio's scripts, so it is told what the page's own address is.

    Args:
        name: of the module.
        arguments: of `mount`.
        otherwise: a function of what went wrong.
    """
    return f'import(new URL("{address(name)}", document.baseURI)).then((module) => module.mount({arguments})).catch({otherwise});'


def preloads(name: str) -> str:
    """Links for the page's head: a module, all that it imports, and Plotly are fetched at once, beside Gradio's own scripts. Else each is
    asked for when what imports it has come, and from afar that takes longer than all else.
    """
    found = [name]
    for importing in found:  # grows meanwhile
        imported = _IMPORT.findall(FILES[importing].read_text(encoding="utf-8"))
        paths = (posixpath.normpath(f"{posixpath.dirname(importing)}/{path}") for path in imported)
        found += [path for path in paths if path not in found]
    links = "".join(f'<link rel="modulepreload" href="{address(each)}">' for each in found)
    return f'<link rel="preload" as="script" href="{address(PLOTLY)}">{links}'


def route() -> Route:
    """Where browsers fetch them, for `launch`."""

    def module(request: Request) -> Response:  # not async, and so in a thread: packing Plotly takes a while
        name = request.path_params["name"]
        if name not in FILES or request.path_params["version"] != version():
            return Response("no such module", 404)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(_packed(name), media_type="text/javascript", headers={**KEPT, "content-encoding": "gzip"})
        return FileResponse(FILES[name], media_type="text/javascript", headers=KEPT)

    return Route("/modules/{version}/{name:path}", module, methods=["GET", "HEAD"])
