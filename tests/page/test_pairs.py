"""The pairs of a server: loaded once, when asked for; public ones forgotten when there are too many."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

import pytest

from ersd.models.catalogue import Offer
from visual.server import pairs
from visual.server.pairs import Pairs


@pytest.fixture(autouse=True)
def no_collection(monkeypatch):
    monkeypatch.setattr(pairs.gc, "collect", lambda: 0)
    monkeypatch.setattr(pairs.gc, "freeze", lambda: None)


def offer(name: str, chat: bool = False) -> Offer:
    return Offer(name, f"{name}/target", f"{name}/draft", "MIT", gated=False, gigabytes=1.0, chat=chat)


def fake(name: str) -> SimpleNamespace:
    return SimpleNamespace(name=name, decoding="", hazards={})


def test_public_pairs_are_forgotten_oldest_first_and_own_ones_never():
    loads: list[str] = []

    def load(offer, say):
        loads.append(offer.name)
        return fake(offer.name)

    offered = Pairs({"own": lambda: fake("own")}, public=[offer(name) for name in "abc"], load_public=load)
    assert offered.names == ["own", "a", "b", "c"]
    offered.get("own")
    for name in ("a", "b", "a", "c"):
        assert offered.get(name).name == name
    assert loads == ["a", "b", "c"]
    assert [name for name in offered.names if offered.ready(name)] == ["own", "a", "c"]  # b was used before a
    assert pairs.MOST_PUBLIC == 2
    offered.get("b")
    assert loads == ["a", "b", "c", "b"]


def test_two_visitors_wait_for_one_loading_and_are_told_how_far_it_is(monkeypatch):
    monkeypatch.setattr(pairs, "BEAT", 0.01)
    steps, loads = threading.Semaphore(0), []

    def load(offer, say):
        loads.append(offer.name)
        for part in (1, 2):
            say(f"{part} of 2 GB fetched")
            steps.acquire()
        return fake(offer.name)

    offered = Pairs({"own": lambda: fake("own")}, public=[offer("a")], load_public=load)
    waits = [offered.waiting("a"), offered.waiting("a")]
    first = [next(wait) for wait in waits]
    while first != ["1 of 2 GB fetched"] * 2:
        first = [words if words != "Loading the model …" else next(wait) for words, wait in zip(first, waits, strict=True)]
    # the others go on meanwhile
    assert offered.get("own").name == "own"
    steps.release()
    assert [next(wait) for wait in waits] == ["2 of 2 GB fetched"] * 2
    steps.release()
    assert [list(wait) for wait in waits] == [[], []]
    assert loads == ["a"]
    assert offered.ready("a")
    assert list(offered.waiting("a")) == []


def test_a_failure_is_told_and_the_next_try_begins_anew():
    reasons = iter(["it needs about 19.0 GB of memory", ""])

    def load(offer, say):
        reason = next(reasons)
        if reason:
            raise ValueError(reason)
        return fake(offer.name)

    offered = Pairs({"own": lambda: fake("own")}, public=[offer("a")], load_public=load)
    with pytest.raises(ValueError, match=r"19\.0 GB"):
        list(offered.waiting("a"))
    assert offered.get("a").name == "a"


@pytest.mark.parametrize("name", ["nobody", "", None, ["a"], {"a": 1}, 3])
def test_what_is_not_offered_is_refused(name):
    offered = Pairs({"own": lambda: fake("own")})
    for ask in (offered.get, lambda name: list(offered.waiting(name))):
        with pytest.raises(ValueError, match="models must be one of own, got"):
            ask(name)
    assert not offered.ready(name)
    assert not offered.chats(name)


def test_all_are_loaded_in_this_thread_where_they_must_be():
    threads = []

    def load(offer, say):
        threads.append(threading.current_thread())
        if offer.name == "b":
            raise ValueError("no network")
        return fake(offer.name)

    offered = Pairs({"own": lambda: fake("own")}, public=[offer("a"), offer("b")], load_public=load)
    offered.load_all()
    assert offered.names == ["own", "a"]
    assert threads == [threading.main_thread()] * 2
    nothing = Pairs({}, public=[offer("b")], load_public=load)
    with pytest.raises(ValueError, match="no model pair could be loaded"):
        nothing.load_all()


def test_the_default_is_loaded_in_the_background():
    gate = threading.Event()

    def load():
        gate.wait(5)
        return fake("own")

    offered = Pairs({"own": load})
    offered.preload()
    assert offered.loading
    assert offered.hazards("own", "ersd") is None
    gate.set()
    for _ in range(500):
        if not offered.loading:
            break
        time.sleep(0.01)
    assert offered.ready("own")
    assert offered.hazards("own", "ersd") == ()
