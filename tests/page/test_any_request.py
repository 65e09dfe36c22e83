"""The served description of the API, and every route: whatever is sent gets an answer in words, and the server goes on."""

from __future__ import annotations

import http.client
import itertools
import json
import urllib.request
from functools import cache
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import ersd
from visual.server import compare as compare_run, parameters, static_files as modules
from visual.server.pairs import EMBEDDED, Pairs
from visual.server.parameters import plain_values
from visual.ui.page import build

from .browser import launched

HOSTILE = '"><img src=x onerror="window.owned = 1"><script>window.owned = 1</script>'
TRICKY = [
    None, True, 0, -1, 0.5, 2**53, 10**400, float("nan"), float("inf"), -float("inf"), "", "  ", "x" * 3000, "\x00\x1b", "😀",
    "\ud800", "\u202eשלום",
    HOSTILE, [], [[]], {}, {"a": 1}, {"__type__": "update"},
    {"path": "/etc/passwd", "meta": {"_type": "gradio.FileData"}}, "4,2", "9" * 5000,
]  # fmt: skip
LONGEST = 800


@pytest.fixture(scope="module")
def address(pair):
    with launched(build(Pairs({EMBEDDED: lambda: pair}))) as address:
        yield address


def send(address: str, method: str, path: str, body: bytes | None = None, most: int = 10_000_000) -> tuple[int, str]:
    """Status and text of an answer. Of one that does not end, what comes within a second."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        if "heartbeat" in path or "queue/data" in path:
            return answer.status, ""
        return answer.status, answer.read(most).decode(errors="replace")
    finally:
        connection.close()


def is_in_words(status: int, text: str) -> None:
    assert status < 500
    assert "Traceback" not in text
    assert 'File "' not in text


@cache
def described(address: str) -> dict[str, list[dict]]:
    """The endpoints for clients and their parameters."""
    status, text = send(address, "GET", "/gradio_api/info")
    assert status == 200
    return {name: endpoint["parameters"] for name, endpoint in json.loads(text)["named_endpoints"].items()}


def test_only_the_endpoints_that_are_meant_are_offered(address):
    assert list(described(address)) == ["/generate", "/run"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_values_are_answered(address, data):
    name, parameters = data.draw(st.sampled_from(sorted(described(address).items())))
    usual = {"prompt": "Once", "max_new_tokens": 2, "draft_tokens": 2}
    values = [usual.get(one["parameter_name"], one["parameter_default"]) for one in parameters]
    for place, value in data.draw(st.lists(st.tuples(st.integers(0, len(values) - 1), st.sampled_from(TRICKY)), max_size=3)):
        values[place] = value
    values = [*values, *["too many"] * 40][: data.draw(st.sampled_from([len(values)] * 5 + [0, 5, len(values) + 1, len(values) + 40]))]
    status, text = send(address, "POST", f"/gradio_api/call{name}", json.dumps({"data": values}).encode())
    is_in_words(status, text)
    if status != 200:
        assert 0 < len(json.loads(text)["detail"]) < LONGEST
        return
    status, text = send(address, "GET", f"/gradio_api/call{name}/{json.loads(text)['event_id']}")
    is_in_words(status, text)
    kind, said = text.strip().split("\n")[-2:]
    if kind == "event: error":
        words = json.loads(said.removeprefix("data: "))["error"]
        assert 0 < len(words) < LONGEST
    else:
        assert kind == "event: complete"


BODIES = [None, b"", b"{", b"\xff", b"NaN", b"[]", b'{"data": []}', b'{"data": [], "fn_index": 10000, "session_hash": "x"}', b"[" * 50_000]
PARTS = ["x", "../../../etc/passwd", "%00", quote(HOSTILE, safe=""), "9" * 500]


def test_every_route_that_is_described_answers_anything(address):
    paths = json.loads(send(address, "GET", "/openapi.json")[1])["paths"]
    assert len(paths) > 20
    tried = 0
    for path, methods in paths.items():
        name = path[: path.index("{")] if "{" in path else path
        for method, part in itertools.product(methods, PARTS if "{" in path else [""]):
            for body in BODIES if method == "post" else [None]:
                is_in_words(*send(address, method.upper(), name + part, body))
                tried += 1
    assert tried > 100


@cache
def functions_of(address: str) -> list[dict]:
    """All that the page can ask the server for, whether it is described or not."""
    return json.loads(send(address, "GET", "/config")[1])["dependencies"]


def test_no_run_is_started_beside_the_queue_and_what_the_page_asks_for_may_be_anything(address):
    for function in functions_of(address):
        for value in TRICKY[:: 8 if function["queue"] else 3]:
            body = json.dumps({"data": [value] * len(function["inputs"]), "fn_index": function["id"], "session_hash": "x"}).encode()
            status, text = send(address, "POST", "/gradio_api/run/predict", body)
            is_in_words(status, text)
            if function["queue"]:
                assert status in (400, 404)  # 400: it names a file


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_the_buttons_of_the_page_are_answered_whatever_stands_in_the_controls(address, data):
    function = data.draw(st.sampled_from([one for one in functions_of(address) if one["api_name"] in ("watched", "compared")]))
    compared = function["api_name"] == "compared"
    usual = comparison() if compared else usual_run()
    values = list(usual.values())
    for place, value in data.draw(st.lists(st.tuples(st.integers(0, len(values) - 1), st.sampled_from(TRICKY)), max_size=2)):
        values[place] = value
    session = data.draw(st.uuids()).hex
    body = json.dumps({"data": values, "fn_index": function["id"], "session_hash": session}).encode()
    status, text = send(address, "POST", "/gradio_api/queue/join", body)
    is_in_words(status, text)
    if status == 200:
        events = heard(address, session)
        assert events[-1]["msg"] == "process_completed"
        assert events[-1]["success"], "what is wrong is told by the player's own messages"
        is_in_words(200, json.dumps(events))


def usual_run() -> dict[str, Any]:
    """A short run as the page asks for it."""
    values = {"prompt": "Once", "models": EMBEDDED, **plain_values(ersd.Settings(max_new_tokens=2, draft_tokens=2))}
    return {name: values[name] for name in parameters.NAMES}


def comparison() -> dict[str, Any]:
    """A short comparison as the page asks for it."""
    values = usual_run()
    for place in range(1, compare_run.LANES + 1):
        values |= {f"method_{place}": "standard", f"draft_tokens_{place}": 2}
    return {name: values[name] for name in compare_run.NAMES}


def heard(address: str, session: str) -> list[dict]:
    """The events of a session until its run is over."""
    with urllib.request.urlopen(f"{address}/gradio_api/queue/data?session_hash={session}", timeout=60) as stream:
        events = [json.loads(line.removeprefix(b"data: ")) for line in stream if line.startswith(b"data: ")]
    return [event for event in events if event["msg"] not in ("heartbeat", "close_stream")]


PREFIXES = (f"/{modules.address('')}", "/gradio_api/file=", "/gradio_api/file/", "/static/", "/assets/", "/file=")


def test_no_file_is_served_but_those_the_page_names(address):
    root, here = modules.WEB.parent.parent, modules.WEB / "core"
    assert send(address, "GET", f"/{modules.address('core/player.js')}")[0] == 200
    others = [
        "app.py",
        "README.md",
        "visual/web/page/page.css",
        "assets/pair/target/config.json",
        "visual/ui/player.py",
        ".git/config",
        "visual/web/core/player.js",
    ]
    wanted = [
        *(str(root / name) for name in others), "/etc/passwd", "/proc/self/environ", "../../../../etc/passwd", f"{here}/../../../app.py",
        f"{here}/%2e%2e/%2e%2e/%2e%2e/app.py", f"{here}/player.js/../__init__.py", f"file://{root}/app.py", "http://127.0.0.1:1/x", "",
    ]  # fmt: skip
    for name, prefix in itertools.product(wanted, PREFIXES):
        status, _ = send(address, "GET", f"{prefix}{name}")
        assert 400 <= status < 500, (prefix, name)


def test_a_link_may_hold_anything_and_no_script_of_it_runs(address, browser):
    page = browser.new_page()
    page.goto(f"{address}/?prompt={quote(HOSTILE)}&max_new_tokens=3&draft_tokens=2&seed=3&step={'9' * 400}&vertex={quote(HOSTILE)}")
    page.wait_for_selector("#player[data-state=done]", timeout=60_000)
    assert page.input_value("#prompt textarea") == HOSTILE
    assert page.inner_text("#player-text").startswith(HOSTILE)
    page.goto(f"{address}/?method={quote(HOSTILE)}")
    page.wait_for_selector("#player[data-state=error]", timeout=60_000)
    assert "<img src=x" in page.inner_text("#player-status")
    assert page.evaluate("window.owned") is None
    # and were something written into the page as it is, it would not run either
    page.evaluate("""() => new Promise((failed) => {
      document.body.insertAdjacentHTML('beforeend', '<img src=x: onerror="window.owned = 1">');
      document.body.lastElementChild.addEventListener("error", failed);
    })""")
    assert page.evaluate("window.owned") is None
    page.close()


def test_after_all_that_a_run_is_as_ever(address, pair):
    usual = ["Once", "ersd", "tau_star", 3, 1.0, 0, 1.0, 4, 1, EMBEDDED, "4,2", 2, 0.0, False]
    event = json.loads(send(address, "POST", "/gradio_api/call/run", json.dumps({"data": usual}).encode())[1])["event_id"]
    text = send(address, "GET", f"/gradio_api/call/run/{event}")[1]
    trace = ersd.Trace.from_json(json.loads(text.strip().split("\n")[-1].removeprefix("data: "))[0])
    assert trace.token_ids == ersd.run(pair, "Once", ersd.Settings(draft_tokens=3, max_new_tokens=4, seed=1)).token_ids
