"""ASGI middleware that filters requests before Gradio: only the routes this page uses, bounded sizes, and no files."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool

from ersd.settings import MAX_CHARACTERS
from visual.markup import MAX_BYTES

from .queue import RUNS
from .responses import AsgiMessage, GuardedResponse, Send

Receive = Callable[[], Awaitable[AsgiMessage]]
App = Callable[[AsgiMessage, Receive, Send], Awaitable[None]]

API = "/gradio_api/"
OPEN = (
    "app_id", "call/", "cancel", "config", "heartbeat/", "info", "login_check", "mcp", "openapi.json", "queue/", "reset",
    "run/predict", "startup-events", "theme.css", "token", "user",
)  # fmt: skip
"""Prefixes of Gradio's routes after API that a page or a client uses. The others are for files, recordings and other servers."""
CLOSED = ("login", "logout", "monitoring", "runs", "run-history", "dev", "svelte", "pwa_icon", "profiling")
"""Gradio's routes outside API for what this page does not have: accounts, statistics, developer tools."""

MAX_BYTES_READ = 20 * MAX_BYTES
"""A larger request is read up to here, so that its client gets the refusal instead of a broken connection."""

LARGE = 100_000
"""Bytes of a request that is checked in a thread; a smaller one takes less than a millisecond."""

TOO_LARGE = f"a request must have at most {MAX_BYTES:,} bytes, and its prompt at most {MAX_CHARACTERS:,} characters"
FILE = "a request must not name files or addresses: nothing is read or fetched here"


class Guard:
    """The middleware; `launch` takes it for the app that it makes."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: AsgiMessage, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        response = GuardedResponse(send)
        if is_closed(scope["path"]):
            await response.refuse(404, "nothing is here")
            return
        if scope["method"] in ("POST", "PUT", "PATCH"):
            body = await _body(receive)
            if body is None:
                return  # the client has gone
            refusal = await _refusal(body, scope["path"])
            if refusal:
                await response.refuse(*refusal)
                return
            receive = _replay(body, receive)
            if scope["path"].endswith(f"{API}cancel"):
                RUNS.cancel(_event_in(body))
        try:
            with _stream(scope):
                await self.app(scope, receive, response.send)
        except Exception as problem:  # Gradio raises anything at a request it does not understand
            await response.fail(problem)


def is_closed(path: str) -> bool:
    """Whether nothing is served at this path, which may begin with the prefix of a reverse proxy."""
    if API in path:
        return not path.rpartition(API)[2].startswith(OPEN)
    return any(part in CLOSED for part in path.split("/"))


async def _body(receive: Receive) -> bytes | None:
    """The request's body, cut at one byte more than MAX_BYTES; None if the client has gone."""
    body, size, is_more = bytearray(), 0, True
    while is_more:
        message = await receive()
        if message["type"] != "http.request":
            return None
        part = message.get("body", b"")
        body += part
        del body[MAX_BYTES + 1 :]
        size += len(part)
        is_more = message.get("more_body", False) and size <= MAX_BYTES_READ
    return bytes(body)


async def _refusal(body: bytes, path: str) -> tuple[int, str] | None:
    """Status and message if a request must not be passed on."""
    if len(body) > MAX_BYTES:
        return 413, TOO_LARGE
    if API not in path:  # only Gradio takes parts of a request for files
        return None
    return await run_in_threadpool(_refusal_by_content, body) if len(body) > LARGE else _refusal_by_content(body)


def _refusal_by_content(body: bytes) -> tuple[int, str] | None:
    """The same by what is in it. Invalid JSON is left to Gradio, which reports it."""
    try:
        data = json.loads(body)
    except RecursionError:
        return 400, "a request must not be nested so deep"
    except ValueError:
        return None
    return (400, FILE) if _names_a_file(data) else None


def _names_a_file(data: Any) -> bool:
    """Whether it contains what Gradio takes for a file, which it would read, or fetch from another server."""
    unchecked = [data]
    while unchecked:
        value = unchecked.pop()
        if isinstance(value, dict):
            if "meta" in value and "path" in value:
                return True
            unchecked += value.values()
        elif isinstance(value, list):
            unchecked += value
    return False


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the body read here, then what follows."""
    unread: list[AsgiMessage] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> AsgiMessage:
        return unread.pop() if unread else await receive()

    return receive_again


def _event_in(body: bytes) -> Any:
    """The event that a request names."""
    try:
        return json.loads(body)["event_id"]
    except (ValueError, TypeError, KeyError, IndexError):
        return None


def _stream(scope: AsgiMessage) -> AbstractContextManager[None]:
    """While a client reads the messages of its run, by event (`call/run/ID`) or by session (`queue/data?session_hash=ID`)."""
    route = scope["path"].rpartition(API)[2]
    if scope["method"] == "GET" and route.startswith("call/"):
        return RUNS.stream(route.rpartition("/")[2])
    if route == "queue/data":
        return RUNS.stream(parse_qs(scope["query_string"].decode("latin-1")).get("session_hash", [""])[0])
    return nullcontext()
