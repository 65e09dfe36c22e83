"""`naive`, the simplest lossless rule: the next token is drawn from P, and accepted if it happens to have been drafted.

Nothing in the package knows it. Registered like any rule, every test that goes through the registry must find it there.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from torch import Tensor

from ersd.randomness import Noise
from ersd.rules.argmax import accept_if_drafted
from ersd.rules.base import Rule
from ersd.rules.builtin import RULES, register
from ersd.rules.registry import ALGORITHMS, TRAITS, Traits
from ersd.sampling import sample
from ersd.walk import Decision


class Naive(Rule):
    """Children i.i.d. from Q; the next token comes from P by a uniform number that nothing else uses."""

    name = "naive"
    traits = Traits("draws the next token from the target, whatever is drafted", kind="own draw", exact_on_any_shape=True)

    def draft(self, q: Tensor, k: int, noise: Noise, slots: Sequence[int]) -> Tensor:
        return sample(q, noise.draws(slots, k))

    def verify(self, p: Tensor, q: Tensor | None, children: Tensor, noise: Noise) -> Decision:
        return accept_if_drafted(sample(p, noise.residual().expand(len(p)).unsqueeze(-1)).squeeze(-1), children)


def add_naive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register `naive` for one test."""
    for table in (RULES, TRAITS, ALGORITHMS):
        monkeypatch.setitem(table, Naive.name, None)  # taken out again after the test
    register(Naive())
