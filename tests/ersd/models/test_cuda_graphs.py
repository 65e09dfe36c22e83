"""What runs of one decoder share: memories that serve again and are freed with it, and rotations that only grow, in any thread."""

import contextlib
import gc
import threading
import weakref

import pytest
import torch

from ersd.draft_tree import ROOT
from ersd.models import cuda_graphs
from ersd.models.cuda_graphs import LARGEST_SPARE, SPARES, StaticCache, StaticMemory
from ersd.models.llama import LlamaDecoder

from ..tiny import llama


@pytest.fixture
def decoder(monkeypatch):
    monkeypatch.setattr(cuda_graphs, "FIRST_ENTRIES", 16)
    return LlamaDecoder(llama(32))


def in_another_thread(work):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def kept(decoder):
    return {room: len(spare) for room, spare in decoder.spare.items() if spare}


def test_a_decoder_and_its_spare_memories_are_freed_with_its_pair():
    decoder = LlamaDecoder(llama(32))
    StaticCache(decoder).prefill([1, 2, 3])
    assert kept(decoder)
    lives = [weakref.ref(each) for each in (decoder, *(memory for spare in decoder.spare.values() for memory in spare))]
    gc.disable()  # by their last reference, not when the collector comes by: it knows nothing of a GPU's memory
    try:
        del decoder
        assert [life() for life in lives] == [None, None]
    finally:
        gc.enable()


def test_a_decoder_keeps_few_and_small_spare_memories(decoder):
    caches = [StaticCache(decoder) for _ in range(SPARES + 2)]
    caches[0]._make_room(LARGEST_SPARE)
    assert kept(decoder) == {16: 1}  # what it has outgrown serves others meanwhile
    caches[0]._make_room(LARGEST_SPARE + 1)
    caches.clear()
    assert kept(decoder) == {16: SPARES, LARGEST_SPARE: 1}


def test_nothing_that_a_text_leaves_in_a_memory_reaches_the_next(decoder):
    def logits():
        cache = StaticCache(decoder)
        cache.prefill([1, 2, 3])
        return cache, cache.extend([4, 5], [ROOT, 0])[0]

    cache, expected = logits()
    memory = cache._static
    memory.memory.fill_(torch.nan)
    del cache
    cache, found = logits()
    assert cache._static is memory
    assert found.equal(expected)


def test_padding_is_as_finite_as_the_tokens_it_pads():
    """Token 0, which no text has here, is not numbers."""
    model = llama(32)
    model.model.embed_tokens.weight.data[0] = torch.nan
    cache = StaticCache(LlamaDecoder(model))
    cache.prefill([1, 2, 3])
    assert cache.extend([4, 5], [ROOT, 0])[0].isfinite().all()


def test_two_threads_never_get_one_memory(decoder, monkeypatch):
    StaticCache(decoder)
    others, found = [], []

    class Watched(StaticMemory):
        """Another thread opens a cache while this memory is looked at."""

        @property
        def room(self):
            if not others:
                others.append(None)
                in_another_thread(lambda: others.append(StaticCache(decoder)))
            return 16

        @room.setter
        def room(self, room):
            pass

    monkeypatch.setattr(cuda_graphs, "StaticMemory", Watched)
    decoder.spare[16][0].__class__ = Watched
    found = [StaticCache(decoder) for _ in range(2)]
    assert [each._static.room for each in found] == [16, 16]
    assert len({id(each._static) for each in [*found, *others[1:]]}) == 3


def test_rotations_never_become_fewer_under_another_run(decoder, monkeypatch):
    """While few are computed another run asks for many: it gets through, or has come to wait for the lock, before the few are there."""
    rotations, settled, lock = LlamaDecoder._rotations, threading.Event(), decoder._growing
    many = threading.Thread(target=lambda: (decoder.reserve(4000), settled.set()))

    class Lock:
        def __enter__(self):
            if threading.current_thread() is many:
                settled.set()
            lock.acquire()

        def __exit__(self, *_):
            lock.release()

    def computed(self, positions):
        if threading.current_thread() is not many:
            many.start()
            settled.wait()
        return rotations(self, positions)

    monkeypatch.setattr(decoder, "_growing", Lock())
    monkeypatch.setattr(LlamaDecoder, "_rotations", computed)
    decoder.reserve(300)
    many.join()
    assert len(decoder.rotations[0]) >= 4000


def test_rotations_that_a_graph_may_read_are_kept(decoder):
    before = weakref.ref(decoder.rotations[0])
    decoder.reserve(4000)
    gc.collect()
    assert before() is not None


def test_the_graphs_of_a_memory_share_one_pool_and_are_captured_one_at_a_time(decoder, monkeypatch):
    """PyTorch's graphs, streams and pools are fakes here."""
    pools, memory = [], StaticMemory(decoder, 16)
    memory._pool = "pool"

    @contextlib.contextmanager
    def graph(_, pool=None, **__):
        pools.append((pool, cuda_graphs._CAPTURE.locked()))
        yield

    class Stream:
        def wait_stream(self, _):
            pass

    fakes = {"Stream": Stream, "current_stream": Stream, "stream": contextlib.nullcontext, "graph": graph}
    for name, fake in {**fakes, "CUDAGraph": type("Graph", (), {"replay": lambda _: None})}.items():
        monkeypatch.setattr(torch.cuda, name, fake)
    for size in (1, 5):
        call = memory.call(size)
        call.inputs[2] = torch.arange(size)
        call.attended[:, 0] = True
        call.replayed(decoder)
    assert pools == [("pool", True)] * 2
