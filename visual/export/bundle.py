"""The page's JavaScript modules inside one document, without a build step.

A module in a `data:` address has no place that "../base/dom.js" could start from, so every import is written with the module's full name,
and an import map says where that is.
"""

from __future__ import annotations

import base64
import posixpath
import re

from visual.payload.messages import compact
from visual.server import static_files

PREFIX = "ersd/"
"""Of the names in the import map; a name without one would be a path."""

_IMPORT = re.compile(r'^(import [^;]+ from ")([^"]+)(";)$', re.MULTILINE)


def import_map(entry: str) -> str:
    """The script element that names a module and all that it imports. `entry`: its name in `static_files.FILES`."""
    sources: dict[str, str] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name in sources:
            continue
        sources[name] = static_files.FILES[name].read_text(encoding="utf-8")
        waiting += [_path(name, path) for _, path, _ in _IMPORT.findall(sources[name])]
    imports = {PREFIX + name: _address(_with_full_names(name, source)) for name, source in sorted(sources.items())}
    return f'<script type="importmap">{compact({"imports": imports})}</script>'


def _with_full_names(name: str, source: str) -> str:
    return _IMPORT.sub(lambda found: f"{found[1]}{PREFIX}{_path(name, found[2])}{found[3]}", source)


def _path(importing: str, path: str) -> str:
    return posixpath.normpath(f"{posixpath.dirname(importing)}/{path}")


def _address(source: str) -> str:
    return f"data:text/javascript;base64,{base64.b64encode(source.encode()).decode()}"
