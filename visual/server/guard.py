"""What is let in before Gradio sees it: only routes that this page uses, no request larger than the largest run's, and no files. Whatever
else a request is, it gets an answer in words."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from ersd.settings import MOST_CHARACTERS

from .responses import Answer

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

API = "/gradio_api/"
OPEN = (
    "app_id", "call/", "cancel", "config", "heartbeat/", "info", "login_check", "openapi.json", "queue/", "reset",
    "run/predict", "startup-events", "theme.css", "token", "user",
)  # fmt: skip
"""Routes of Gradio, by how they begin behind API, that a page or a client uses. The others are for files, recordings, other servers."""
CLOSED = ("login", "logout", "monitoring", "runs", "run-history", "dev", "svelte", "pwa_icon", "profiling")
"""Routes of Gradio beside those, by the name they begin with, for what is not here: accounts, statistics, a developer's tools."""

MOST_BYTES = 12 * MOST_CHARACTERS + 100_000
"""Of a request: the longest prompt, each character as JSON writes it at most, and all else."""
MOST_HEARD = 20 * MOST_BYTES

TOO_LARGE = f"a request must have at most {MOST_BYTES:,} bytes, and its prompt at most {MOST_CHARACTERS:,} characters"
FILE = "a request must not name files or addresses: nothing is read or fetched here"


class Gate:
    """ASGI middleware; `launch` takes it for the app that it makes."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers it here."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer = Answer(send)
        if is_closed(scope["path"]):
            await answer.refuse(404, "nothing is here")
            return
        if scope["method"] in ("POST", "PUT", "PATCH"):
            body = await _body(receive)
            if body is None:
                return  # the client has gone
            wrong = _wrong(body)
            if wrong:
                await answer.refuse(*wrong)
                return
            receive = _again(body, receive)
        try:
            await self.app(scope, receive, answer.send)
        except Exception as problem:  # what Gradio raises at a request it does not understand is anything
            await answer.fail(problem)


def is_closed(path: str) -> bool:
    """Is there nothing at this path? It may begin with one below which another server passes the page on."""
    if API in path:
        return not path.rpartition(API)[2].startswith(OPEN)
    return any(part in CLOSED for part in path.split("/"))


async def _body(receive: Receive) -> bytes | None:
    """The whole request, at most MOST_BYTES and one of it; None if the client has gone."""
    parts: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            return None
        size += len(message.get("body", b""))
        # one that is too large is heard out all the same, and forgotten: who still sends hears no answer
        if size > MOST_BYTES:
            parts = [bytes(MOST_BYTES + 1)]
        else:
            parts.append(message.get("body", b""))
        more = message.get("more_body", False) and size <= MOST_HEARD
    return b"".join(parts)


def _wrong(body: bytes) -> tuple[int, str] | None:
    """What must not be passed on of a request: status and words. What is no JSON is left to Gradio, which says so."""
    if len(body) > MOST_BYTES:
        return 413, TOO_LARGE
    try:
        data = json.loads(body)
    except RecursionError:
        return 400, "a request must not be nested so deep"
    except ValueError:
        return None
    return (400, FILE) if _names_a_file(data) else None


def _names_a_file(data: Any) -> bool:
    """Is something in it what Gradio takes for a file, and so would read, or fetch from another server?"""
    waiting = [data]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            if "meta" in one and "path" in one:
                return True
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return False


def _again(body: bytes, receive: Receive) -> Receive:
    """What the app reads: the body that was read here already, then what comes."""
    read: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return read.pop() if read else await receive()

    return receive_again
