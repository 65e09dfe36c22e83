"""What a visitor of the served page does: call an endpoint as a client, watch a run as the page does, hang up, or press Stop.

Each function returns the outcome, `complete`, `error`, `busy` or `left` (the visitor has gone), and what was received: the messages of a
stream as plain data, the trace of `/run`, or an error message.
"""

from __future__ import annotations

import http.client
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from gradio_client.utils import apply_diff

import ersd
from visual.server.parameters import NAMES, plain_values

PAIR = "embedded storyteller"
JSON = {"Content-Type": "application/json"}
Outcome = tuple[str, list[Any]]


def values(prompt: str, settings: ersd.Settings) -> list[Any]:
    """The arguments of a run by position."""
    named = {"prompt": prompt, "models": PAIR, **plain_values(settings)}
    return [named[name] for name in NAMES]


@contextmanager
def connected(address: str) -> Iterator[http.client.HTTPConnection]:
    """A connection to the server, closed at the end."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=900)
    try:
        yield connection
    finally:
        connection.close()


def posted(address: str, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Status and answer of a request, over a connection of its own: the server closes idle ones."""
    with connected(address) as connection:
        connection.request("POST", f"/gradio_api/{path}", json.dumps(body), JSON)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def refused(status: int, said: dict[str, Any]) -> Outcome:
    """The outcome of a run that was not accepted."""
    return ("busy" if status == http.client.SERVICE_UNAVAILABLE else "error"), [said]


def failed(words: Any) -> Outcome:
    """The outcome of a run that ended with an error."""
    return ("busy" if "busy" in str(words) else "error"), [words]


def called(address: str, endpoint: str, prompt: str, settings: ersd.Settings, leave_after: int = 0) -> Outcome:
    """A client's run: `/run` or `/generate`. `leave_after`: hangs up after this many messages."""
    status, said = posted(address, f"call/{endpoint}", {"data": values(prompt, settings)})
    if status != http.client.OK:
        return refused(status, said)
    with connected(address) as connection:
        connection.request("GET", f"/gradio_api/call/{endpoint}/{said['event_id']}")
        received: list[Any] = []
        kind = ""
        for line in connection.getresponse():
            word, _, rest = line.decode().strip().partition(": ")
            if word == "event":
                kind = rest
            elif word == "data" and kind == "error":
                return failed(json.loads(rest))
            elif word == "data" and (kind == "generating" or (kind == "complete" and not received)):  # it repeats the last of a stream
                received += [json.loads(value) for value in json.loads(rest)]
                if leave_after and len(received) >= leave_after:
                    return "left", received
        return kind, received


def watched(address: str, function: int, prompt: str, settings: ersd.Settings, stop_after: int = 0) -> Outcome:
    """A run as the page watches it; `function`: index of its Generate button's. `stop_after`: presses Stop after this many steps."""
    session = secrets.token_hex(6)
    ask = {"data": values(prompt, settings), "fn_index": function, "session_hash": session}
    status, said = posted(address, "queue/join", ask)
    if status != http.client.OK:
        return refused(status, said)
    with connected(address) as connection:
        connection.request("GET", f"/gradio_api/queue/data?session_hash={session}")
        received: list[Any] = []
        shown = ""
        for line in connection.getresponse():
            if not line.startswith(b"data: "):
                continue
            event = json.loads(line[len("data: ") :])
            output = event.get("output") or {}
            if event["msg"] == "process_generating" and output.get("data"):
                news = output["data"][0]
                shown = apply_diff(shown, news) if isinstance(news, list) else news
                received += [json.loads(message) for message in shown.split("\n")]
                if stop_after and sum(message["type"] == "step" for message in received) >= stop_after:
                    posted(address, "cancel", {"session_hash": session, "fn_index": function, "event_id": event["event_id"]})
                    return "left", received
            elif event["msg"] == "process_completed":
                wrong = [message["words"] for message in received if message["type"] == "error"]
                return failed(wrong or output) if wrong or not event["success"] else ("complete", received)
        return "error", ["the stream ended before the run"]


def answered(address: str, endpoint: str, named: dict[str, Any]) -> bytes:
    """All that an endpoint streams for these arguments."""
    _, said = posted(address, f"call/v2/{endpoint}", named)
    with connected(address) as connection:
        connection.request("GET", f"/gradio_api/call/{endpoint}/{said['event_id']}")
        return connection.getresponse().read()


def joined(address: str, function: int, data: list[Any]) -> bytes:
    """All that the page is streamed for a function of its own, by index."""
    session = secrets.token_hex(6)
    posted(address, "queue/join", {"data": data, "fn_index": function, "session_hash": session})
    with connected(address) as connection:
        connection.request("GET", f"/gradio_api/queue/data?session_hash={session}")
        return connection.getresponse().read()


def button_of(address: str, name: str = "watched") -> int:
    """The index of the function of the page's Generate button."""
    with connected(address) as connection:
        connection.request("GET", "/config")
        functions = json.loads(connection.getresponse().read())["dependencies"]
    return next(one["id"] for one in functions if one["api_name"] == name)


def health(address: str) -> dict[str, Any]:
    """The answer of `/health`."""
    with connected(address) as connection:
        connection.request("GET", "/health")
        answer: dict[str, Any] = json.loads(connection.getresponse().read())
        return answer


def pid_of(port: int) -> int:
    """The process that was started with this port."""
    for folder in Path("/proc").iterdir():
        words = (folder / "cmdline").read_bytes().split(b"\0") if folder.name.isdigit() and (folder / "cmdline").exists() else []
        if b"app.py" in words and str(port).encode() in words and b"python" in words[0]:
            return int(folder.name)
    raise RuntimeError(f"no server on {port}")
