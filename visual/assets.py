"""The page's JavaScript modules, lit-html and Plotly: the files, what they import, and addresses that change with their content."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

WEB = Path(__file__).resolve().parent / "web"
"""JavaScript, style sheets and HTML templates."""
PLOTLY = "plotly-basic.min.js"
_VENDORED = WEB.parent.parent / "assets"
FILES = {path.relative_to(WEB).as_posix(): path for path in sorted(WEB.glob("*/*.js"))} | {
    PLOTLY: _VENDORED / "plotly" / PLOTLY,
    "lit-html.js": _VENDORED / "lit" / "lit-html.js",
}
"""Name -> file; modules import one another by these names. Nothing else is served."""

_IMPORT = re.compile(r'^(import [^;]+ from ")([^"]+)(";)$', re.MULTILINE)
"""An import of a module, with its path relative to the importing one."""


@cache
def version() -> str:
    """A hash of all files, computed once."""
    digest = sha256()
    for name, path in FILES.items():
        digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def with_imports(name: str) -> list[str]:
    """A module and all that it imports, however indirectly."""
    found = [name]
    for importing in found:  # grows in the loop
        paths = (_resolved(importing, path) for _, path, _ in _IMPORT.findall(source(importing)))
        found += [path for path in dict.fromkeys(paths) if path not in found]
    return found


def with_full_names(name: str, prefix: str) -> str:
    """The source of a module in which every import has the prefix and the module's full name."""
    return _IMPORT.sub(lambda found: f"{found[1]}{prefix}{_resolved(name, found[2])}{found[3]}", source(name))


def source(name: str) -> str:
    """The text of one of `FILES`."""
    return FILES[name].read_text(encoding="utf-8")


def _resolved(importing: str, path: str) -> str:
    return posixpath.normpath(f"{posixpath.dirname(importing)}/{path}")


def address(name: str) -> str:
    """The address of one of `FILES`, relative to the page, which may be served under a prefix such as /demo/."""
    return f"modules/{version()}/{name}"


def mounting(name: str, arguments: str, shown: str = "", entry: str = "mount") -> str:
    """The script of a component that imports a module and calls its entry.

    Until then its `element` is inert: a button that is pressed before anything listens would do nothing, without a word.

    Args:
        name: of the module.
        arguments: of the entry, JavaScript.
        shown: what it draws in its `element`, in the sentence that stands there if this fails; "" without an element.
        entry: the function of the module.
    """
    sentence = f" element.prepend(`{shown} could not be loaded; reload the page. (${{problem}})`);" if shown else ""
    otherwise = f"(problem) => {{ console.error(problem);{sentence} }}"
    wait, go = ("element.inert = true; ", ".finally(() => { element.inert = false; })") if shown else ("", "")
    return f"{wait}{_module(name)}.then((module) => module.{entry}({arguments})).catch({otherwise}){go};"


def calling(name: str, function: str, *data: Any) -> str:
    """JavaScript for `js=` of Gradio's events: it calls a function of a module with these data, then the values of the inputs."""
    arguments = "".join(f"{json.dumps(each)}, " for each in data)
    return f"(...values) => {_module(name)}.then((module) => module.{function}({arguments}...values))"


def _module(name: str) -> str:
    # an import would resolve a relative address against Gradio's scripts, so it gets the page's
    return f'import(new URL("{address(name)}", document.baseURI))'


def scripts(names: Iterable[str]) -> str:
    """Modules for the page's head, which runs them."""
    return "".join(f'<script type="module" src="{address(name)}"></script>' for name in names)


def preloads(*names: str) -> str:
    """Links for the page's head that fetch modules, all their imports and Plotly together with Gradio's own scripts.

    Otherwise each module is requested after the one that imports it has arrived, which dominates the first visit over a slow connection.
    """
    modules = dict.fromkeys(each for name in names for each in with_imports(name))
    links = "".join(f'<link rel="modulepreload" href="{address(each)}">' for each in modules)
    return f'<link rel="preload" as="script" href="{address(PLOTLY)}">{links}'
