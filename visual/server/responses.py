"""Responses as they leave: with security headers, short refusals, and a message where Gradio fails."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from ersd.formatting import truncated

from . import logs

AsgiMessage = MutableMapping[str, Any]
Send = Callable[[AsgiMessage], Awaitable[None]]

QUEUE_FULL_STATUS = 503
"""Gradio's status when its queue is full."""
MISUNDERSTOOD = "this request could not be understood"


def policy(hosted: bool) -> str:
    """The content-security policy: nothing comes from, or goes to, another server.

    Gradio writes scripts and styles into its page and evaluates text, so both are allowed; handlers in attributes, as injected HTML has
    them, are not. `hosted`: on a Space, whose platform adds a script that fits the page into a frame.
    """
    elsewhere = " https://cdnjs.cloudflare.com" if hosted else ""
    rules = {
        "default-src": "'self'",
        "script-src": f"'self' 'unsafe-inline' 'unsafe-eval'{elsewhere}",
        "script-src-attr": "'none'",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
    }
    return "; ".join(f"{name} {allowed}" for name, allowed in rules.items())


def _headers() -> list[tuple[bytes, bytes]]:
    wanted = {
        "content-security-policy": policy("SPACE_ID" in os.environ),
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
    }
    return [(name.encode(), value.encode()) for name, value in wanted.items()]


class GuardedResponse:
    """The response to one request."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._is_started = False
        self._is_stream = False
        self._held: list[bytes] | None = None  # the body of a response that is read before it is sent

    async def send(self, message: AsgiMessage) -> None:
        """Pass a part of the app's response on."""
        if message["type"] == "http.response.start":
            await self._start(message)
        elif self._held is None:
            await self._send(message)
        else:
            self._held.append(message.get("body", b""))
            if not message.get("more_body"):
                await self.refuse(422, _without_input(b"".join(self._held)))

    async def _start(self, message: AsgiMessage) -> None:
        if message["status"] == QUEUE_FULL_STATUS:
            logs.log("queue", "busy")
        if message["status"] in (422, 500):  # Gradio repeats the whole input in these
            self._held = []
            return
        self._is_started = True
        headers = list(message.get("headers", []))
        self._is_stream = any(name == b"content-type" and value.startswith(b"text/event-stream") for name, value in headers)
        await self._send({**message, "headers": [*headers, *_headers()]})

    async def refuse(self, status: int, text: str) -> None:
        """Respond in the form of Gradio's own refusals."""
        headers = [(b"content-type", b"application/json"), (b"connection", b"close"), *_headers()]
        self._is_started = True
        await self._send({"type": "http.response.start", "status": status, "headers": headers})
        await self._send({"type": "http.response.body", "body": json.dumps({"detail": text}).encode()})

    async def fail(self, problem: Exception) -> None:
        """Respond after an exception of the app, or end the stream it began; the log has the exception's type and line."""
        last = traceback.extract_tb(problem.__traceback__)[-1:]
        where = "".join(f" in {os.path.basename(frame.filename)}:{frame.lineno}" for frame in last)
        logs.log("http", f"failed: {type(problem).__name__}{where}")
        if not self._is_started:
            await self.refuse(400, MISUNDERSTOOD)
        elif self._is_stream:
            event = f"event: error\ndata: {json.dumps({'error': MISUNDERSTOOD})}\n\n"
            await self._send({"type": "http.response.body", "body": event.encode()})
        else:
            raise problem


def _without_input(body: bytes) -> str:
    """What is wrong with a request, without what was in it."""
    try:
        answer = json.loads(body)
        if answer.get("error"):
            return truncated(answer["error"])
        return truncated("; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in answer["detail"]))
    except (ValueError, TypeError, KeyError, AttributeError):
        return MISUNDERSTOOD
