"""The event loop answers `/health` while anything else that is asked for is being computed."""

from __future__ import annotations

import threading

import httpx
import pytest
from anyio import create_task_group, to_thread
from anyio.from_thread import start_blocking_portal
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from visual import assets
from visual.server import guard, recorded, saved, static_files, trace_reader, watermark
from visual.server.guard import Guard
from visual.server.pairs import Pairs
from visual.server.tabs import compare_recorded, lab, lessons, pays
from visual.ui import figure_page
from visual.ui.page import launch_options

PATIENCE = 20
"""Seconds after which a computation that holds the event loop gives up, so that its test fails."""
COMPUTED = {
    "/lab": (lab, "answer", b"{}"),
    "/pays": (pays, "answer", b"{}"),
    "/watermark": (watermark, "answer", b"{}"),
    "/?figure=call-cost": (figure_page, "_page", None),
    "/replay": (trace_reader, "_message", b"{}"),
    "/replay?large": (trace_reader, "_message_by_process", b" " * trace_reader.LARGE),
    "/saved-page": (saved, "_page", None),
    "/gallery/first-look": (recorded, "first_message", None),
    "/gallery/ersd": (recorded, "gallery_message", None),
    "/comparison": (compare_recorded, "answer", None),
    "/lessons/en": (lessons, "answer", None),
    f"/{assets.address(assets.PLOTLY)}": (static_files, "_gzipped", None),
    "/gradio_api/queue/join": (guard, "_names_a_file", b"[%s]" % (b" " * guard.LARGE)),
}
"""Address -> what is computed for it, and the body of the request."""


@pytest.fixture(scope="module")
def app() -> Starlette:
    """The page's own routes, and one that stands for Gradio's."""
    routes = launch_options(Pairs({"none": lambda: None}))["app_kwargs"]["routes"]
    gradios = Route("/gradio_api/queue/join", lambda _: PlainTextResponse("joined"), methods=["POST"])
    return Starlette(routes=[*routes, gradios], middleware=[Middleware(Guard)])


def test_every_route_of_this_page_is_tried(app):
    tried = {address.partition("?")[0].split("/")[1] for address in COMPUTED}
    assert {route.path.split("/")[1] for route in app.routes} == {*tried, "health"}


@pytest.mark.parametrize("address", COMPUTED)
def test_health_answers_while_an_answer_is_computed(app, monkeypatch, address):
    module, name, body = COMPUTED[address]
    begun, may_end, statuses = threading.Event(), threading.Event(), {}

    def held(*_: object) -> str:
        begun.set()
        may_end.wait(PATIENCE)
        return ""

    monkeypatch.setattr(module, name, held)

    async def ask() -> None:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://page") as client, create_task_group() as tasks:

            async def ask_for_it() -> None:
                method = "GET" if body is None else "POST"
                statuses[address] = (await client.request(method, address, content=body, headers={"accept-encoding": "gzip"})).status_code

            async def ask_how_it_is() -> None:
                assert await to_thread.run_sync(begun.wait, PATIENCE)
                statuses["/health"] = (await client.get("/health")).status_code
                may_end.set()

            tasks.start_soon(ask_for_it)
            tasks.start_soon(ask_how_it_is)

    with start_blocking_portal() as portal:  # in this thread Playwright runs an event loop
        portal.call(ask)
    assert list(statuses) == ["/health", address]
    assert statuses[address] < 500
