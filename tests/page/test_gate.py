"""What is let in: routes that this page uses, requests of a bounded size."""

from __future__ import annotations

import json

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from visual.server import guard as gate, responses as answer


async def _echo(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


@pytest.fixture
def client(monkeypatch) -> TestClient:
    monkeypatch.setattr(gate, "MOST_BYTES", 1000)
    return TestClient(gate.Gate(Starlette(routes=[Route("/{path:path}", _echo, methods=["GET", "POST"])])))


@pytest.mark.parametrize(
    "path",
    [
        "upload",
        "upload_progress",
        "proxy=http://elsewhere",
        "component_server",
        "vibe-edit/",
        "process_recording",
        "run/run",
        "api/run",
        "run-history/x",
        "x",
        "file=/a/player.js",
    ],
)
@pytest.mark.parametrize("prefix", ["", "/demo"])
def test_routes_that_are_closed(client, prefix, path):
    assert client.post(f"{prefix}/gradio_api/{path}").status_code == 404
    assert client.get(f"{prefix}/gradio_api/{path}").status_code == 404


@pytest.mark.parametrize("path", ["", "upload", "gradio_api/call/run", "gradio_api/queue/join", "modules/1/core/player.js"])
def test_routes_that_are_open(client, path):
    assert client.get(f"/{path}").status_code == 200


def test_a_request_has_a_bounded_size(client):
    assert client.post("/gradio_api/call/run", content=b"x" * 1000).text == "1000"
    refused = client.post("/gradio_api/call/run", content=b"x" * 1001)
    assert refused.status_code == 413
    assert "at most 1,000,000 characters" in refused.json()["detail"]

    def in_parts():
        for _ in range(30):  # of a length that is not told
            yield b"x" * 100

    assert client.post("/gradio_api/call/run", content=in_parts()).status_code == 413


@pytest.mark.parametrize("path", ["login", "logout/", "monitoring", "monitoring/summary", "run-history/records", "dev/reload", "svelte/x"])
@pytest.mark.parametrize("prefix", ["", "/demo"])
def test_what_is_not_for_visitors_is_closed(client, prefix, path):
    assert client.get(f"{prefix}/{path}").json() == {"detail": "nothing is here"}


FILE = {"path": "http://example.com", "meta": {"_type": "gradio.FileData"}}


@pytest.mark.parametrize("data", [[FILE], ["x", [{"deep": FILE}]], [json.loads(json.dumps(FILE))]])
def test_nothing_is_fetched_for_a_visitor(client, data):
    body = json.dumps({"data": data}).replace("meta", "m\\u0065ta")  # however it is spelt
    refused = client.post("/gradio_api/queue/join", content=body)
    assert (refused.status_code, refused.json()["detail"]) == (400, gate.FILE)


def test_what_is_nested_too_deep_is_refused(client, monkeypatch):
    monkeypatch.setattr(gate, "MOST_BYTES", 1_000_000)
    assert client.post("/gradio_api/queue/join", content="[" * 200_000).status_code == 400


def test_values_that_are_no_files_pass(client):
    assert client.post("/gradio_api/queue/join", json={"data": [{"path": "x"}, {"meta": 1}, "meta path", None]}).status_code == 200
    assert client.post("/gradio_api/queue/join", content=b"\xff no json").status_code == 200


async def _breaks(_: Request) -> PlainTextResponse:
    raise KeyError("secret")


async def _breaks_later(_: Request) -> StreamingResponse:
    async def parts():
        yield "data: 1\n\n"
        raise KeyError("secret")

    return StreamingResponse(parts(), media_type="text/event-stream")


async def _invalid(_: Request) -> JSONResponse:
    wrong = {"loc": ["body", "data"], "msg": "Field required", "input": "secret" * 1000}
    return JSONResponse({"detail": [wrong] * 100}, 422)


@pytest.fixture
def failing() -> TestClient:
    async def unexpected(_: Request) -> JSONResponse:
        return JSONResponse({"error": "what went wrong " * 100}, 500)

    routes = [
        Route("/unexpected", unexpected),
        Route("/breaks", _breaks),
        Route("/later", _breaks_later),
        Route("/invalid", _invalid),
        Route("/fine", _echo),
    ]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(gate.Gate)]))


def test_whatever_breaks_the_answer_is_in_words(failing, capsys):
    broken = failing.get("/breaks")
    assert (broken.status_code, broken.json()["detail"]) == (400, answer.MISUNDERSTOOD)
    later = failing.get("/later").text
    assert later.startswith("data: 1\n\nevent: error\n")
    logged = capsys.readouterr()
    assert logged.out.count('"failed: KeyError in test_gate.py:') == 2
    assert "secret" not in logged.out + logged.err + later


def test_what_is_wrong_with_a_request_is_told_without_repeating_it(failing):
    refused = failing.get("/invalid")
    assert refused.status_code == 422
    assert refused.json()["detail"].startswith("body.data: Field required; ")
    assert len(refused.text) < 300
    unexpected = failing.get("/unexpected")
    assert unexpected.status_code == 422
    assert unexpected.json()["detail"].startswith("what went wrong ")
    assert len(unexpected.text) < 300


def test_a_page_keeps_to_itself(failing, monkeypatch):
    for path in ("/fine", "/breaks", "/login"):
        headers = failing.get(path).headers
        assert "connect-src 'self'" in headers["content-security-policy"]
        assert "https:" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    monkeypatch.setenv("SPACE_ID", "somebody/page")
    assert "script-src 'self' 'unsafe-inline' 'unsafe-eval' https://cdnjs" in failing.get("/fine").headers["content-security-policy"]
