"""What a server tells whoever runs it: a line for every request, and how it is. And in which threads its models work."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

import ersd
from ersd.models.llama import LlamaDecoder
from ersd.trace.statistics import Statistics
from visual.server import compare as compare_run, guard as gate, health
from visual.server.compare import NAMES, NOTHING, comparing
from visual.server.endpoints import AT_ONCE, TURNS, in_beats, streaming, whole
from visual.server.pairs import Pairs
from visual.server.parameters import plain_values

SECRET = "Nobody shall know"


@pytest.fixture
def pairs(pair) -> Pairs:
    def broken():
        raise RuntimeError(SECRET)

    return Pairs({"pair": lambda: pair, "broken": broken})


def lines(capsys) -> list[dict]:
    """What was logged."""
    shown = capsys.readouterr().out
    assert SECRET not in shown.replace(f"RuntimeError: {SECRET}", "")
    return [json.loads(line) for line in shown.split("\n") if line.startswith("{")]


@pytest.mark.parametrize("name", ["page", "generate", "run"])
def test_a_line_says_what_was_run_and_how_it_ended(capsys, pairs, name):
    endpoint = whole(pairs) if name == "run" else streaming(pairs, name=name)
    list(endpoint(SECRET, algorithm="gsd", topology="batch", draft_tokens=3, max_new_tokens=5))
    (line,) = lines(capsys)
    assert {key: line[key] for key in ("request", "method", "k", "tokens", "outcome")} == {
        "request": name, "method": "gsd batch", "k": 3, "tokens": 5, "outcome": "done",
    }  # fmt: skip
    assert 0 < line["ms"] < 60_000
    assert line["time"].endswith("+00:00")


def test_a_named_method_is_called_by_its_name(capsys, pairs):
    whole(pairs)("Once", algorithm="gsd", topology="sequence", max_new_tokens=2)
    assert lines(capsys)[0]["method"] == "standard"


def test_a_run_that_is_stopped(capsys, pairs):
    parts = in_beats(streaming(pairs))(SECRET)
    for _ in range(3):
        next(parts)
    parts.close()
    (line,) = lines(capsys)
    assert line["outcome"] == "stopped"
    assert 0 < line["tokens"] < ersd.Settings().max_new_tokens


def compared(pairs: Pairs, **wrong) -> Iterator:
    """A comparison as the page asks for it."""
    values = dict.fromkeys(NAMES) | {name: value for name, value in plain_values(ersd.Settings(max_new_tokens=6)).items() if name in NAMES}
    methods = {"method_1": "ERSD τ*", "draft_tokens_1": 4, "method_2": "one by one", "method_3": NOTHING}
    values |= {"prompt": SECRET, "models": "pair", **methods, **wrong}
    return comparing(pairs)(*[values[name] for name in NAMES])


def test_a_comparison_leaves_a_line_for_every_method(capsys, pairs):
    list(compared(pairs))
    assert [(line["request"], line["method"], line["k"], line["tokens"], line["outcome"]) for line in lines(capsys)] == [
        ("compare", "ERSD τ*", 4, 6, "done"), ("compare", "one by one", 0, 6, "done"),
    ]  # fmt: skip
    updates = compared(pairs, max_new_tokens=400)
    for _ in range(2):
        next(updates)
    updates.close()
    assert {line["outcome"] for line in lines(capsys)} == {"stopped"}
    list(compared(pairs, method_2=SECRET))
    assert [(line["request"], line["tokens"], line["outcome"]) for line in lines(capsys)] == [("compare", 0, "refused")]


def test_methods_of_a_comparison_make_calls_in_a_row(pairs, monkeypatch):
    """The first time one each, then several, and as many for all: they are told call by call."""
    places, one_call = [], compare_run._one_call
    monkeypatch.setattr(compare_run, "_one_call", lambda *given: (places.append(given[2]), one_call(*given)))
    monkeypatch.setattr(compare_run, "_calls_in_a_row", lambda lanes: 3 if lanes[0].narrator.statistics.steps else 1)
    list(compared(pairs, method_1="one by one", max_new_tokens=8))
    calls = [0, 1, *2 * [*3 * [0], *3 * [1]], *2 * [0], *2 * [1]]  # the last ones say that there is no more
    assert places == calls


@pytest.mark.parametrize(("milliseconds", "calls"), [([], 1), ([0.0, 0.0], 16), ([2.0, 10.0], 15), ([10.0, 2.0], 15), ([400.0, 90.0], 1)])
def test_a_turn_of_a_comparison_is_short(milliseconds, calls):
    totals = [Statistics(steps=1), *(Statistics(steps=11, steady_ms=10 * each, draft_ms=1e6) for each in milliseconds)]
    lanes = [SimpleNamespace(narrator=SimpleNamespace(statistics=total)) for total in totals]
    assert compare_run._calls_in_a_row(lanes) == calls


@pytest.mark.parametrize(
    ("begun", "thread"),
    [
        (compared, "worker"),
        (lambda pairs: streaming(pairs)(SECRET, max_new_tokens=12), "ahead"),
        (lambda pairs: iter([whole(pairs)(SECRET, max_new_tokens=12)]), "ahead"),
    ],
    ids=["comparison", "run", "whole run"],
)
def test_the_models_work_in_few_threads_whichever_asks(pairs, monkeypatch, begun: Callable[[Pairs], Iterator], thread):
    """Gradio asks for the next message from any thread it has, and one that has worked for a model keeps memory for it."""
    pairs.get("pair")
    worked: set[str] = set()
    forward = LlamaDecoder.forward

    def noted(*arguments, **named):
        worked.add(threading.current_thread().name.partition("_")[0])
        return forward(*arguments, **named)

    monkeypatch.setattr(LlamaDecoder, "forward", noted)
    stream = begun(pairs)
    with ThreadPoolExecutor(1, "asker") as asker:
        while asker.submit(next, stream, None).result() is not None:
            pass
    assert worked == {thread}


@pytest.mark.parametrize("endpoint", [streaming, whole])
@pytest.mark.parametrize(
    ("wrong", "outcome"),
    [({"seed": SECRET}, "refused"), ({"models": SECRET}, "refused"), ({"models": "broken"}, "failed: RuntimeError")],
)
def test_a_run_that_is_refused_or_fails(capsys, pairs, endpoint, wrong, outcome):
    with pytest.raises(Exception, match=r"must be|know"):
        list(endpoint(pairs)(SECRET, **wrong))
    (line,) = lines(capsys)
    assert (line["outcome"], line["tokens"]) == (outcome, 0)


def test_a_run_that_takes_too_long(capsys, pair):
    slow = Pairs({"pair": lambda: pair}, run_seconds=1e-9)
    with pytest.raises(Exception, match="a run may take"):
        whole(slow)(SECRET)
    list(compared(slow))
    logged = lines(capsys)
    assert [line["request"] for line in logged] == ["run", "compare", "compare"]
    assert {line["outcome"] for line in logged} == {"too long"}
    assert all(line["tokens"] > 0 for line in logged)


def test_a_visitor_who_finds_the_queue_full(capsys):
    async def full(_) -> PlainTextResponse:
        return PlainTextResponse("full", 503)

    TestClient(gate.Gate(Starlette(routes=[Route("/gradio_api/queue/join", full, methods=["POST"])]))).post(
        "/gradio_api/queue/join", json={"data": [SECRET]}
    )
    (line,) = lines(capsys)
    assert (line["request"], line["outcome"]) == ("queue", "busy")


def test_health(pairs, pair):
    client = TestClient(Starlette(routes=[health.route(pairs)]))
    assert client.get("/health").json() == {"status": "failed", "pair": "pair", "running": 0, "waiting": 0}
    assert client.get("/health").status_code == 503
    pairs._loading = True
    assert client.get("/health").json()["status"] == "loading"
    pairs._loading = False
    pairs.get("pair")
    assert client.get("/health").json() == {"status": "ok", "pair": "pair", "running": 0, "waiting": 0}
    runs = [TURNS.streaming(streaming(pairs))("Once") for _ in range(AT_ONCE + 1)]
    for run in runs:
        next(run)
    assert client.get("/health").json() == {"status": "ok", "pair": "pair", "running": AT_ONCE, "waiting": 1}
    for run in runs:
        run.close()
    assert client.get("/health").json() == {"status": "ok", "pair": "pair", "running": 0, "waiting": 0}
    assert client.post("/health").status_code == 405
