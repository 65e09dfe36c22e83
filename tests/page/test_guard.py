"""The guard: which routes are open, how large a request may be, and what a response may contain."""

from __future__ import annotations

import json

import pytest
from anyio.from_thread import start_blocking_portal
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from visual.server import guard
from visual.server.guard import Guard
from visual.server.responses import MISUNDERSTOOD

FILE = {"path": "http://example.com", "meta": {"_type": "gradio.FileData"}}


async def breaks(_: Request) -> PlainTextResponse:
    raise KeyError("secret")


async def breaks_in_stream(_: Request) -> StreamingResponse:
    async def parts():
        yield "data: 1\n\n"
        raise KeyError("secret")

    return StreamingResponse(parts(), media_type="text/event-stream")


async def invalid(_: Request) -> JSONResponse:
    return JSONResponse({"detail": [{"loc": ["body", "data"], "msg": "Field required", "input": "secret" * 1000}] * 100}, 422)


async def unexpected(_: Request) -> JSONResponse:
    return JSONResponse({"error": "what went wrong " * 100}, 500)


async def size(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


@pytest.fixture
def client(monkeypatch) -> TestClient:
    monkeypatch.setattr(guard, "MAX_BYTES", 1000)
    failing = {"/breaks": breaks, "/breaks-in-stream": breaks_in_stream, "/invalid": invalid, "/unexpected": unexpected}
    routes = [*(Route(path, endpoint) for path, endpoint in failing.items()), Route("/{path:path}", size, methods=["GET", "POST"])]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(Guard)]))


@pytest.mark.parametrize("prefix", ["", "/demo"])
def test_only_the_routes_of_this_page_are_open(client, prefix):
    closed = ["upload", "upload_progress", "proxy=http://elsewhere", "component_server", "vibe-edit/", "process_recording", "run/run",
              "api/run", "run-history/x", "x", "file=/a/player.js"]  # fmt: skip
    operators = ["login", "logout/", "monitoring", "monitoring/summary", "run-history/records", "dev/reload", "svelte/x"]
    for path in [*(f"gradio_api/{name}" for name in closed), *operators]:
        for answer in (client.get(f"{prefix}/{path}"), client.post(f"{prefix}/{path}")):
            assert (answer.status_code, answer.json()) == (404, {"detail": "nothing is here"}), path
    for path in ["", "upload", "gradio_api/call/run", "gradio_api/queue/join", "modules/1/core/player.js"]:
        assert client.get(f"{prefix}/{path}").status_code == 200, path


def test_a_request_has_a_bounded_size(client):
    assert client.post("/gradio_api/call/run", content=b"x" * 1000).text == "1000"
    without_length = (b"x" * 100 for _ in range(30))
    for content in (b"x" * 1001, without_length):
        refused = client.post("/gradio_api/call/run", content=content)
        assert refused.status_code == 413
        assert "at most 1,000,000 characters" in refused.json()["detail"]


def test_the_largest_request_has_12_100_000_bytes():
    client = TestClient(Starlette(routes=[Route("/", size, methods=["POST"])], middleware=[Middleware(Guard)]))
    assert client.post("/", content=b"x" * 12_100_000).text == "12100000"
    refused = client.post("/", content=b"x" * 12_100_001)
    assert refused.status_code == 413
    assert refused.json()["detail"] == "a request must have at most 12,100,000 bytes, and its prompt at most 1,000,000 characters"


def test_a_larger_request_is_read_up_to_242_000_000_bytes():
    parts = [b"x" * 12_100_000] * 20
    received = 0

    async def receive() -> dict:
        nonlocal received
        received += 1
        return {"type": "http.request", "body": parts.pop() if parts else b"x", "more_body": True}

    with start_blocking_portal() as portal:  # in a thread of its own: the browser tests have a loop running in this one
        assert len(portal.call(guard._body, receive)) == 12_100_001
    assert received == 21


@pytest.mark.parametrize("data", [[FILE], ["x", [{"deep": FILE}]]])
def test_a_request_that_names_a_file_is_refused_however_it_is_spelt(client, data):
    refused = client.post("/gradio_api/queue/join", content=json.dumps({"data": data}).replace("meta", "m\\u0065ta"))
    assert (refused.status_code, refused.json()["detail"]) == (400, guard.FILE)


def test_deep_nesting_is_refused_and_everything_else_passes(client, monkeypatch):
    assert client.post("/gradio_api/queue/join", json={"data": [{"path": "x"}, {"meta": 1}, "meta path", None]}).status_code == 200
    assert client.post("/gradio_api/queue/join", content=b"\xff no json").status_code == 200
    monkeypatch.setattr(guard, "MAX_BYTES", 1_000_000)
    assert client.post("/gradio_api/queue/join", content="[" * 200_000).status_code == 400


def test_an_exception_becomes_a_message_and_a_line_in_the_log(client, capsys):
    broken = client.get("/breaks")
    assert (broken.status_code, broken.json()["detail"]) == (400, MISUNDERSTOOD)
    stream = client.get("/breaks-in-stream").text
    assert stream.startswith("data: 1\n\nevent: error\n")
    logged = capsys.readouterr()
    assert logged.out.count('"failed: KeyError in test_guard.py:') == 2
    assert "secret" not in logged.out + logged.err + stream


@pytest.mark.parametrize(("path", "message"), [("/invalid", "body.data: Field required; "), ("/unexpected", "what went wrong ")])
def test_an_invalid_request_is_explained_without_repeating_it(client, path, message):
    refused = client.get(path)
    assert refused.status_code == 422
    assert refused.json()["detail"].startswith(message)
    assert len(refused.text) < 300


def test_every_response_has_the_security_headers(client, monkeypatch):
    for path in ("/fine", "/breaks", "/login"):
        headers = client.get(path).headers
        assert "connect-src 'self'" in headers["content-security-policy"]
        assert "https:" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    monkeypatch.setenv("SPACE_ID", "somebody/page")
    assert "script-src 'self' 'unsafe-inline' 'unsafe-eval' https://cdnjs" in client.get("/fine").headers["content-security-policy"]
