"""What SECURITY.md says of models and of the server's start, read off the code."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [ROOT / "app.py", *sorted((ROOT / "ersd").rglob("*.py")), *sorted((ROOT / "visual").rglob("*.py"))]


def calls(name: str) -> list[dict[str, object]]:
    """The named arguments of every call of a function or method of this name, those that are constants with their value."""
    found = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == name:
                found.append({word.arg: getattr(word.value, "value", ...) for word in node.keywords if word.arg})
    return found


def names_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    words = {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword)}
    return words | {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_code_of_a_repository_is_run_and_nothing_is_unpickled(path):
    assert not names_in(path) & {"trust_remote_code", "pickle"}


def test_weights_are_read_from_safetensors_only():
    models = [arguments for arguments in calls("from_pretrained") if "dtype" in arguments]
    assert models
    assert all(arguments["use_safetensors"] is True for arguments in models)


def test_no_tunnel_is_opened():
    launches = calls("launch")
    assert launches
    assert all(arguments["share"] is False for arguments in launches)
