"""What must be right before a page is served, looked at before anything is loaded: each a ValueError of one line that says what to do."""

from __future__ import annotations

import errno
import os
import socket
import tempfile
from pathlib import Path

from ersd.formatting import brief, quoted
from ersd.models.checkpoint import damage
from ersd.settings import Range

PORTS = Range(int, 1, 65535)


def check_address(host: str, port: int) -> None:
    """Can this address be listened on?"""
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
            raise ValueError(_why_not(problem, host, port)) from None


def _why_not(problem: OSError, host: str, port: int) -> str:
    if problem.errno == errno.EADDRINUSE:
        return f"--port must be one that is free, but something listens on {port} already: stop it, or choose another, such as {port + 1}"
    if problem.errno == errno.EADDRNOTAVAIL:
        return f"--host must be an address of this machine, such as 127.0.0.1 or 0.0.0.0, got {quoted(host)}"
    return f"--port must be one that may be listened on, such as 7860, got {port}: {brief(problem.strerror)}"


def root_path(written: str) -> str:
    """A path below which the page stands, as Gradio takes it, which is `/demo`; it takes a whole address too."""
    path = written.rstrip("/")
    return path if "://" in path or not path else f"/{path.lstrip('/')}"


def check_models(target: str | None, draft: str | None, embedded: Path) -> None:
    """Are the models there and whole, as far as is seen without loading them? A hub id is looked for when it is loaded."""
    wanted = [embedded / "target", embedded / "draft"]
    for folder in [*wanted, *(Path(place) for place in (target, draft) if place)]:
        wrong = damage(folder)
        if wrong:
            raise ValueError(f"{folder}: {wrong}")


def check_temporary_folder() -> None:
    """Is there somewhere to write, which Gradio needs?"""
    wanted = os.environ.get("GRADIO_TEMP_DIR", "")
    try:
        folder = wanted or tempfile.gettempdir()
        os.makedirs(folder, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        where = f"GRADIO_TEMP_DIR, {wanted}," if wanted else "the temporary folder"
        does = "set GRADIO_TEMP_DIR" if wanted else "set TMPDIR"
        raise ValueError(f"{where} cannot be written to ({brief(problem.strerror or problem)}): {does} to a folder that can be") from None
