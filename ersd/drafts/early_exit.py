"""Guesses from the target's own first layers: no second model and no training, only a linear map that is learned while the text is written.

LayerSkip (arXiv 2404.16710) leaves after a few layers and reads the target's head from there; the map closes part of the gap, by least
squares as in S2D (arXiv 2407.01955). The verifying call computes these layers again: the two share weights, not keys and values.
Within a step the map stays, so what the layers predict after a node depends on its path alone: guesses drawn from it are judged by it, and
every rule is exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ..models.llama import LlamaCache, LlamaDecoder
from .source import ModelSource

if TYPE_CHECKING:
    from ..models.pair import ModelPair

RIDGE = 5.0
"""Times √n, what is added to the diagonal of X'X for n tokens: a map of few tokens stays small."""
GROWTH = 1.25
"""The map is solved anew once it has seen this many times the tokens of the last time: solving costs more than a step."""


class ExitMap:
    """From normed hidden states x of the exit to the target's last ones: x + x B, with B = (X'X + λ I)⁻¹ X'(Y - X) over the text so far."""

    def __init__(self, decoder: LlamaDecoder) -> None:
        self.norm = decoder.last_norm
        width = decoder.embedding.shape[1]
        self.b: Tensor | None = None
        self._gram = decoder.embedding.new_zeros(width, width)
        self._cross = torch.zeros_like(self._gram)
        self._tokens, self._solved = 0, 0

    def __call__(self, hidden: Tensor) -> Tensor:
        x = self.norm(hidden)
        return x if self.b is None else torch.addmm(x, x, self.b)

    @torch.inference_mode()
    def learn(self, exits: Tensor, last: Tensor) -> None:
        """Take in tokens: hidden states [n, width] at the exit, and the target's last ones, normed."""
        x = self.norm(exits)
        self._gram += x.T @ x
        self._cross += x.T @ (last - x)
        self._tokens += len(x)
        if self._tokens >= GROWTH * self._solved:
            self._solved = self._tokens
            damped = self._gram + RIDGE * self._tokens**0.5 * torch.eye(len(self._gram), device=x.device)
            self.b = torch.linalg.solve(damped, self._cross)


class EarlyExit(ModelSource):
    """The first half of the target's layers as the draft. The map changes between steps only, so a run is reproducible."""

    def __init__(self, pair: ModelPair) -> None:
        """`pair`: one without an `obstacle`."""
        decoder = decoder_of(pair)
        assert decoder is not None
        self.layers = (exit_of(decoder), len(decoder.layers))
        self.map = ExitMap(decoder)
        cache = LlamaCache(decoder.first(self.layers[0], self.map))
        cache.role = "draft"
        super().__init__(cache, pair.vocab_size, pair.vocab_size, pair.context)

    def observe(self, states: Tensor) -> None:
        self.map.learn(*states)


def exit_of(decoder: LlamaDecoder) -> int:
    """How many of its layers guess."""
    return len(decoder.layers) // 2


def obstacle(pair: ModelPair) -> str:
    """Why the target's layers cannot be run one by one here; empty where they can."""
    decoder = decoder_of(pair)
    if decoder is None:
        return "runs through transformers"
    if decoder.embedding.device.type == "cuda":
        return "runs in CUDA graphs"
    return "has a single layer" if len(decoder.layers) < 2 else ""


def decoder_of(pair: ModelPair) -> LlamaDecoder | None:
    """The decoder that runs the target; None where transformers, or anything else, does."""
    found: LlamaDecoder | None = getattr(pair.target, "decoder", None)
    return found
