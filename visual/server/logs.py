"""The request log: one line of JSON on standard output per request. It never holds the prompt or anything else a visitor wrote."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone

from ersd.machine import now_ms
from ersd.models.tree_cache import ModelError
from ersd.settings import Settings
from visual.payload.sentences.names import BY_PARTS, method_of


class JsonFormatter(logging.Formatter):
    """A record as a line of JSON: its time and the fields passed as `extra={"fields": ...}`."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        now = datetime.fromtimestamp(record.created, timezone.utc).isoformat(timespec="milliseconds")
        return json.dumps({"time": now, **record.fields}, ensure_ascii=True)  # type: ignore[attr-defined]


class StandardOutput(logging.Handler):
    """Prints records, to the `sys.stdout` of the moment."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one."""
        print(self.format(record), flush=True)


def _logger() -> logging.Logger:
    logger, handler = logging.getLogger("visual.requests"), StandardOutput()
    handler.setFormatter(JsonFormatter())
    logger.handlers = [handler]
    logger.setLevel(logging.INFO)
    logger.propagate = False
    return logger


LOGGER = _logger()


@dataclass
class Entry:
    """A request that is being answered."""

    request: str
    """the way it came: `page`, `compare`, `generate` or `run`"""
    settings: Settings | None = None
    """None until they are known to be valid"""
    tokens: int = 0
    outcome: str = "done"

    def fail(self, problem: BaseException) -> None:
        """The request was ended by this exception."""
        if isinstance(problem, TimeoutError):
            self.outcome = "too long"
        elif isinstance(problem, ValueError) and not isinstance(problem, ModelError):
            self.outcome = "refused"
        else:
            self.outcome = f"failed: {type(problem).__name__}"


@contextmanager
def logged(request: str) -> Iterator[Entry]:
    """Log the request when it is over: `done`, `stopped` (by the visitor, or the connection is gone), `refused`, `too long` or `failed`."""
    entry, start = Entry(request), now_ms()
    try:
        yield entry
    except GeneratorExit:
        entry.outcome = "stopped"
        raise
    except Exception as problem:
        entry.fail(problem.__cause__ or problem)
        raise
    finally:
        log(request, entry.outcome, entry.settings, entry.tokens, now_ms() - start)


def log(request: str, outcome: str, settings: Settings | None = None, tokens: int | None = 0, ms: float = 0.0) -> None:
    """Write one line; `tokens`: None if unknown."""
    fields = {
        "request": request,
        "method": settings and _method(settings),
        "k": settings and settings.vertices,
        "tokens": tokens,
        "ms": round(ms),
        "outcome": outcome,
    }
    LOGGER.info(outcome, extra={"fields": fields})


def _method(settings: Settings) -> str:
    name = method_of(settings.algorithm, settings.topology)
    return name if name != BY_PARTS else f"{settings.algorithm} {settings.topology}"
