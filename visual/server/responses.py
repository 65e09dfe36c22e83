"""Answers as they leave: with the headers that keep a page to itself, briefly where they refuse, and in words where Gradio fails."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from ersd.formatting import brief
from visual.server import logs as request_log

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]

FULL = 503
"""What Gradio answers when no more runs can wait."""
MISUNDERSTOOD = "this request could not be understood"


def policy(hosted: bool) -> str:
    """The content-security policy: nothing comes from, or goes to, another server. Gradio writes scripts and styles into its page and makes
    functions of text, so these are allowed; handlers in attributes, as injected HTML has them, are not.

    hosted: on a Space, which a script of that platform's puts into a frame of the right height.
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


class Answer:
    """The answer to one request."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._started = False
        self._stream = False
        self._unsaid: list[bytes] | None = None  # of an answer that is read before it is sent

    async def send(self, message: Message) -> None:
        """Passes a part of the app's answer on."""
        if message["type"] == "http.response.start":
            await self._start(message)
        elif self._unsaid is None:
            await self._send(message)
        else:
            self._unsaid.append(message.get("body", b""))
            if not message.get("more_body"):
                await self.refuse(422, _without_input(b"".join(self._unsaid)))

    async def _start(self, message: Message) -> None:
        if message["status"] == FULL:
            request_log.write("queue", "busy")
        if message["status"] in (422, 500):  # it says what was wrong by giving it back, all of it
            self._unsaid = []
            return
        self._started = True
        headers = list(message.get("headers", []))
        self._stream = any(name == b"content-type" and value.startswith(b"text/event-stream") for name, value in headers)
        await self._send({**message, "headers": [*headers, *_headers()]})

    async def refuse(self, status: int, words: str) -> None:
        """Answers in the form that Gradio's own refusals have."""
        headers = [(b"content-type", b"application/json"), (b"connection", b"close"), *_headers()]
        self._started = True
        await self._send({"type": "http.response.start", "status": status, "headers": headers})
        await self._send({"type": "http.response.body", "body": json.dumps({"detail": words}).encode()})

    async def fail(self, problem: Exception) -> None:
        """Answers where the app raised something, or ends what it began; the operator reads which error it was, and where."""
        last = traceback.extract_tb(problem.__traceback__)[-1:]
        where = "".join(f" in {os.path.basename(frame.filename)}:{frame.lineno}" for frame in last)
        request_log.write("http", f"failed: {type(problem).__name__}{where}")
        if not self._started:
            await self.refuse(400, MISUNDERSTOOD)
        elif self._stream:
            event = f"event: error\ndata: {json.dumps({'error': MISUNDERSTOOD})}\n\n"
            await self._send({"type": "http.response.body", "body": event.encode()})
        else:
            raise problem


def _without_input(body: bytes) -> str:
    """What is wrong with the fields of a request, and not what was in them."""
    try:
        answer = json.loads(body)
        if answer.get("error"):
            return brief(answer["error"])
        return brief("; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in answer["detail"]))
    except (ValueError, TypeError, KeyError, AttributeError):
        return MISUNDERSTOOD
