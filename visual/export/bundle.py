"""The page's JavaScript modules inside one document, without a build step.

A module in a `data:` address has no place that "../base/dom.js" could start from, so every import is written with the module's full name,
and an import map says where that is.
"""

from __future__ import annotations

import base64

from visual.assets import with_full_names, with_imports
from visual.payload.messages import compact

PREFIX = "ersd/"
"""Of the names in the import map; a name without one would be a path."""


def import_map(*entries: str) -> str:
    """The script element that names modules and all that they import. `entries`: their names in `assets.FILES`."""
    names = {name for entry in entries for name in with_imports(entry)}
    imports = {PREFIX + name: _address(with_full_names(name, PREFIX)) for name in sorted(names)}
    return f'<script type="importmap">{compact({"imports": imports})}</script>'


def _address(source: str) -> str:
    return f"data:text/javascript;base64,{base64.b64encode(source.encode()).decode()}"
