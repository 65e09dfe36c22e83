"""Modules as browsers fetch them: kept for good, at an address that says what they hold."""

from __future__ import annotations

import gzip
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest

from visual.server import static_files as modules


@pytest.mark.parametrize("name", ["core/player.js", "compare/board.js", modules.PLOTLY])
def test_a_module_is_there_at_its_address_and_may_be_kept(address, name):
    with urllib.request.urlopen(f"{address}/{modules.address(name)}", timeout=10) as answer:
        assert answer.read() == modules.FILES[name].read_bytes()
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-type"].startswith("text/javascript")


def test_plotly_comes_packed_to_who_takes_it_so(address):
    whole = modules.FILES[modules.PLOTLY].read_bytes()
    request = urllib.request.Request(f"{address}/{modules.address(modules.PLOTLY)}", headers={"accept-encoding": "gzip, br"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        packed = answer.read()
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert gzip.decompress(packed) == whole
    assert len(packed) < len(whole) / 3


def test_at_the_address_of_another_version_is_nothing(address):
    before = modules.address("core/player.js").replace(modules.version(), "0123456789abcdef")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{address}/{before}", timeout=10)


def test_whatever_changes_in_one_file_changes_the_addresses_of_all(monkeypatch, tmp_path):
    seen = {modules.address("core/player.js")}
    changed = tmp_path / "bar_values.js"
    for text in (modules.FILES["decision/bar_values.js"].read_text() + " ", ""):
        changed.write_text(text)
        monkeypatch.setitem(modules.FILES, "decision/bar_values.js", changed)
        modules.version.cache_clear()
        seen.add(modules.address("core/player.js"))
    modules.version.cache_clear()
    assert len(seen) == 3


def test_a_page_takes_all_its_modules_from_there(browser, address):
    page, asked = browser.new_page(), []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.goto(f"{address}/?tab=compare")
    page.wait_for_selector("#compare-plot .textpoint text")
    page.close()
    fetched = {path.partition(f"/modules/{modules.version()}/")[2] for path in asked} - {""}
    assert fetched <= set(modules.FILES)
    assert {"core/player.js", "compare/board.js", modules.PLOTLY} <= fetched
    assert [path for path in asked if "file=" in path] == []


def test_a_page_asks_for_all_that_its_player_imports_before_the_player_is_loaded(browser, address):
    page, asked = browser.new_page(), []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.goto(address)
    page.wait_for_selector("#player[data-step]:not([data-step='0'])")
    told = page.eval_on_selector_all("link[rel=modulepreload], link[rel=preload][as=script]", "(links) => links.map(({ href }) => href)")
    page.close()
    ahead, fetched = ([path for path in paths if path.startswith("/modules/")] for paths in ([urlsplit(link).path for link in told], asked))
    assert len(ahead) > 50
    assert sorted(fetched) == sorted(ahead), "each once, and no other"
    # Gradio's script of the component that loads the player comes behind them
    (mounting,) = (place for place, path in enumerate(asked) if path.startswith("/assets/HTML-") and path.endswith(".js"))
    assert max(map(asked.index, fetched)) < mounting
