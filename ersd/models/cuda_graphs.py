"""The lean decoder at fixed sizes and addresses, so that a GPU can replay its calls instead of being told every step of them.

Calls are padded to a few sizes and look at all the memory there is room for, masked; then a call of one size is always the same kernels on
the same addresses, and CUDA records it once. On a CPU the same path runs unrecorded, which is how it is tested.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence

import torch
from torch import Tensor

from .inference import inferring
from .llama import LeanCache, LeanDecoder
from .tree_cache import DecoderCache

SIZES = (1, 5, 17, 65, 257)
"""Entries of a call: the text's last token and a tree of up to 0, 4, 16, 64 or 256."""
FIRST_ROOM = 512
"""Entries that there is room for at first; doubled when they are full."""


def open_lean(decoder: LeanDecoder) -> DecoderCache:
    """A fresh cache of the decoder, of the kind that pays where its weights are."""
    return StaticCache(decoder) if decoder.embedding.device.type == "cuda" else LeanCache(decoder)


class _Call:
    """A forward pass of one size over one memory."""

    def __init__(self, decoder: LeanDecoder, memory: Tensor, size: int) -> None:
        device = memory.device
        self.decoder, self.memory, self.size = decoder, memory, size
        self.inputs = torch.zeros(3, size, dtype=torch.int64, device=device)
        """tokens, positions and places"""
        self.seen = torch.zeros(size, memory.shape[3], dtype=torch.bool, device=device)
        self._turns = decoder.turns  # the recorded call reads them where they lie now
        self._graph: torch.cuda.CUDAGraph | None = None
        self._logits = torch.empty(0)

    def __call__(self, inputs: Tensor, seen: Tensor) -> Tensor:
        """Logits [size, width], to be overwritten by the next call."""
        self.inputs.copy_(inputs)
        self.seen.copy_(seen)
        if self.memory.device.type != "cuda":
            return self._forward()
        if self._graph is None:
            self._record()
        assert self._graph is not None
        self._graph.replay()
        return self._logits

    def _forward(self) -> Tensor:
        mask = torch.zeros_like(self.seen, dtype=self.memory.dtype).masked_fill_(~self.seen, -torch.inf)
        tokens, positions, places = self.inputs
        return self.decoder.forward(tokens, positions, self.memory, places, mask, self.size)

    def _record(self) -> None:
        """Twice for the kernels to choose their ways, then once to be recorded; all three write the same to the same places."""
        beside = torch.cuda.Stream()
        beside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(beside):
            for _ in range(2):
                self._forward()
        torch.cuda.current_stream().wait_stream(beside)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph, capture_error_mode="thread_local"):
            self._logits = self._forward()


class StaticMemory:
    """Room for one text, with the calls that were recorded over it. When its text is done it serves the next one."""

    def __init__(self, decoder: LeanDecoder, room: int) -> None:
        decoder.reach(room)
        self.decoder, self.room = decoder, room
        self.memory = decoder.allocate(room).zero_()  # an entry that is masked is still multiplied by 0
        self._calls: dict[int, _Call] = {}

    def call(self, size: int) -> _Call:
        """The forward pass of this size."""
        if size not in self._calls:
            self._calls[size] = _Call(self.decoder, self.memory, size)
        return self._calls[size]


_spare: weakref.WeakKeyDictionary[LeanDecoder, list[StaticMemory]] = weakref.WeakKeyDictionary()
"""What no text uses at present."""


class StaticCache(LeanCache):
    """A LeanCache whose calls have few sizes."""

    def __init__(self, decoder: LeanDecoder) -> None:
        DecoderCache.__init__(self, decoder.embedding.device)
        self.decoder = decoder
        self._take(FIRST_ROOM)

    @inferring
    def extend(self, tokens: Sequence[int], parents: Sequence[int], logits_to_keep: int = 0) -> tuple[Tensor, list[int]]:
        """As `DecoderCache.extend`. Reading a prompt is not padded."""
        n = len(tokens)
        size = next((size for size in SIZES if size >= n), None)
        if logits_to_keep or size is None:
            return super().extend(tokens, parents, logits_to_keep)
        before = self._open(parents)
        start = self.committed + before
        self._make_room(start + size)
        inputs = torch.zeros(3, size, dtype=torch.int64)
        inputs[:2, :n] = torch.tensor([list(tokens), self._positions[before:]])
        inputs[2] = torch.arange(start, start + size)
        seen = torch.zeros(size, self._static.room, dtype=torch.bool)
        seen[:n, : start + n] = torch.from_numpy(self._seen(before))
        seen[n:, 0] = True  # what is padded sees something, else its numbers are none
        # a copy: the record looks at them while the next call is made
        return self._static.call(size)(inputs, seen)[:n].clone(), list(range(before, before + n))

    def _make_room(self, entries: int) -> None:
        before = self._static
        if entries > before.room:
            self._take(max(2 * before.room, 2 ** (entries - 1).bit_length()))
            self._memory[:, :, :, : before.room] = before.memory

    def _take(self, room: int) -> None:
        """Memory of so many entries: a spare one, or new. It is spare again when this cache is gone."""
        spare = _spare.setdefault(self.decoder, [])
        fitting = next((each for each in spare if each.room == room), None)
        if fitting is None:
            fitting = StaticMemory(self.decoder, room)
        else:
            spare.remove(fitting)
        self._static, self._memory = fitting, fitting.memory
        weakref.finalize(self, spare.append, fitting)
