"""What is let in: routes that this page uses, requests of a bounded size."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from visual.page import gate


async def _echo(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


@pytest.fixture
def client(monkeypatch) -> TestClient:
    monkeypatch.setattr(gate, "MOST_BYTES", 1000)
    return TestClient(gate.Gate(Starlette(routes=[Route("/{path:path}", _echo, methods=["GET", "POST"])])))


@pytest.mark.parametrize(
    "path", ["upload", "upload_progress", "proxy=http://elsewhere", "component_server", "vibe-edit/", "process_recording"]
)
@pytest.mark.parametrize("prefix", ["", "/demo"])
def test_routes_that_are_closed(client, prefix, path):
    assert client.post(f"{prefix}/gradio_api/{path}").status_code == 404
    assert client.get(f"{prefix}/gradio_api/{path}").status_code == 404


@pytest.mark.parametrize("path", ["", "upload", "gradio_api/call/run", "gradio_api/queue/join", "gradio_api/file=/a/upload"])
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
