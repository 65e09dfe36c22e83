"""What a server reports to its operator: a line for every request, and `/health`; and the threads its models run in."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from types import SimpleNamespace

import gradio as gr
import pytest
import torch
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

import ersd
from ersd.curves import acceptance
from ersd.models.pair import ModelPair, make_pair
from ersd.models.target import LoadedModel
from ersd.models.tree_cache import DecoderCache
from ersd.rerun import RankRecorder
from ersd.trace.statistics import Statistics
from visual.server import endpoints, health, logs, queue
from visual.server.endpoints import PAGE, batched, generate_endpoint, run_endpoint
from visual.server.guard import Guard
from visual.server.pairs import Pairs
from visual.server.parameters import plain_values
from visual.server.programs import comparison
from visual.server.programs.comparison import public_compare_endpoint
from visual.server.queue import RUNNING_LIMIT, RUNS, ClientGone
from visual.server.tabs import compare
from visual.server.tabs.compare import NAMES, NO_METHOD, compare_endpoint
from visual.server.tabs.curves import curves_endpoint

from ..ersd.tiny import letters, llama

SECRET = "Nobody shall know"


@pytest.fixture
def pairs(pair) -> Pairs:
    def broken():
        raise RuntimeError(SECRET)

    return Pairs({"pair": lambda: pair, "broken": broken})


def lines(capsys) -> list[dict]:
    """The log since the last call."""
    shown = capsys.readouterr().out
    assert SECRET not in shown.replace(f"RuntimeError: {SECRET}", "")
    return [json.loads(line) for line in shown.split("\n") if line.startswith("{")]


def compared(pairs: Pairs, **changed) -> Iterator:
    """A comparison as the page requests it."""
    values = dict.fromkeys(NAMES) | {name: value for name, value in plain_values(ersd.Settings(max_new_tokens=6)).items() if name in NAMES}
    methods = {"method_1": "ERSD τ*", "draft_tokens_1": 4, "method_2": "one by one", "method_3": NO_METHOD}
    values |= {"prompt": SECRET, "models": "pair", **methods, **changed}
    return compare_endpoint(pairs)(*[values[name] for name in NAMES])


@pytest.mark.parametrize("name", ["page", "generate", "run"])
def test_a_line_has_the_run_and_how_it_ended(capsys, pairs, name, monkeypatch):
    monkeypatch.setattr(logs, "now_ms", iter([1000.0, 1041.7, 2000.0, 2000.2]).__next__)
    endpoint = run_endpoint(pairs) if name == "run" else generate_endpoint(pairs, name=name)
    list(endpoint(SECRET, algorithm="gsd", topology="batch", draft_tokens=3, max_new_tokens=5))
    list(endpoint(SECRET, algorithm="gsd", topology="sequence", max_new_tokens=2))
    first, second = lines(capsys)
    assert list(first) == ["time", "request", "method", "k", "tokens", "ms", "outcome"]
    assert [first[key] for key in ("request", "method", "k", "tokens", "outcome")] == [name, "gsd batch", 3, 5, "done"]
    assert second["method"] == "standard", "a named method by its name"
    assert (first["ms"], second["ms"]) == (42, 0)
    assert first["time"].endswith("+00:00")


def test_a_run_that_is_stopped(capsys, pairs):
    parts = batched(generate_endpoint(pairs))(SECRET)
    for _ in range(2):
        next(parts)
    parts.close()
    (line,) = lines(capsys)
    assert line["outcome"] == "stopped"
    assert 0 < line["tokens"] < ersd.Settings().max_new_tokens


@pytest.mark.parametrize("endpoint", [generate_endpoint, run_endpoint])
@pytest.mark.parametrize(
    ("wrong", "outcome"),
    [({"seed": SECRET}, "refused"), ({"models": SECRET}, "refused"), ({"models": "broken"}, "failed: RuntimeError")],
)
def test_a_run_that_is_refused_or_fails(capsys, pairs, endpoint, wrong, outcome):
    with pytest.raises(Exception, match=r"must be|know"):
        list(endpoint(pairs)(SECRET, **wrong))
    (line,) = lines(capsys)
    assert (line["outcome"], line["tokens"]) == (outcome, 0)


@pytest.mark.parametrize("endpoint", [generate_endpoint, run_endpoint])
def test_a_model_that_fails_is_the_servers_fault_and_a_sentence_for_the_client(capsys, endpoint):
    pair = make_pair(llama(8, seed=1), llama(8, seed=2), letters(8), use_llama_decoder=False)
    with torch.no_grad():
        pair.target.model.get_input_embeddings().weight[2] = torch.nan
    with pytest.raises(gr.Error, match="step 1: the target gives logits that are not numbers after token 3 of the text"):
        list(endpoint(Pairs({"pair": lambda: pair}))("abc"))
    (line,) = lines(capsys)
    assert line["outcome"] == "failed: ModelError"


def test_a_run_that_takes_too_long(capsys, pair):
    slow = Pairs({"pair": lambda: pair}, run_seconds=1e-9)
    with pytest.raises(Exception, match="a run may take"):
        run_endpoint(slow)(SECRET)
    list(compared(slow))
    logged = lines(capsys)
    assert [line["request"] for line in logged] == ["run", "compare", "compare"]
    assert {line["outcome"] for line in logged} == {"too long"}
    assert [line["tokens"] > 0 for line in logged] == [True, False, True], "a comparison ends after one call of its first method"


def test_a_comparison_has_a_line_for_every_method(capsys, pairs):
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


def test_methods_of_a_comparison_take_turns_of_the_same_number_of_calls(pairs, monkeypatch):
    lanes, one_call = [], compare._call
    monkeypatch.setattr(compare, "_call", lambda *given: (lanes.append(given[2]), one_call(*given)))
    monkeypatch.setattr(compare, "_calls_in_turn", lambda comparison: 3 if comparison.lanes[0].statistics.steps else 1)
    list(compared(pairs, method_1="one by one", max_new_tokens=8))
    assert lanes == [0, 1, *2 * [*3 * [0], *3 * [1]], *2 * [0], *2 * [1]], "the last ones find the end"


@pytest.mark.parametrize(("milliseconds", "calls"), [([], 1), ([0.0, 0.0], 16), ([2.0, 10.0], 15), ([10.0, 2.0], 15), ([400.0, 90.0], 1)])
def test_a_turn_of_a_comparison_is_short(milliseconds, calls):
    totals = [Statistics(steps=1), *(Statistics(steps=11, steady_ms=10 * each, draft_ms=1e6) for each in milliseconds)]
    assert compare._calls_in_turn(SimpleNamespace(lanes=[SimpleNamespace(statistics=total) for total in totals])) == calls


def measured(pairs: Pairs) -> Iterator:
    """A small measurement as the page requests it."""
    return curves_endpoint(pairs)("pair", 1.0, None, "2", 1, 2, 0, "Once", "model")


@pytest.mark.parametrize("request_run", [
    compared,
    measured,
    lambda pairs: generate_endpoint(pairs, name=PAGE)(SECRET, max_new_tokens=12),
    lambda pairs: iter([run_endpoint(pairs)(SECRET, max_new_tokens=12)]),
    lambda pairs: iter([public_compare_endpoint(pairs)(SECRET, max_new_tokens=12)]),
], ids=["page compares", "curves", "page", "run", "compare"])  # fmt: skip
def test_models_and_caches_are_touched_by_the_workers_of_the_queue_only(pair, monkeypatch, request_run):
    """Gradio calls from any of its threads, and two of them may open or close caches of one decoder at the same time."""
    touched: dict[str, set[str]] = {}

    def noted(owner: type, name: str) -> None:
        method = getattr(owner, name)

        def noting(*given, **named):
            touched.setdefault(name, set()).add(threading.current_thread().name.partition("_")[0])
            return method(*given, **named)

        monkeypatch.setattr(owner, name, noting)

    methods = (ModelPair, "encode"), (LoadedModel, "open_cache"), (DecoderCache, "extend"), (RankRecorder, "sequence")
    for owner, name in methods:
        noted(owner, name)
    for module in (endpoints, comparison):
        noted(module, "trace_of")
    list(request_run(Pairs({"pair": lambda: pair})))
    assert {"open_cache", "encode", "extend"} <= set(touched)
    assert set().union(*touched.values()) == {"worker"}, touched


def test_a_measurement_ends_at_the_step_in_which_it_is_cancelled_or_its_time_is_up(pair, monkeypatch, capsys):
    steps, decode = [], acceptance.decode

    def noted_steps(*given) -> Iterator:
        for step in decode(*given):
            steps.append(step)
            if len(steps) == 3:
                RUNS.cancel("event")
            yield step

    monkeypatch.setattr(acceptance, "decode", noted_steps)
    monkeypatch.setattr(queue, "current_event", lambda: ("event",))
    list(measured(Pairs({"pair": lambda: pair})))
    assert len(steps) == 3
    steps.clear()
    assert "may take 1e-09 s here" in list(measured(Pairs({"pair": lambda: pair}, run_seconds=1e-9)))[-1]
    assert len(steps) <= 1
    assert [line["outcome"] for line in lines(capsys)] == ["stopped", "too long"]


@pytest.mark.parametrize("endpoint", [generate_endpoint, run_endpoint, public_compare_endpoint])
def test_a_run_that_is_cancelled_does_not_wait_for_its_models(pair, monkeypatch, endpoint):
    may_load = threading.Event()
    monkeypatch.setattr(queue, "current_event", lambda: ("event",))
    ticket = RUNS.enter(["event"])
    RUNS.cancel("event")
    try:
        with pytest.raises(ClientGone):
            list(endpoint(Pairs({"pair": lambda: may_load.wait(60) and pair}))(SECRET))
        assert not may_load.is_set()
    finally:
        may_load.set()
        RUNS.leave(ticket)


@pytest.mark.parametrize("request_run", [
    lambda pairs: compared(pairs, max_new_tokens=400), lambda pairs: generate_endpoint(pairs)(SECRET),
], ids=["compare", "generate"])  # fmt: skip
def test_a_run_that_is_left_is_closed_by_a_worker_and_nobody_waits_for_it(pairs, monkeypatch, request_run):
    """Gradio closes runs in its event loop."""
    generate, is_left, closed_by = ersd.generate, threading.Event(), []

    def noted_steps(*given) -> Iterator[ersd.Step]:
        try:
            yield from generate(*given)
        finally:
            assert is_left.wait(60)
            closed_by.append(threading.current_thread().name.partition("_")[0])

    monkeypatch.setattr(ersd, "generate", noted_steps)
    messages = request_run(pairs)
    for _ in range(4):
        next(messages)
    messages.close()
    is_left.set()
    while not closed_by:
        RUNS.on_worker(int)
    assert set(closed_by) == {"worker"}


def test_gradios_full_queue_is_logged(capsys):
    async def full(_) -> PlainTextResponse:
        return PlainTextResponse("full", 503)

    client = TestClient(Guard(Starlette(routes=[Route("/gradio_api/queue/join", full, methods=["POST"])])))
    client.post("/gradio_api/queue/join", json={"data": [SECRET]})
    (line,) = lines(capsys)
    assert (line["request"], line["outcome"]) == ("queue", "busy")


def test_health(pairs, pair, monkeypatch):
    client = TestClient(Starlette(routes=[health.route(pairs)]))

    def how_it_is() -> tuple:
        answer = client.get("/health")
        said = answer.json()
        assert said["pair"] == "pair"
        return answer.status_code, said["status"], said["running"], said["waiting"]

    assert how_it_is() == (503, "failed", 0, 0)
    monkeypatch.setitem(pairs._loading, "pair", None)
    assert how_it_is() == (200, "loading", 0, 0)
    monkeypatch.undo()
    pairs.get("pair")
    runs = [RUNS.streaming(generate_endpoint(pairs))("Once") for _ in range(RUNNING_LIMIT + 1)]
    for run in runs:
        next(run)
    assert how_it_is() == (200, "ok", RUNNING_LIMIT, 1)
    for run in runs:
        run.close()
    assert how_it_is() == (200, "ok", 0, 0)
    assert client.post("/health").status_code == 405
