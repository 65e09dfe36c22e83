"""One token per target call, chosen by the race clocks: the text every ERSD run must reproduce."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ..randomness import Noise
from .ersd import ExponentialRace
from .registry import TRAITS


class Autoregressive(ExponentialRace):
    """The target alone; its first arrival is the next token."""

    name = "autoregressive"
    traits = TRAITS["autoregressive"]

    def draft(self, q: Tensor, k: int, noise: Noise, slots: Sequence[int]) -> Tensor:
        return torch.empty(q.shape[0], 0, dtype=torch.int64, device=q.device)
