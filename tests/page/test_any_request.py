"""Arbitrary requests to every route and endpoint: each gets an answer with a message, and the server goes on."""

from __future__ import annotations

import http.client
import itertools
import json
import urllib.request
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import ersd
from visual import assets
from visual.server import parameters
from visual.server.pairs import EMBEDDED
from visual.server.parameters import plain_values
from visual.server.tabs import compare

from .browser import PATIENCE, visits

HOSTILE = '"><img src=x onerror="window.owned = 1"><script>window.owned = 1</script>'
TRICKY = [
    None, True, 0, -1, 0.5, 2**53, 10**400, float("nan"), float("inf"), -float("inf"), "", "  ", "x" * 3000, "\x00\x1b[2J", "😀", "hot",
    "\ud800", "\u202eשלום", HOSTILE, [], [[]], {}, {"a": 1}, {"__type__": "update"},
    {"path": "/etc/passwd", "meta": {"_type": "gradio.FileData"}}, "4,2", "9" * 5000,
]  # fmt: skip
LONGEST = 800
EXAMPLES = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def send(address: str, method: str, path: str, body: bytes | None = None) -> tuple[int, str]:
    """Status and text of an answer; no text of one that does not end."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE / 1e3)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        if "heartbeat" in path or "queue/data" in path:
            return answer.status, ""
        return answer.status, answer.read(10_000_000).decode(errors="replace")
    finally:
        connection.close()


def post(address: str, path: str, body: Any) -> tuple[int, str]:
    return send(address, "POST", f"/gradio_api/{path}", json.dumps(body).encode())


def is_explained(status: int, text: str) -> None:
    """No fault of the server, and nothing of its insides."""
    assert status < 500
    assert "Traceback" not in text
    assert 'File "' not in text


def call(address: str, name: str, values: list[Any]) -> str:
    """The last data of a client's call, or the error message; both are checked."""
    status, text = post(address, f"call{name}", {"data": values})
    is_explained(status, text)
    if status != 200:
        message = json.loads(text)["detail"]
    else:
        status, text = send(address, "GET", f"/gradio_api/call{name}/{json.loads(text)['event_id']}")
        is_explained(status, text)
        kind, data = text.strip().split("\n")[-2:]
        if kind == "event: complete":
            return json.loads(data.removeprefix("data: "))[0]
        assert kind == "event: error"
        message = json.loads(data.removeprefix("data: "))["error"]
    assert 0 < len(message) < LONGEST
    return message


def usual_run() -> dict[str, Any]:
    """A short run as a client or the page requests it."""
    values = {"prompt": "Once", "models": EMBEDDED, **plain_values(ersd.Settings(max_new_tokens=2, draft_tokens=2))}
    return {name: values[name] for name in parameters.NAMES}


def usual_comparison() -> dict[str, Any]:
    """A short comparison as the page requests it."""
    values = usual_run() | {f"method_{lane}": "standard" for lane in range(1, compare.LANES + 1)}
    values |= {f"draft_tokens_{lane}": 2 for lane in range(1, compare.LANES + 1)}
    return {name: values[name] for name in compare.NAMES}


def changed(data: st.DataObject, values: list[Any], most: int) -> list[Any]:
    """The values with some of them replaced."""
    for index, value in data.draw(st.lists(st.tuples(st.integers(0, len(values) - 1), st.sampled_from(TRICKY)), max_size=most)):
        values[index] = value
    return values


@EXAMPLES
@given(st.data())
def test_an_endpoint_answers_any_values(address, data):
    values = changed(data, list(usual_run().values()), most=3)
    values = [*values, *["too many"] * 40][: data.draw(st.sampled_from([len(values)] * 5 + [0, 5, len(values) + 1, len(values) + 40]))]
    call(address, data.draw(st.sampled_from(["/generate", "/run"])), values)


@pytest.mark.parametrize("field", ["prompt", "branching"])
def test_an_invalid_value_is_refused_by_the_name_of_its_field_and_any_prompt_is_run(address, field):
    for value in TRICKY:
        answer = call(address, "/run", list({**usual_run(), field: value}.values()))
        if answer.startswith("{"):
            assert field != "prompt" or ersd.Trace.from_json(answer).prompt == value
        else:
            assert answer.startswith((f"{field} must ", "a request must not name files"))


def functions_of(address: str) -> list[dict]:
    """All functions of the page, described or not."""
    return json.loads(send(address, "GET", "/config")[1])["dependencies"]


@EXAMPLES
@given(data=st.data())
def test_the_buttons_of_the_page_answer_any_values(address, data):
    name, usual = data.draw(st.sampled_from([("watched", usual_run()), ("compared", usual_comparison())]))
    function = next(one["id"] for one in functions_of(address) if one["api_name"] == name)
    session = data.draw(st.uuids()).hex
    values = changed(data, list(usual.values()), most=2)
    status, text = post(address, "queue/join", {"data": values, "fn_index": function, "session_hash": session})
    is_explained(status, text)
    if status == 200:
        with urllib.request.urlopen(f"{address}/gradio_api/queue/data?session_hash={session}", timeout=PATIENCE / 1e3) as stream:
            events = [json.loads(line.removeprefix(b"data: ")) for line in stream if line.startswith(b"data: ")]
        (end,) = [event for event in events if event["msg"] == "process_completed"]
        assert end["success"], "the player's own messages explain what is wrong"
        is_explained(200, json.dumps(events))


def test_no_run_is_started_outside_the_queue_and_the_pages_own_functions_take_anything(address):
    for function in functions_of(address):
        for value in TRICKY[:: 8 if function["queue"] else 3]:
            body = {"data": [value] * len(function["inputs"]), "fn_index": function["id"], "session_hash": "x"}
            status, text = post(address, "run/predict", body)
            is_explained(status, text)
            assert not function["queue"] or status in (400, 404)  # 400: it names a file


BODIES = [None, b"", b"{", b"\xff", b"NaN", b"[]", b'{"data": []}', b'{"data": [], "fn_index": 10000, "session_hash": "x"}', b"[" * 50_000]
PARTS = ["x", "../../../etc/passwd", "%00", quote(HOSTILE, safe=""), "9" * 500]


def test_every_described_route_answers_anything_and_only_three_endpoints_are_described(address):
    assert list(json.loads(send(address, "GET", "/gradio_api/info")[1])["named_endpoints"]) == ["/generate", "/run", "/compare"]
    paths = json.loads(send(address, "GET", "/openapi.json")[1])["paths"]
    assert len(paths) > 20
    for path, methods in paths.items():
        name = path[: path.index("{")] if "{" in path else path
        for method, part in itertools.product(methods, PARTS if "{" in path else [""]):
            for body in BODIES if method == "post" else [None]:
                is_explained(*send(address, method.upper(), name + part, body))


PREFIXES = (f"/{assets.address('')}", "/gradio_api/file=", "/gradio_api/file/", "/static/", "/assets/", "/file=")


def test_no_file_is_served_except_those_the_page_names(address):
    root, here = assets.WEB.parent.parent, assets.WEB / "core"
    assert send(address, "GET", f"/{assets.address('core/player.js')}")[0] == 200
    ours = ["app.py", "visual/web/page/page.css", "assets/pair/target/config.json", ".git/config", "visual/web/core/player.js"]
    wanted = [
        *(str(root / name) for name in ours), "/etc/passwd", "/proc/self/environ", "../../../../etc/passwd", f"{here}/../../../app.py",
        f"{here}/%2e%2e/%2e%2e/%2e%2e/app.py", f"{here}/player.js/../__init__.py", f"file://{root}/app.py", "http://127.0.0.1:1/x", "",
    ]  # fmt: skip
    for name, prefix in itertools.product(wanted, PREFIXES):
        status, _ = send(address, "GET", f"{prefix}{name}")
        assert 400 <= status < 500, (prefix, name)


def test_no_script_of_a_link_runs(address, browser):
    with visits(browser, may_complain=True) as visit:
        page = visit(address, f"?prompt={quote(HOSTILE)}&max_new_tokens=3&draft_tokens=2&seed=3&step={'9' * 400}&vertex={quote(HOSTILE)}")
        page.wait_for_selector("#player[data-state=done]")
        assert page.input_value("#prompt textarea") == HOSTILE
        assert page.inner_text("#player-text").startswith(HOSTILE)
        page.goto(f"{address}/?method={quote(HOSTILE)}")
        page.wait_for_selector("#player[data-state=error]")
        assert "<img src=x" in page.inner_text("#player-status")
        # even injected HTML would not run: the content-security policy forbids handlers in attributes
        page.evaluate("""() => new Promise((failed) => {
          document.body.insertAdjacentHTML('beforeend', '<img src=x: onerror="window.owned = 1">');
          document.body.lastElementChild.addEventListener("error", failed);
        })""")
        assert page.evaluate("window.owned") is None


def test_after_all_that_a_run_is_as_ever(address, pair):
    trace = ersd.Trace.from_json(call(address, "/run", list(usual_run().values())))
    assert trace.token_ids == ersd.run(pair, "Once", ersd.Settings(draft_tokens=2, max_new_tokens=2)).token_ids
