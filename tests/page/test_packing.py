"""What is fetched is packed for those that take it so; a stream, which would wait until there is enough to pack, is not."""

from __future__ import annotations

import gzip
import json
import urllib.request

import pytest

import ersd
from visual.payload.gallery import CARDS
from visual.server.compare_recorded import ADDRESS as COMPARISON
from visual.server.pairs import EMBEDDED
from visual.server.parameters import NAMES, plain_values

RUN = f"gallery/{next(iter(CARDS[0].runs))}"


def fetched(url, encodings=None, body=None):
    """Headers and body of an answer."""
    headers = {"accept-encoding": encodings} if encodings else {}
    request = urllib.request.Request(url, json.dumps(body).encode() if body else None, {"content-type": "application/json", **headers})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.headers, answer.read()


@pytest.mark.parametrize("path", ["", "config", RUN, COMPARISON])
def test_an_answer_is_packed_for_who_takes_it_so(address, path):
    headers, packed = fetched(f"{address}/{path}", "gzip, br")
    others, whole = fetched(f"{address}/{path}")
    assert headers["content-encoding"] == "gzip"
    assert others["content-encoding"] is None
    assert len(packed) < len(whole) / 3
    assert len(gzip.decompress(packed)) == pytest.approx(len(whole), rel=0.01)  # a page has a number of its own in it


def test_a_stream_is_sent_as_it_comes(address):
    named = {"prompt": "Once", "models": EMBEDDED, **plain_values(ersd.Settings(max_new_tokens=8))}
    call = f"{address}/gradio_api/call/generate"
    _, answer = fetched(call, body={"data": [named[name] for name in NAMES]})
    headers, stream = fetched(f"{call}/{json.loads(answer)['event_id']}", "gzip, br")
    assert headers["content-type"].startswith("text/event-stream")
    assert headers["content-encoding"] is None
    assert stream.count(b"event: generating") > 2
