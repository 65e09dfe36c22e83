"""The public pairs: what pairs.toml says, and what stands in the way of loading one."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from ersd.models import hub
from ersd.models.catalogue import Offer, read_catalogue

SMALL = Offer("small", "somebody/target", "somebody/draft", "MIT", gated=False, gigabytes=0.001, chat=False)


def test_the_catalogue_is_whole():
    offers = read_catalogue()
    assert len(offers) >= 6
    assert len({offer.name for offer in offers}) == len(offers)
    for offer in offers:
        assert offer.target.count("/") == offer.draft.count("/") == 1
        assert offer.memory("float32") > offer.memory("bfloat16") > offer.gigabytes
        assert offer.licence in offer.about
        assert ("gated" in offer.about) == offer.gated == offer.target.startswith("meta-llama")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[pair]]\nname = 'x'", "pair 1 must have name, target, draft, licence, gated, gigabytes, chat.*look at target"),
        ("[[pair", "cannot be read"),
    ],
)
def test_a_damaged_catalogue_says_where(tmp_path, text, words):
    (tmp_path / "pairs.toml").write_text(text)
    with pytest.raises(ValueError, match=words):
        read_catalogue(tmp_path / "pairs.toml")


def test_a_pair_that_is_too_large_is_refused_before_the_network_is_asked(monkeypatch):
    monkeypatch.setattr(hub, "is_here", lambda model: pytest.fail("it was looked for"))
    free = hub.free_gigabytes("cpu")
    assert free is not None
    large = Offer("large", "a/b", "a/c", "MIT", gated=False, gigabytes=free, chat=False)
    assert "GB of memory in float32" in hub.obstacle(large, "cpu", "float32")


def test_no_network_is_said():
    # the suite runs with HF_HUB_OFFLINE or without a network: either way the pair is not here
    assert "somebody/target is not on this machine" in hub.obstacle(SMALL, "cpu", "float32")


class _Hub(BaseHTTPRequestHandler):
    """Answers as the hub does: `gated/…` asks for a licence, `missing/…` is not there, others may be read."""

    def do_GET(self) -> None:
        gated, missing = "gated/" in self.path, "missing/" in self.path
        refused = missing or (gated and "auth-check" in self.path)
        self.send_response((401 if missing else 403) if refused else 200)
        if refused:
            self.send_header("X-Error-Code", "GatedRepo" if gated else "RepoNotFound")
        body = json.dumps({"id": "a/b", "siblings": []}).encode()
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def endpoint(monkeypatch):
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setattr(hub.constants, "HF_HUB_OFFLINE", False)
    yield
    server.shutdown()


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("gated/model", "gated/model is gated: accept its licence on the hub, and set HF_TOKEN"),
        ("missing/model", "missing/model is not on the hub"),
        ("open/model", ""),
    ],
)
def test_what_the_hub_refuses_is_said_before_anything_is_fetched(endpoint, target, words):
    said = hub.obstacle(Offer("pair", target, "open/draft", "MIT", gated=False, gigabytes=0.001, chat=False), "cpu", "float32")
    assert said.startswith(words)
    assert bool(said) == bool(words)


def test_a_cache_that_cannot_be_written_to_is_said_before_anything_is_fetched(endpoint, monkeypatch, tmp_path):
    (tmp_path / "file").touch()  # no folder can be below it, whoever asks
    monkeypatch.setattr(hub.constants, "HF_HUB_CACHE", str(tmp_path / "file" / "hub"))
    said = hub.obstacle(Offer("pair", "open/model", "open/draft", "MIT", gated=False, gigabytes=0.001, chat=False), "cpu", "float32")
    assert said == f"open/model cannot be kept, as {tmp_path / 'file' / 'hub'} cannot be written to: set HF_HOME to a folder that can be"
    monkeypatch.setattr(hub.constants, "HF_HUB_CACHE", str(tmp_path / "new" / "hub"))
    assert hub._no_room_for("open/model") == ""


def test_offline_is_said_where_it_is_asked_for(monkeypatch):
    monkeypatch.setattr(hub.constants, "HF_HUB_OFFLINE", True)
    assert (
        hub.obstacle(SMALL, "cpu", "float32") == "somebody/target is not on this machine, and the hub is not asked (HF_HUB_OFFLINE is set)"
    )


def test_progress_is_told_where_bytes_are_counted():
    said: list[str] = []
    told = hub._told_by(said.append)
    told(total=3, desc="files").update(1)
    told(total=4e9, unit="B", unit_scale=True).update(1e9)
    assert said == ["1.0 of 4.0 GB fetched"]
