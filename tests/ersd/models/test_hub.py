"""Why a pair of the catalogue cannot be loaded, found before anything is fetched."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from ersd import machine
from ersd.models import hub
from ersd.models.catalogue import Offer

SMALL = Offer("small", "somebody/target", "somebody/draft", "MIT", gated=False, gigabytes=0.001, chat=False)


def test_a_pair_that_is_too_large_is_refused_without_the_network(monkeypatch):
    monkeypatch.setattr(hub, "is_here", lambda model: pytest.fail("the cache was read"))
    free = machine.free_gigabytes("cpu")
    assert free is not None
    large = Offer("large", "a/b", "a/c", "MIT", gated=False, gigabytes=free, chat=False)
    assert "GB of memory in float32" in hub.obstacle(large, "cpu", "float32")


def test_a_missing_network_is_named():
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
    ("target", "expected"),
    [
        ("gated/model", "gated/model is gated: accept its licence on the hub, and set HF_TOKEN"),
        ("missing/model", "missing/model is not on the hub"),
        ("open/model", ""),
    ],
)
def test_a_refusal_of_the_hub_is_shown_before_anything_is_fetched(endpoint, target, expected):
    reason = hub.obstacle(Offer("pair", target, "open/draft", "MIT", gated=False, gigabytes=0.001, chat=False), "cpu", "float32")
    assert reason.startswith(expected)
    assert bool(reason) == bool(expected)


def test_a_cache_that_cannot_be_written_to_is_named_before_anything_is_fetched(endpoint, monkeypatch, tmp_path):
    (tmp_path / "file").touch()  # no folder can be below a file, for root either
    monkeypatch.setattr(hub.constants, "HF_HUB_CACHE", str(tmp_path / "file" / "hub"))
    reason = hub.obstacle(Offer("pair", "open/model", "open/draft", "MIT", gated=False, gigabytes=0.001, chat=False), "cpu", "float32")
    assert reason == f"open/model cannot be kept, as {tmp_path / 'file' / 'hub'} cannot be written to: set HF_HOME to a folder that can be"
    monkeypatch.setattr(hub.constants, "HF_HUB_CACHE", str(tmp_path / "new" / "hub"))
    assert hub._unwritable("open/model") == ""


def test_offline_mode_is_named(monkeypatch):
    monkeypatch.setattr(hub.constants, "HF_HUB_OFFLINE", True)
    assert (
        hub.obstacle(SMALL, "cpu", "float32") == "somebody/target is not on this machine, and the hub is not asked (HF_HUB_OFFLINE is set)"
    )


def test_progress_is_reported_by_bars_that_count_bytes():
    messages: list[str] = []
    progress = hub._progress(messages.append)
    progress(total=3, desc="files").update(1)
    progress(total=4e9, unit="B", unit_scale=True).update(1e9)
    assert messages == ["1.0 of 4.0 GB fetched"]
