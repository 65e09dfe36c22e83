"""The Llama decoder at fixed sizes and addresses, so that a GPU replays whole calls from CUDA graphs.

Calls are padded to a few sizes and attend to the whole memory under a mask. Then a call of one size is always the same kernels on the same
addresses, and CUDA captures it once. On a CPU the same code runs without a graph, which is how it is tested.
"""

from __future__ import annotations

import weakref

import torch
from torch import Tensor

from .llama import LlamaCache, LlamaDecoder
from .tree_cache import DecoderCache

SIZES = (1, 5, 17, 65, 257)
"""Entries of a call: the text's last token and a tree of up to 0, 4, 16, 64 or 256 tokens."""
FIRST_ENTRIES = 512
"""Entries that a new memory has room for; doubled when it is full."""


def open_cache(decoder: LlamaDecoder) -> DecoderCache:
    """A fresh cache of the decoder: with CUDA graphs on a GPU, without on a CPU."""
    return StaticCache(decoder) if decoder.embedding.device.type == "cuda" else LlamaCache(decoder)


class _Call:
    """A forward pass of one size over one memory."""

    def __init__(self, decoder: LlamaDecoder, memory: Tensor, size: int) -> None:
        self.decoder, self.memory, self.size = decoder, memory, size
        self.inputs = torch.zeros(3, size, dtype=torch.int64, device=memory.device)
        """tokens, positions and slots"""
        self.attended = torch.zeros(size, memory.shape[3], dtype=torch.bool, device=memory.device)
        self._rotations = decoder.rotations  # the graph reads them at their present address
        self._graph: torch.cuda.CUDAGraph | None = None
        self._logits = torch.empty(0)

    def __call__(self, inputs: Tensor, attended: Tensor) -> Tensor:
        """Logits [size, width]; the next call overwrites them."""
        self.inputs.copy_(inputs)
        self.attended.copy_(attended)
        if self.memory.device.type != "cuda":
            return self._forward()
        if self._graph is None:
            self._graph = self._capture()
        self._graph.replay()
        return self._logits

    def _forward(self) -> Tensor:
        mask = torch.zeros_like(self.attended, dtype=self.memory.dtype).masked_fill_(~self.attended, -torch.inf)
        tokens, positions, slots = self.inputs
        return self.decoder.forward(tokens, positions, self.memory, slots, mask, self.size)

    def _capture(self) -> torch.cuda.CUDAGraph:
        """Two runs in which libraries choose their kernels, then the one that is captured; all write the same entries."""
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):
                self._forward()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, capture_error_mode="thread_local"):
            self._logits = self._forward()
        return graph


class StaticMemory:
    """Keys and values of one text, with the calls that were captured over them. After its text it serves the next one."""

    def __init__(self, decoder: LlamaDecoder, room: int) -> None:
        decoder.reserve(room)
        self.decoder, self.room = decoder, room
        self.memory = decoder.allocate(room).zero_()  # a masked entry is still multiplied by 0
        self._calls: dict[int, _Call] = {}

    def call(self, size: int) -> _Call:
        """The forward pass of this size."""
        if size not in self._calls:
            self._calls[size] = _Call(self.decoder, self.memory, size)
        return self._calls[size]


_spare: weakref.WeakKeyDictionary[LlamaDecoder, list[StaticMemory]] = weakref.WeakKeyDictionary()
"""Memories that no text uses at present."""


class StaticCache(LlamaCache):
    """A LlamaCache whose calls have few sizes."""

    def __init__(self, decoder: LlamaDecoder) -> None:
        DecoderCache.__init__(self, decoder.embedding.device)
        self.decoder = decoder
        self._take(FIRST_ENTRIES)

    def _forward(self, tokens: list[int], before: int, logits_to_keep: int) -> Tensor:
        n = len(tokens)
        size = next((size for size in SIZES if size >= n), None)
        if logits_to_keep or size is None:  # the calls that read a prompt are not padded
            return super()._forward(tokens, before, logits_to_keep)
        start = self.committed + before
        self._make_room(start + size)
        inputs = torch.zeros(3, size, dtype=torch.int64)
        inputs[:2, :n] = torch.tensor([tokens, self._positions[before:]])
        inputs[2] = torch.arange(start, start + size)
        attended = torch.zeros(size, self._static.room, dtype=torch.bool)
        attended[:n, : start + n] = self._attended(before)
        attended[n:, 0] = True  # padding must attend to something, or its numbers are NaN
        # a copy, because the next call overwrites the logits
        return self._static.call(size)(inputs, attended)[:n].clone()

    def _make_room(self, entries: int) -> None:
        before = self._static
        if entries > before.room:
            self._take(max(2 * before.room, 2 ** (entries - 1).bit_length()))
            self._memory[:, :, :, : before.room] = before.memory

    def _take(self, room: int) -> None:
        """Use a spare memory with room for this many entries, or a new one. It is spare again when this cache is gone."""
        spare = _spare.setdefault(self.decoder, [])
        fitting = next((each for each in spare if each.room == room), None)
        if fitting is None:
            fitting = StaticMemory(self.decoder, room)
        else:
            spare.remove(fitting)
        self._static, self._memory = fitting, fitting.memory
        weakref.finalize(self, spare.append, fitting)
