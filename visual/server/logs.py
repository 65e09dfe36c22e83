"""One line of JSON on standard output for every request: what was asked for, how long it took and how it ended. Never the prompt, and
nothing else that a visitor wrote."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone

from ersd.settings import Settings
from visual.payload.sentences.names import BY_PARTS, method_of


@dataclass
class Entry:
    """A request that is being answered."""

    request: str
    """by which way it came: `page`, `compare`, `generate` or `run`"""
    settings: Settings | None = None
    """once they are known to be settings"""
    tokens: int = 0
    outcome: str = "done"

    def fail(self, problem: BaseException) -> None:
        """It was ended by this."""
        self.outcome = _outcome(problem)


@contextmanager
def logged(request: str) -> Iterator[Entry]:
    """Writes the line when the request is over: `done`, `stopped` (by the visitor, or the connection is gone), `refused`, `too long` or
    `failed`, with what it was."""
    entry, start = Entry(request), time.monotonic()
    try:
        yield entry
    except GeneratorExit:
        entry.outcome = "stopped"
        raise
    except Exception as problem:
        entry.fail(problem.__cause__ or problem)
        raise
    finally:
        write(request, entry.outcome, entry.settings, entry.tokens, time.monotonic() - start)


def write(request: str, outcome: str, settings: Settings | None = None, tokens: int | None = 0, seconds: float = 0.0) -> None:
    """One line, at once. `tokens`: None where nobody knows."""
    line = {
        "time": datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
        "request": request,
        "method": settings and _method(settings),
        "k": settings and settings.vertices,
        "tokens": tokens,
        "ms": round(1000 * seconds),
        "outcome": outcome,
    }
    sys.stdout.write(f"{json.dumps(line, ensure_ascii=True)}\n")
    sys.stdout.flush()


def _method(settings: Settings) -> str:
    name = method_of(settings.algorithm, settings.topology)
    return name if name != BY_PARTS else f"{settings.algorithm} {settings.topology}"


def _outcome(problem: BaseException) -> str:
    if isinstance(problem, TimeoutError):
        return "too long"
    return "refused" if isinstance(problem, ValueError) else f"failed: {type(problem).__name__}"
