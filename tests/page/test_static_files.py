"""Files and pages as browsers fetch them: modules kept for good at an address of their content, everything but streams compressed."""

from __future__ import annotations

import gzip
import json
import re
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest

import ersd
from visual import assets
from visual.payload.gallery import CARDS
from visual.server.pairs import EMBEDDED
from visual.server.parameters import NAMES, plain_values
from visual.server.tabs.compare_recorded import ADDRESS as COMPARISON

from .browser import PATIENCE

PLAYER = "core/player.js"
PLOTLY = assets.PLOTLY
RUN = f"gallery/{next(iter(CARDS[0].runs))}"


def fetch(url: str, encodings: str = "", body: dict | None = None):
    """Headers and body of a response."""
    headers = {"content-type": "application/json", **({"accept-encoding": encodings} if encodings else {})}
    request = urllib.request.Request(url, json.dumps(body).encode() if body else None, headers)
    with urllib.request.urlopen(request, timeout=PATIENCE / 1e3) as answer:
        return answer.headers, answer.read()


@pytest.mark.parametrize("name", [PLAYER, "compare/board.js", PLOTLY])
def test_a_module_may_be_kept_and_is_compressed_on_request(address, name):
    url = f"{address}/{assets.address(name)}"
    for encodings, unpack in (("", bytes), ("gzip, br", gzip.decompress)):
        headers, body = fetch(url, encodings)
        assert unpack(body) == assets.FILES[name].read_bytes()
        assert headers["cache-control"] == "public, max-age=31536000, immutable"
        assert headers["content-type"].startswith("text/javascript")
    assert name != PLOTLY or 3 * len(body) < assets.FILES[name].stat().st_size


@pytest.mark.parametrize("path", ["", "config", RUN, COMPARISON])
def test_a_page_is_compressed_on_request(address, path):
    headers, packed = fetch(f"{address}/{path}", "gzip, br")
    plain_headers, plain = fetch(f"{address}/{path}")
    assert (headers["content-encoding"], plain_headers["content-encoding"]) == ("gzip", None)
    packed_already = re.findall(rb'"trace":"([^"]*)"', plain)
    rest = len(plain) - sum(map(len, packed_already))
    assert len(packed) - (len(plain) - rest) < rest / 3
    assert len(gzip.decompress(packed)) == pytest.approx(len(plain), rel=0.01)  # each page has a number of its own


def test_a_stream_is_sent_as_it_comes(address):
    named = {"prompt": "Once", "models": EMBEDDED, **plain_values(ersd.Settings(max_new_tokens=8))}
    call = f"{address}/gradio_api/call/generate"
    _, answer = fetch(call, body={"data": [named[name] for name in NAMES]})
    headers, stream = fetch(f"{call}/{json.loads(answer)['event_id']}", "gzip, br")
    assert headers["content-type"].startswith("text/event-stream")
    assert headers["content-encoding"] is None
    assert stream.count(b"event: generating") > 2


def test_a_change_of_any_file_changes_all_addresses_and_old_ones_are_gone(address, monkeypatch, tmp_path):
    old = assets.address(PLAYER)
    changed = tmp_path / "changed.js"
    changed.write_text("")
    with monkeypatch.context() as patch:
        patch.setitem(assets.FILES, "compare/board.js", changed)
        assets.version.cache_clear()
        new = assets.address(PLAYER)
    assets.version.cache_clear()  # the server is in this process: it must not keep the version of the changed file
    assert new != old
    with pytest.raises(urllib.error.HTTPError, match="404"):
        fetch(f"{address}/{new}")


def test_a_page_preloads_all_modules_and_fetches_nothing_else(browser, address):
    page, requested = browser.new_page(), []
    page.set_default_timeout(PATIENCE)
    page.on("request", lambda request: requested.append(urlsplit(request.url).path))
    page.goto(address)
    page.wait_for_selector("#player[data-step]:not([data-step='0'])")
    links = page.eval_on_selector_all("link[rel=modulepreload], link[rel=preload][as=script]", "(links) => links.map(({ href }) => href)")
    modules = [path for path in requested if path.startswith("/modules/")]
    preloaded = [urlsplit(link).path for link in links if "/modules/" in link]
    assert len(preloaded) > 50
    assert sorted(modules) == sorted(preloaded), "each once, and no other"
    # Gradio's script of the component that mounts the player comes after them
    (mounting,) = (index for index, path in enumerate(requested) if path.startswith("/assets/HTML-") and path.endswith(".js"))
    assert max(map(requested.index, modules)) < mounting
    page.click("#tab-compare")
    page.wait_for_selector("#compare-strips [data-call]")
    page.close()
    fetched = {path.partition(f"/modules/{assets.version()}/")[2] for path in requested} - {""}
    assert {PLAYER, "compare/board.js", PLOTLY} <= fetched <= set(assets.FILES)
    assert not [path for path in requested if "file=" in path]
