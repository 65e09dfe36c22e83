"""The pairs of a server: loaded once, on request; public ones dropped when there are too many."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from ersd.models.catalogue import Offer
from ersd.settings import Settings
from visual.server import pairs
from visual.server.pairs import Pairs


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(pairs, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(pairs.gc, "collect", lambda: 0)
    monkeypatch.setattr(pairs.gc, "freeze", lambda: None)


def fake(name: str) -> SimpleNamespace:
    return SimpleNamespace(name=name, decoding="", prior=lambda settings: (), notices=())


def offering(load_public, names: str = "a") -> Pairs:
    """One pair of its own and public ones."""
    offers = [Offer(name, f"{name}/target", f"{name}/draft", "MIT", gated=False, gigabytes=1.0, chat=False) for name in names]
    return Pairs({"own": lambda: fake("own")}, public=offers, load_public=load_public)


def test_the_least_recently_used_public_pair_is_dropped_and_an_own_one_never():
    loads: list[str] = []

    def load(offer, report):
        loads.append(offer.name)
        return fake(offer.name)

    offered = offering(load, "abc")
    assert offered.names == ["own", "a", "b", "c"]
    for name in ("own", "a", "b", "a", "c"):
        assert offered.get(name).name == name
    assert [name for name in offered.names if offered.ready(name)] == ["own", "a", "c"]
    offered.get("b")
    assert loads == ["a", "b", "c", "b"]


def test_two_visitors_wait_for_one_loading_and_see_its_progress():
    parts, loads = threading.Semaphore(0), []

    def load(offer, report):
        loads.append(offer.name)
        for part in (1, 2):
            report(f"{part} of 2 GB fetched")
            parts.acquire()
        return fake(offer.name)

    offered = offering(load)
    visitors = [offered.loading_progress("a"), offered.loading_progress("a")]
    for visitor in visitors:
        assert next(line for line in visitor if line != "Loading the model …") == "1 of 2 GB fetched"
    assert offered.get("own").name == "own", "others go on meanwhile"
    parts.release()
    for visitor in visitors:
        assert next(visitor) == "2 of 2 GB fetched"
    parts.release()
    assert [list(visitor) for visitor in visitors] == [[], []]
    assert loads == ["a"]
    assert list(offered.loading_progress("a")) == []


def test_a_failure_is_reported_and_the_next_request_tries_again():
    reasons = iter(["it needs about 19.0 GB of memory", ""])

    def load(offer, report):
        reason = next(reasons)
        if reason:
            raise ValueError(reason)
        return fake(offer.name)

    offered = offering(load)
    with pytest.raises(ValueError, match=r"19\.0 GB"):
        list(offered.loading_progress("a"))
    assert offered.get("a").name == "a"


@pytest.mark.parametrize("name", ["nobody", "", None, ["a"], {"a": 1}, 3])
def test_a_pair_that_is_not_offered_is_refused(name):
    offered = Pairs({"own": lambda: fake("own")})
    for request in (offered.get, lambda name: list(offered.loading_progress(name))):
        with pytest.raises(ValueError, match="models must be one of own, got"):
            request(name)
    assert not offered.ready(name)
    assert not offered.chats(name)


def test_load_all_loads_in_this_thread_and_offers_only_what_it_could_load():
    threads = []

    def load(offer, report):
        threads.append(threading.current_thread())
        if offer.name == "b":
            raise ValueError("no network")
        return fake(offer.name)

    offered = offering(load, "ab")
    offered.load_all()
    assert offered.names == ["own", "a"]
    assert threads == [threading.main_thread()] * 2
    with pytest.raises(ValueError, match="no model pair could be loaded"):
        Pairs({"own": lambda: 1 / 0}).load_all()


def test_the_default_pair_is_loaded_in_the_background():
    may_load = threading.Event()
    offered = Pairs({"own": lambda: may_load.wait(60) and fake("own")})
    offered.preload()
    assert offered.loading
    assert offered.prior("own", Settings()) is None
    may_load.set()
    assert offered.get("own").name == "own"
    assert not offered.loading
    assert offered.prior("own", Settings()) == ()
