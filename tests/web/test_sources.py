"""How the page's modules reach one another: by imports and by parts (base/parts.js), never by events or globals of their own."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from visual import assets

MODULES = sorted(path for path in assets.WEB.glob("*/*.js"))
VISUAL = assets.WEB.parent
PYTHON = sorted((VISUAL / "ui").rglob("*.py"))
OWN_EVENTS = r"CustomEvent|new Event\(|(?:addEventListener|Event)\(\"ersd"
OF_ELEMENTS = {"base/lifetime.js"}
"""Its event stays inside the module."""
GLOBALS = r"window\.ersd\w*|Object\.assign\(window, \{ (\w+)|window\.\w+ = "
ALLOWED_GLOBALS = {"files/saved_run.js": "Object.assign(window, { ersdPicture", "page/gradio_adapter.js": "window.fetch = "}
"""What Python calls in a browser of its own, and what Gradio looks up."""


def found(pattern: str, name: str, source: str, allowed: str = "") -> list[str]:
    return [f"{name}: {one[0]}" for one in re.finditer(pattern, source) if one[0] != allowed]


def test_modules_have_no_events_and_no_globals_of_their_own():
    sources = {path.relative_to(assets.WEB).as_posix(): path.read_text(encoding="utf-8") for path in MODULES}
    assert len(sources) > 100
    events = [one for name, source in sources.items() if name not in OF_ELEMENTS for one in found(OWN_EVENTS, name, source)]
    assert events == []
    assert [one for name, source in sources.items() for one in found(GLOBALS, name, source, ALLOWED_GLOBALS.get(name, ""))] == []


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: str(path.relative_to(VISUAL)))
def test_python_has_no_javascript_but_the_call_of_a_function_of_a_module(path):
    source = path.read_text(encoding="utf-8")
    assert found(r"=>|\bdocument\.(?:get|query)|\bwindow\.|\bjs(?:_on_load)?=f?[\"\']", path.name, source) == []
    module = ".".join(path.relative_to(VISUAL.parent).with_suffix("").parts)
    for given, function in re.findall(r'assets\.calling\(\s*("[^"]+"|\w+), "(\w+)"', source):
        name = given.strip('"') if given.startswith('"') else getattr(import_module(module), given)
        assert re.search(rf"^export (?:async )?(?:function|const) {function}\b", assets.source(name), re.MULTILINE), (name, function)
