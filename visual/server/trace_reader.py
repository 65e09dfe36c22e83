"""Read traces that visitors open. A process of its own reads a large one: parsing holds the interpreter, and so all other answers.

python -m visual.server.trace_reader < trace.json > message.json
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from ersd.formatting import truncated
from ersd.trace.model import Trace
from visual.payload.messages import recording

STATUS = "An opened run: it is played without any model."
LARGE = 500_000
"""Bytes of a trace that is read in a process of its own. A smaller one holds the interpreter for a hundredth of a second."""
SECONDS = 120.0
"""Time limit of that process, which takes about a third of a second for a megabyte, and a few times as long on a busy machine."""
REFUSED = 3
"""Exit code: the file is no trace, and standard error says why."""
ROOT = Path(__file__).resolve().parent.parent.parent

_small, _large = ThreadPoolExecutor(1, "small-trace"), ThreadPoolExecutor(1, "large-trace")
"""One trace of each kind at a time: more threads would compete for the interpreter, and each process takes some hundred megabytes."""


def read(content: bytes) -> Future[bytes]:
    """The message that plays a trace, or a ValueError if it cannot be read."""
    return _large.submit(_message_by_process, content) if len(content) >= LARGE else _small.submit(_message, content)


def _message(content: bytes) -> bytes:
    try:
        return recording(Trace.from_json(content.decode("utf-8")), STATUS, is_saved=True).encode()
    except RecursionError:
        raise ValueError("a trace must not be nested so deep") from None


def _message_by_process(content: bytes) -> bytes:
    # not multiprocessing, which would import the main module, and on a Space torch with it
    command, environment = [sys.executable, "-m", __name__], {**os.environ, "PYTHONPATH": str(ROOT)}
    try:
        done = subprocess.run(command, input=content, capture_output=True, timeout=SECONDS, check=False, env=environment)
    except subprocess.TimeoutExpired:
        raise ValueError(f"this trace is too large: reading it may take {SECONDS:g} s here") from None
    except OSError as problem:
        raise ValueError(f"this trace is large, and this server cannot start a process to read it: {truncated(problem)}") from None
    if done.returncode == REFUSED:
        raise ValueError(done.stderr.decode("utf-8", "replace").strip())
    if done.returncode:
        raise ValueError(f"this trace is too large: the process that read it ended with code {done.returncode}")
    return done.stdout


def main() -> None:
    """Read a trace from standard input and write its message to standard output."""
    try:
        sys.stdout.buffer.write(_message(sys.stdin.buffer.read()))
    except ValueError as problem:
        sys.stderr.buffer.write(str(problem).encode("utf-8", "replace"))
        sys.exit(REFUSED)


if __name__ == "__main__":
    main()
