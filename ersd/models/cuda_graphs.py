"""The Llama decoder at fixed sizes and addresses, so that a GPU replays whole calls from CUDA graphs.

Calls are padded to a few sizes and attend to the whole memory under a mask. Then a call of one size is always the same kernels on the same
addresses, and CUDA captures it once. On a CPU the same code runs without a graph, which is how it is tested.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from .llama import LlamaCache, LlamaDecoder
from .tree_cache import DecoderCache

SIZES = (1, 5, 17, 65, 257)
"""Entries of a call: the text's last token and a tree of up to 0, 4, 16, 64 or 256 tokens."""
FIRST_ENTRIES = 512
"""Entries that a new memory has room for; doubled when it is full."""
SPARES, LARGEST_SPARE = 3, 1024
"""Spare memories of one room that a decoder keeps, one per run of a comparison, and the largest room that it keeps any of."""

_CAPTURE = threading.Lock()
"""PyTorch captures on one stream, whatever the thread, and frees cached memory first, which fails during another capture."""


def open_cache(decoder: LlamaDecoder, layers: Sequence[int] = ()) -> DecoderCache:
    """A fresh cache of the decoder: with CUDA graphs on a GPU, without on a CPU, or where hidden states of `layers` are asked for."""
    is_static = decoder.embedding.device.type == "cuda" and not layers
    return StaticCache(decoder) if is_static else LlamaCache(decoder, layers)


class _Call:
    """A forward pass of one size over one memory."""

    def __init__(self, memory: Tensor, size: int, pool: Any) -> None:
        """`pool`: where a CUDA graph keeps what it computes; None on a CPU."""
        self.memory, self.size, self.pool = memory, size, pool
        self.inputs = torch.zeros(3, size, dtype=torch.int64, device=memory.device)
        """tokens, positions and slots"""
        self.attended = torch.zeros(size, memory.shape[3], dtype=torch.bool, device=memory.device)
        self._graph: torch.cuda.CUDAGraph | None = None
        self._logits = torch.empty(0)

    def __call__(self, decoder: LlamaDecoder, inputs: Tensor, attended: Tensor) -> Tensor:
        """Logits [size, width]; the next call overwrites them."""
        self.inputs.copy_(inputs)
        self.attended.copy_(attended)
        return self.replayed(decoder) if self.memory.device.type == "cuda" else self._forward(decoder)

    def replayed(self, decoder: LlamaDecoder) -> Tensor:
        """The forward pass from its graph, captured if this is the first one."""
        if self._graph is None:
            with _CAPTURE:
                self._graph = self._capture(decoder)
        self._graph.replay()
        return self._logits

    def _forward(self, decoder: LlamaDecoder) -> Tensor:
        mask = torch.zeros_like(self.attended, dtype=self.memory.dtype).masked_fill_(~self.attended, -torch.inf)
        tokens, positions, slots = self.inputs
        return decoder.forward(tokens, positions, self.memory, slots, mask, self.size)

    def _capture(self, decoder: LlamaDecoder) -> torch.cuda.CUDAGraph:
        """Two runs in which libraries choose their kernels, then the one that is captured; all write the same entries."""
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):
                self._forward(decoder)
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self.pool, capture_error_mode="thread_local"):
            self._logits = self._forward(decoder)
        return graph


class StaticMemory:
    """Keys and values of one text, with the calls that were captured over them. After its text it serves the next one.

    It does not refer to its decoder, which keeps it while it is spare: both are freed as soon as nothing uses the decoder.
    """

    def __init__(self, decoder: LlamaDecoder, room: int) -> None:
        decoder.reserve(room)
        with torch.inference_mode(False):  # it will be written to in either mode
            self.room, self.memory = room, decoder.allocate(room)
        self._calls: dict[int, _Call] = {}
        # one for all sizes: a memory serves one run at a time, whose calls follow one another
        self._pool = torch.cuda.graph_pool_handle() if self.memory.device.type == "cuda" else None

    def call(self, size: int) -> _Call:
        """The forward pass of this size."""
        if size not in self._calls:
            self._calls[size] = _Call(self.memory, size, self._pool)
        return self._calls[size]


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
        # padding repeats the first entry: numbers of its own, if they were NaN, would spoil the others
        inputs[:2, n:], attended[n:] = inputs[:2, :1], attended[0]
        # a copy, because the next call overwrites the logits
        return self._static.call(size)(self.decoder, inputs, attended)[:n].clone()

    def _make_room(self, entries: int) -> None:
        if entries > self._static.room:
            before, give_back = self._static, self._give_back
            self._take(max(2 * before.room, 2 ** (entries - 1).bit_length()))
            self._memory[:, :, :, : before.room] = before.memory
            give_back()

    def _take(self, room: int) -> None:
        """Use a spare memory with room for this many entries, or a new one. It is spare again when this cache has grown or is gone."""
        spare = self.decoder.spare.setdefault(room, deque(maxlen=SPARES if room <= LARGEST_SPARE else 0))
        try:
            self._static = spare.pop()  # one operation, so that two threads never get the same
        except IndexError:
            self._static = StaticMemory(self.decoder, room)
        # a masked entry is still multiplied by 0: what the last text or the allocator left there may be NaN
        self._memory = self._static.memory.zero_()
        self._give_back = weakref.finalize(self, spare.append, self._static)
