"""`/generate` and `/run` for clients, and the page's stream in batches."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace

import gradio_client
import pytest

import ersd
from visual.payload.messages import Message
from visual.server import endpoints
from visual.server.parameters import NAMES, RunParameters

ENDPOINTS = ("/generate", "/run")
VALUES = {
    "prompt": "Once upon", "algorithm": "kseq", "topology": "multi_sequence", "draft_tokens": 6, "temperature": 0.9, "top_k": 50,
    "top_p": 0.95, "max_new_tokens": 5, "seed": 4, "models": "embedded storyteller", "branching": "2,1", "sequences": 3, "leniency": 0.5,
    "chat": False, "source": "model", "keys": "position", "price": 0.0, "frequent_tokens": 1024,
}  # fmt: skip
"""A value for every parameter, in their order; none is a default but the models, the chat template, the source, the keys, and what
this tree and this source do not have."""


@pytest.fixture(scope="module")
def client(address) -> gradio_client.Client:
    return gradio_client.Client(address, verbose=False)


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_an_endpoint_declares_its_parameters_and_defaults(client, endpoint):
    parameters = client.view_api(return_format="dict")["named_endpoints"][endpoint]["parameters"]
    assert [one["parameter_name"] for one in parameters] == list(VALUES) == list(NAMES)
    assert [one["parameter_has_default"] for one in parameters] == [name != "prompt" for name in VALUES]
    usual = {**ersd.Settings().to_dict(), "branching": "4,2,1,1", "models": VALUES["models"]}
    assert {one["parameter_name"]: one["parameter_default"] for one in parameters if one["parameter_has_default"]} == usual
    kinds = {"string": str, "integer": int, "number": float, "boolean": bool}
    assert [kinds[one["type"]["type"]] for one in parameters] == [type(value) for value in VALUES.values()]


def test_generate_and_run_make_the_same_run_from_values_by_name_and_by_position(client, pair):
    fields = {name: VALUES[name] for name in ersd.Settings().to_dict()}
    expected = ersd.run(pair, VALUES["prompt"], ersd.Settings(**fields))
    trace = ersd.Trace.from_json(client.predict(*VALUES.values(), api_name="/run"))
    assert (trace.settings, trace.text) == (expected.settings, expected.text)
    job = client.submit(**VALUES, api_name="/generate")
    job.result()
    messages = [message for message in map(json.loads, job.outputs()) if message["type"] != "status"]
    assert [message["type"] for message in messages] == ["begin", *["step"] * len(expected.steps), "end"]
    assert messages[0]["settings"] == json.loads(json.dumps(expected.settings.to_dict()))
    assert "".join(one["text"] for message in messages[1:-1] for one in message["text"]) == expected.text


@pytest.mark.parametrize("endpoint", ENDPOINTS)
@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"seed": -4}, "seed must be a whole number"),
        ({"branching": "0"}, "branching must be 1 to 16 whole numbers"),
        ({"algorithm": "block"}, "topology must be sequence for block"),
        ({"models": "none"}, "models must be one of"),
    ],
)
def test_an_endpoint_explains_an_invalid_value(client, endpoint, fields, message):
    with pytest.raises(Exception, match=message):
        client.predict(prompt="Once upon", **fields, api_name=endpoint)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"methods": "block"}, "method must be 2 to 3 names with commas between them, got 1"),
        ({"methods": "block,magic"}, "method must be one of"),
        ({"methods": None}, "methods must be text, a list with commas, got None"),
        ({"methods": ["block", "SpecInfer"]}, "methods must be text, a list with commas"),
        ({"draft_tokens": 4}, "draft_tokens must be text, a list with commas, got 4"),
        ({"draft_tokens": "4,x"}, "draft_tokens must be a whole number from 1 to 256, got 'x' .method 2."),
        ({"draft_tokens": "4,4,4,4"}, "draft_tokens must be one number per method, got 4 for 3"),
        ({"seed": -4}, "seed must be a whole number"),
        ({"models": "none"}, "models must be one of"),
    ],
)
def test_a_comparison_explains_an_invalid_value(client, fields, message):
    with pytest.raises(Exception, match=message):
        client.predict(prompt="Once upon", **fields, api_name="/compare")


def test_a_comparison_says_of_every_method_what_its_own_output_promises(client):
    methods = {"SpecInfer": "same-law", "ERSD τ*": "same-text", "block": "same-law"}
    answer = json.loads(client.predict(prompt="Once upon", methods=",".join(methods), max_new_tokens=3, api_name="/compare"))
    assert [one["exact"] for one in answer["methods"]] == list(methods.values())


def test_parameters_make_a_request():
    parameters = RunParameters("usual pair")
    request = parameters.request("One day", seed=3)
    assert (request.prompt, request.models, request.settings()) == ("One day", "usual pair", ersd.Settings(seed=3))
    with pytest.raises(TypeError):
        parameters.request("One day", temprature=1)


def stream(count: int, closed: list[bool]):
    def generate() -> Iterator[Message]:
        try:
            yield Message.of("begin")
            for index in range(count):
                yield Message.of("step", index=index)
            yield Message.of("end")
        finally:
            closed.append(True)

    return generate


def test_steps_of_a_batch_travel_together_and_all_arrive(monkeypatch):
    ticks = iter(range(10_000))
    # the clock of this module alone: that of the process times the servers of other tests
    monkeypatch.setattr(endpoints, "time", SimpleNamespace(monotonic=lambda: 100 + 0.03 * next(ticks)))
    monkeypatch.setattr(endpoints, "BATCH_SECONDS", 0.085)
    sent = list(endpoints.batched(stream(20, []))())
    lines = [json.loads(line) for part in sent for line in part.split("\n")]
    assert [line["type"] for line in lines] == ["begin", *["step"] * 20, "end"]
    assert [line["index"] for line in lines[1:-1]] == list(range(20))
    assert sent[:2] == [Message.of("begin"), Message.of("step", index=0)], "the first step immediately"
    assert 8 < len(sent) < 15


def test_closing_the_batches_closes_the_run():
    closed: list[bool] = []
    parts = endpoints.batched(stream(5, closed))()
    next(parts)
    parts.close()
    assert closed == [True]


def test_an_error_is_sent_immediately_with_what_came_before_it(monkeypatch):
    monkeypatch.setattr(endpoints, "BATCH_SECONDS", 1000.0)
    before, held, error = [Message.of("begin"), Message.of("step", index=0)], Message.of("step", index=1), Message.of("error")

    def failing() -> Iterator[Message]:
        yield from [*before, held, error]
        raise endpoints.RunError("broken")

    assert list(endpoints.batched(failing)()) == [*before, f"{held}\n{error}"]
