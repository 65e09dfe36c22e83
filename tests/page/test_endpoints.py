"""`/generate` and `/run` for clients, and the page's stream in beats."""

from __future__ import annotations

import json
from collections.abc import Iterator

import gradio_client
import pytest

import ersd
from visual.payload.messages import Message, RunMessages
from visual.server import endpoints
from visual.server.parameters import NAMES, RunParameters

ENDPOINTS = ("/generate", "/run")
VALUES = {
    "prompt": "Once upon", "algorithm": "kseq", "topology": "multi_sequence", "draft_tokens": 6, "temperature": 0.9, "top_k": 50,
    "top_p": 0.95, "max_new_tokens": 5, "seed": 4, "models": "embedded storyteller", "branching": "2,1", "sequences": 3, "leniency": 0.5,
    "chat": False,
}  # fmt: skip
"""A value for every parameter, in their order, none as usual but the models, and the chat template that these have not."""


@pytest.fixture(scope="module")
def client(address) -> gradio_client.Client:
    return gradio_client.Client(address, verbose=False)


def settings_of_run(client, endpoint: str, *values, **named) -> dict:
    """The settings of the run that an endpoint makes of these arguments."""
    answer = client.submit(*values, **named, api_name=endpoint)
    last = answer.result()
    if endpoint == "/run":
        return json.loads(last)["settings"]
    return next(message for message in map(json.loads, answer.outputs()) if message["type"] == "begin")["settings"]


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_an_endpoint_names_its_parameters_and_their_defaults(client, endpoint):
    parameters = client.view_api(return_format="dict")["named_endpoints"][endpoint]["parameters"]
    assert [one["parameter_name"] for one in parameters] == list(VALUES)
    assert [one["parameter_has_default"] for one in parameters] == [name != "prompt" for name in VALUES]
    usual = {**ersd.Settings().to_dict(), "branching": "4,2,1,1", "models": VALUES["models"]}
    assert {one["parameter_name"]: one["parameter_default"] for one in parameters if one["parameter_has_default"]} == usual
    kinds = {"string": str, "integer": int, "number": float, "boolean": bool}
    assert [kinds[one["type"]["type"]] for one in parameters] == [type(value) for value in VALUES.values()]


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_an_endpoint_takes_values_by_name_and_by_position(client, endpoint):
    expected = json.loads(json.dumps(ersd.Settings(**{name: VALUES[name] for name in ersd.Settings().to_dict()}).to_dict()))
    assert settings_of_run(client, endpoint, **VALUES) == expected
    assert settings_of_run(client, endpoint, *VALUES.values()) == expected
    few = json.loads(json.dumps(ersd.Settings(max_new_tokens=4).to_dict()))
    assert settings_of_run(client, endpoint, "Once upon", max_new_tokens=4) == few


@pytest.mark.parametrize("endpoint", ENDPOINTS)
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"seed": -4}, "seed must be a whole number"),
        ({"branching": "0"}, "branching must be 1 to 16 whole numbers"),
        ({"algorithm": "block"}, "topology must be one of sequence for block"),
        ({"models": "none"}, "models must be one of"),
    ],
)
def test_an_endpoint_says_what_is_wrong(client, endpoint, fields, words):
    with pytest.raises(Exception, match=words):
        client.predict(prompt="Once upon", **fields, api_name=endpoint)


ANY_PROMPT = ["\x00\x1b[2J", "😀", "\u202eשלום", '"><img src=x onerror=alert(1)><script>alert(1)</script>']
ANY_VALUE = [None, True, -1, 0.5, 10**400, "", "  ", "hot", "x" * 3000, "9" * 5000, [], [1], {}, {"a": 1}, *ANY_PROMPT]


@pytest.mark.parametrize("field", ["prompt", "temperature", "branching", "models"])
def test_a_client_may_send_anything(client, field):
    """Every value gets its run, or words. One after the other: gradio_client drops what is submitted just as its stream is closed."""
    for value in ANY_VALUE:
        job = client.submit(**{"prompt": "Once", "max_new_tokens": 2, field: value}, api_name="/run")
        problem = job.exception(timeout=60)
        if problem:
            assert field != "prompt" or value not in ANY_PROMPT
            assert str(problem).startswith(f"{field} must ")
            assert len(str(problem)) < 500
        else:
            trace = ersd.Trace.from_json(job.result())
            assert len(trace.token_ids) == 2
            assert field != "prompt" or trace.prompt == value


def test_generate_streams_the_run_that_run_returns(client, pair):
    fields = {"prompt": "Once upon", "algorithm": "gsd", "topology": "sequence", "draft_tokens": 3, "max_new_tokens": 9, "seed": 4}
    job = client.submit(**fields, api_name="/generate")
    job.result()
    messages = [json.loads(message) for message in job.outputs()]
    trace = ersd.Trace.from_json(client.predict(**fields, api_name="/run"))
    assert messages[0]["type"] in ("begin", "status")
    assert sum(message["type"] == "step" for message in messages) == len(trace.steps)
    assert messages[-1]["type"] == "end"
    assert len(trace.token_ids) == 9


def test_a_run_is_told_beside_one_by_one_as_it_is_timed_meanwhile(monkeypatch, pair):
    times = iter(range(10, 100))
    monkeypatch.setattr(endpoints.OneByOne, "look", lambda _: float(next(times)))
    settings = ersd.Settings(max_new_tokens=60)
    narrator = RunMessages("Once upon", settings, "", pair.costs)
    steps = ersd.generate(pair, "Once upon", settings, teller=narrator)
    told = [json.loads(message) for message in endpoints._tell(narrator, steps, pair)]
    alone = [message["speedup"]["alone"] for message in told if message["type"] == "step"]
    # of a step as it is known when it has been decoded; some are before the first one is told
    assert alone == sorted(alone)
    assert alone[0] == 10.0 < alone[-1]
    assert all(known <= 10.0 + place for place, known in enumerate(alone))


def test_parameters_make_a_request():
    parameters = RunParameters("usual pair")
    request = parameters.request("One day", seed=3)
    assert (request.prompt, request.models, request.settings()) == ("One day", "usual pair", ersd.Settings(seed=3))
    assert tuple(VALUES) == NAMES
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


def test_steps_within_a_beat_travel_together_and_all_arrive(monkeypatch):
    now = [100.0]

    def clock() -> float:
        now[0] += 0.03
        return now[0]

    monkeypatch.setattr(endpoints.time, "monotonic", clock)
    monkeypatch.setattr(endpoints, "BEAT", 0.085)
    sent = list(endpoints.in_beats(stream(20, []))())
    lines = [json.loads(line) for part in sent for line in part.split("\n")]
    assert [line["type"] for line in lines] == ["begin", *["step"] * 20, "end"]
    assert [line["index"] for line in lines[1:-1]] == list(range(20))
    assert sent[:2] == [Message.of("begin"), Message.of("step", index=0)]  # the first step at once
    assert 8 < len(sent) < 15


def test_closing_the_stream_closes_the_run():
    closed: list[bool] = []
    parts = endpoints.in_beats(stream(5, closed))()
    next(parts)
    parts.close()
    assert closed == [True]


def test_an_error_is_told_at_once_with_what_came_before(monkeypatch):
    monkeypatch.setattr(endpoints, "BEAT", 1000.0)
    before = [Message.of("begin"), Message.of("step", index=0)]
    held, error = Message.of("step", index=1), Message.of("error")

    def failing() -> Iterator[Message]:
        yield from [*before, held, error]
        raise ValueError("broken")

    parts = endpoints.in_beats(failing)()
    assert [next(parts) for _ in before] == before
    assert next(parts) == f"{held}\n{error}"
