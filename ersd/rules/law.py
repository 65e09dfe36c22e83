"""Laws over the vocabulary as the models gave them: as logits, until their probabilities are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:
    from ..settings import Settings
    from .base import Rule

FAR = 700.0
"""Logarithms of probabilities that far below the largest one: 1e-304 is about the least that float64 holds in full."""


@dataclass
class Law:
    """What n vertices are sampled from."""

    rule: Rule
    settings: Settings
    logits: Tensor
    """[n, vocab], of the draft or of the target"""

    @cached_property
    def probabilities(self) -> Tensor:
        """float64 [n, vocab]."""
        return self.rule.distributions(self.logits, self.settings)

    @property
    def logs(self) -> Tensor:
        """Of the probabilities, but for a constant in every row, [n, vocab]: enough to tell which token is first in a race."""
        return self.rule.log_weights(self.logits, self.settings)

    @property
    def held_logs(self) -> Tensor:
        """The same with -inf for tokens of so little probability that a number may not hold it."""
        logs = self.logs
        return logs.masked_fill(logs < logs.amax(-1, keepdim=True) - FAR, -torch.inf)
