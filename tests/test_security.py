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


BETWEEN_OUR_PROCESSES = {"ersd/beside.py": {"pickle"}}
"""Over pipes that nobody else can write to."""


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_code_of_a_repository_is_run_and_nothing_from_elsewhere_is_unpickled(path):
    unsafe = names_in(path) & {"trust_remote_code", "pickle", "dill", "joblib", "shelve"}
    assert unsafe == BETWEEN_OUR_PROCESSES.get(str(path.relative_to(ROOT)), set())


def test_the_pipes_of_the_second_process_have_no_name_and_are_its_own():
    (started,) = [call for call in calls("Popen") if "stdin" in call]
    source = (ROOT / "ersd/beside.py").read_text(encoding="utf-8")
    assert "stdin=PIPE, stdout=PIPE" in source
    assert started.keys() == {"stdin", "stdout", "env", "start_new_session", "pipesize"}
    assert not {"socket", "mkfifo", "open"} & names_in(ROOT / "ersd/beside.py")


def test_weights_are_read_from_safetensors_only():
    models = [arguments for arguments in calls("from_pretrained") if "dtype" in arguments]
    assert models
    assert all(arguments["use_safetensors"] is True for arguments in models)


def test_no_tunnel_is_opened():
    launches = calls("launch")
    assert launches
    assert all(arguments["share"] is False for arguments in launches)
