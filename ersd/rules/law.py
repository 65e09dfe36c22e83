"""Laws over the vocabulary as the models gave them: as logits, until their probabilities are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from torch import Tensor

if TYPE_CHECKING:
    from ..settings import Settings
    from .base import Rule


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
    def is_worked_out(self) -> bool:
        """Has somebody asked for the probabilities?"""
        return "probabilities" in self.__dict__

    @property
    def logs(self) -> Tensor:
        """Of the probabilities, but for a constant in every row, [n, vocab]: enough to tell which token is first in a race."""
        return self.rule.log_weights(self.logits, self.settings)
