"""The page's stream: what happens within a beat travels together, nothing is lost or late."""

import json

import visual.page.endpoints as endpoints
from visual.player import compact


def message(kind, n=0):
    return compact({"type": kind, "n": n})


def stream(count, closed):
    def generate():
        try:
            yield message("begin")
            for n in range(count):
                yield message("step", n)
            yield message("end")
        finally:
            closed.append(True)

    return generate


def test_steps_within_a_beat_travel_together_and_all_arrive(monkeypatch):
    now = [100.0]

    def clock():
        now[0] += 0.03  # three steps a beat
        return now[0]

    monkeypatch.setattr(endpoints.time, "monotonic", clock)
    sent = list(endpoints.paced(stream(20, []))())
    lines = [json.loads(line) for part in sent for line in part.split("\n")]
    assert [line["type"] for line in lines] == ["begin", *["step"] * 20, "end"]
    assert [line["n"] for line in lines[1:-1]] == list(range(20))
    assert sent[:2] == [message("begin"), message("step", 0)]  # the first step at once
    assert 8 < len(sent) < 15


def test_closing_the_stream_closes_the_run():
    closed = []
    parts = endpoints.paced(stream(5, closed))()
    next(parts)
    parts.close()
    assert closed == [True]


def test_an_error_is_told_at_once_with_what_came_before(monkeypatch):
    monkeypatch.setattr(endpoints, "BEAT", 1000.0)

    def failing():
        yield message("begin")
        yield message("step", 0)
        yield message("step", 1)
        yield message("error")
        raise ValueError("broken")

    parts = endpoints.paced(failing)()
    assert [next(parts) for _ in range(2)] == [message("begin"), message("step", 0)]
    assert next(parts) == "\n".join([message("step", 1), message("error")])
