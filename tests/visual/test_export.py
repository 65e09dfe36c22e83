"""A run as one HTML file: all inside, nothing from elsewhere, and what a model or a user wrote stays text."""

import base64
import gzip
import json
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from itertools import cycle

import pytest
from hypothesis import given, settings, strategies as st

import visual
from ersd.trace.model import Trace
from visual.assets import FILES, PLOTLY
from visual.export import html
from visual.export.document import MODULE_PREFIX, RUN_PLACEHOLDER, empty, import_map
from visual.markup import PLAYER
from visual.payload.messages import packed
from visual.server.recorded import first_look

HOSTILE = "</script><script>document.title = 'taken'</script><!-- <img src=x onerror=alert(1)> "
MAX_BYTES = 3_000_000
TRICKY_TEXTS = [HOSTILE, "<!--<script>", "]]>", "</title>", "ERSD_RUN", "$entry", "&lt;", "\u2028", "\\u003c/script>", "\0", "</SCRIPT >"]


@pytest.fixture(scope="module")
def trace():
    return first_look()


@pytest.fixture(scope="module")
def page(trace):
    return html(trace)


def imports():
    return json.loads(re.fullmatch(r'<script type="importmap">(.*)</script>', import_map(PLAYER), re.DOTALL)[1])["imports"]


def source_of(address):
    return base64.b64decode(address.removeprefix("data:text/javascript;base64,")).decode()


def test_the_file_is_small_and_asks_no_other_server(page):
    assert len(page.encode()) < MAX_BYTES
    without_library = page.replace(FILES["plotly-basic.min.js"].read_text(encoding="utf-8").replace("</script", r"<\/script"), "")
    assert not re.findall(r"""(?:src|href)=["']?(?:https?:)?//[^"' >]+""", re.sub(r'<a href="[^"]*"', "", without_library))
    assert "@import" not in without_library
    assert "<title>Exponential Races · ERSD on a τ* tree · k = 8 · seed 12</title>" in page


def test_every_module_finds_what_it_imports():
    known = imports()
    assert MODULE_PREFIX + PLAYER in known
    for name, address in known.items():
        for path in re.findall(r'^import [^;]+ from "([^"]+)";$', source_of(address), re.MULTILINE):
            assert path in known, name
        assert name.removeprefix(MODULE_PREFIX) in FILES
    assert len(known) > 40


def test_the_run_in_the_file_is_the_run(page, trace):
    data = re.search(r'<script type="application/json" id="ersd-run">(.*?)</script>', page, re.DOTALL)[1]
    messages = json.loads(data)["messages"]
    assert [message["type"] for message in messages] == ["begin", *["step"] * len(trace.steps), "end"]
    assert "".join(token["text"] for message in messages[1:-1] for token in message["text"]) == trace.text


def test_hostile_text_stays_inside_its_element(trace):
    data = json.loads(trace.to_json())
    data["prompt"] = HOSTILE
    for step in data["steps"]:
        step["texts"] = [HOSTILE] * len(step["texts"])
        step["emitted"] = [{**one, "text": HOSTILE} for one in step["emitted"]]
    hostile = html(Trace.from_json(json.dumps(data)))
    assert "<script>document.title" not in hostile
    assert "<!-- <img" not in hostile
    element = re.search(r'<script type="application/json" id="ersd-run">(.*?)</script>', hostile, re.DOTALL)[1]
    assert json.loads(element)["messages"][0]["prompt"] == HOSTILE, "and is read back as it was"


class Elements(HTMLParser):
    """The elements of a document as a browser finds them."""

    def __init__(self, document):
        super().__init__()
        self.found = []
        self.feed(document)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs).get("id")))


@settings(max_examples=25)
@given(st.lists(st.one_of(st.sampled_from(TRICKY_TEXTS), st.text(max_size=40)), min_size=1, max_size=12))
def test_whatever_a_trace_says_stays_text(trace, texts):
    wanted = cycle(text.encode("utf-8", "ignore").decode() for text in texts)
    data = json.loads(
        replace(
            trace, steps=trace.steps[:2], token_ids=trace.token_ids[: sum(len(step.emitted) for step in trace.steps[:2])], ranks=None
        ).to_json()
    )
    data["prompt"] = next(wanted)
    for step in data["steps"]:
        step["texts"] = [next(wanted) for _ in step["texts"]]
        step["emitted"] = [{**one, "text": next(wanted)} for one in step["emitted"]]
    read = Trace.from_json(json.dumps(data))
    scripts = FILES[PLOTLY].read_text(encoding="utf-8").replace("</script", r"<\/script")
    document = html(read).replace(scripts, "")
    assert Elements(document).found == Elements(empty().replace(scripts, "")).found
    element = re.search(r'<script type="application/json" id="ersd-run">(.*?)</script>', document, re.DOTALL)[1]
    sent = json.loads(element)["messages"]
    assert sent[0]["prompt"] == data["prompt"]
    assert [token["text"] for message in sent[1:-1] for token in message["text"]] == [
        one.text for step in read.steps for one in step.emitted
    ]


def test_the_empty_page_has_one_place_for_a_run():
    assert empty().count(RUN_PLACEHOLDER) == 1


def test_a_packed_step_is_the_step(trace):
    for step in trace.steps:
        assert json.loads(gzip.decompress(base64.b64decode(packed(step)))) == json.loads(json.dumps(step.to_dict()))


def test_a_trace_saves_itself(trace, tmp_path):
    trace.save(tmp_path / "run.json")
    assert Trace.from_json((tmp_path / "run.json").read_text(encoding="utf-8")) == trace
    trace.save(str(tmp_path / "run.html"))
    assert (tmp_path / "run.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    with pytest.raises(ValueError, match=r"path must end in one of .json, .html, .svg, .png, got '.*run.txt'"):
        trace.save(tmp_path / "run.txt")


def test_a_trace_shows_itself_in_a_notebook(trace):
    frame = replace(trace, steps=trace.steps[:1], token_ids=trace.token_ids[: len(trace.steps[0].emitted)], ranks=None)._repr_html_()
    assert frame.startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert 'sandbox="allow-scripts allow-downloads"' in frame
    assert frame.count("<") == 2, "nothing of the page leaves its attribute"


def test_a_notebook_cell_has_the_height_that_was_asked_for(trace):
    assert "height: 640px" in visual.show(trace, 640)._repr_html_()


def test_without_the_visualiser_there_is_text_and_a_reason(trace, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "visual.export", None)
    assert trace._repr_html_() is None
    with pytest.raises(ValueError, match="an HTML page needs the package visual"):
        trace.save(tmp_path / "run.html")
