"""Checks before the page is served and before anything is loaded: each raises a one-line ValueError that says what to do."""

from __future__ import annotations

import errno
import importlib.util
import os
import socket
import tempfile
from pathlib import Path

from ersd.formatting import quoted, truncated
from ersd.models.checkpoint import damage
from ersd.settings import Range

PORTS = Range(int, 1, 65535)


def check_address(host: str, port: int) -> None:
    """The server can listen on this address."""
    PORTS.check("--port", port)
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError):
        raise ValueError(f"--host must be a name or an address of this machine, such as 127.0.0.1 or 0.0.0.0, got {quoted(host)}") from None
    with socket.socket(family, kind) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(address)
        except OSError as problem:
            raise ValueError(_reason(problem, host, port)) from None


def _reason(problem: OSError, host: str, port: int) -> str:
    if problem.errno == errno.EADDRINUSE:
        return f"--port must be one that is free, but something listens on {port} already: stop it, or choose another, such as {port + 1}"
    if problem.errno == errno.EADDRNOTAVAIL:
        return f"--host must be an address of this machine, such as 127.0.0.1 or 0.0.0.0, got {quoted(host)}"
    return f"--port must be one that may be listened on, such as 7860, got {port}: {truncated(problem.strerror)}"


def check_mcp() -> None:
    """The package that --mcp needs is there."""
    if importlib.util.find_spec("mcp") is None:
        raise ValueError("--mcp needs a package that is not installed: pip install 'gradio[mcp]'")


def space_address() -> str | None:
    """The address of the Space that this is, as people visit it; None elsewhere."""
    space = os.environ.get("SPACE_ID")
    return f"https://huggingface.co/spaces/{space}" if space else None


def served_address(host: str, port: int, root_path: str) -> str:
    """Where the page is served; on a Space people find it at `space_address`."""
    return root_path if "://" in root_path else f"http://{f'[{host}]' if ':' in host else host}:{port}{root_path}"


def root_path(given: str) -> str:
    """The path prefix of the page in Gradio's form, `/demo`; a whole address is kept as it is."""
    path = given.rstrip("/")
    return path if "://" in path or not path else f"/{path.lstrip('/')}"


def check_models(target: str | None, draft: str | None, embedded: Path) -> None:
    """The model folders are there and complete, as far as can be seen without loading them. Hub ids are checked when they are loaded."""
    wanted = [embedded / "target", embedded / "draft", *map(Path, filter(None, (target, draft)))]
    for folder in wanted:
        wrong = damage(folder)
        if wrong:
            raise ValueError(f"{folder}: {wrong}")


def check_temporary_folder() -> None:
    """Gradio can write to its temporary folder."""
    wanted = os.environ.get("GRADIO_TEMP_DIR", "")
    try:
        folder = wanted or tempfile.gettempdir()
        os.makedirs(folder, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        name = f"GRADIO_TEMP_DIR, {wanted}," if wanted else "the temporary folder"
        advice = "set GRADIO_TEMP_DIR" if wanted else "set TMPDIR"
        why = truncated(problem.strerror or problem)
        raise ValueError(f"{name} cannot be written to ({why}): {advice} to a folder that can be") from None
