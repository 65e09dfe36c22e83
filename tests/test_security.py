"""What SECURITY.md claims of models and of the server's start, read off the code."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [ROOT / "app.py", *sorted((ROOT / "ersd").rglob("*.py")), *sorted((ROOT / "visual").rglob("*.py"))]
TREES = {str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}


def calls(name: str) -> list[dict[str, object]]:
    """The keyword arguments of every call of a function or method with this name; constants with their values."""
    nodes = [node for tree in TREES.values() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    called = [node for node in nodes if getattr(node.func, "attr", getattr(node.func, "id", "")) == name]
    return [{word.arg: getattr(word.value, "value", ...) for word in node.keywords if word.arg} for node in called]


def test_nothing_is_unpickled():
    for name, tree in TREES.items():
        imports = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
        assert not {alias.name for node in imports for alias in node.names} & {"pickle", "dill", "joblib", "shelve"}, name


def test_no_code_of_a_repository_is_run():
    """Refused outright, not left to a question that somebody may answer with yes."""
    loads = calls("from_pretrained")
    assert loads
    assert all(arguments["trust_remote_code"] is False for arguments in loads)


def test_weights_are_read_from_safetensors_only():
    models = [arguments for arguments in calls("from_pretrained") if "dtype" in arguments]
    assert models
    assert all(arguments["use_safetensors"] is True for arguments in models)


def test_no_tunnel_is_opened():
    launches = calls("launch")
    assert launches
    assert all(arguments["share"] is False for arguments in launches)
