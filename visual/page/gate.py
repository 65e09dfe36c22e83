"""What is let in before Gradio sees it: no route that this page does not use, and no request larger than the largest run's."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from ersd.settings import MOST_CHARACTERS

from . import request_log

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

API = "/gradio_api/"
CLOSED = ("upload", "upload_progress", "process_recording", "component_server", "proxy=", "stream/", "vibe-", "undo-vibe-", "deep_link")
"""Routes of Gradio, by how they begin behind API, for what is not on this page: files, recordings, code, other servers."""

MOST_BYTES = 12 * MOST_CHARACTERS + 100_000
"""Of a request: the longest prompt, each character as JSON writes it at most, and all else."""
FULL = 503
"""What Gradio answers when no more runs can wait."""
MOST_HEARD = 20 * MOST_BYTES

TOO_LARGE = f"a request must have at most {MOST_BYTES:,} bytes, and its prompt at most {MOST_CHARACTERS:,} characters"


class Gate:
    """ASGI middleware; `launch` takes it for the app that it makes."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers it here."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif scope["path"].rpartition(API)[2].startswith(CLOSED) and API in scope["path"]:
            await _refuse(send, 404, "nothing is here")
        elif scope["method"] in ("POST", "PUT", "PATCH"):
            await self._bounded(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _bounded(self, scope: Message, receive: Receive, send: Send) -> None:
        """Reads the whole request, at most MOST_BYTES of it, before the app is asked."""
        parts: list[bytes] = []
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return  # the client has gone
            size += len(message.get("body", b""))
            # one that is too large is heard out all the same, and forgotten: who still sends hears no answer
            if size > MOST_BYTES:
                parts.clear()
            else:
                parts.append(message.get("body", b""))
            more = message.get("more_body", False) and size <= MOST_HEARD
        if size > MOST_BYTES:
            await _refuse(send, 413, TOO_LARGE)
            return
        read: list[Message] = [{"type": "http.request", "body": b"".join(parts), "more_body": False}]

        async def again() -> Message:
            return read.pop() if read else await receive()

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == FULL:
                request_log.write("queue", "busy")
            await send(message)

        await self.app(scope, again, told)


async def _refuse(send: Send, status: int, words: str) -> None:
    """Answers in the form that Gradio's own refusals have."""
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps({"detail": words}).encode()})
