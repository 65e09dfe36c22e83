"""How often two models sample the same token: each with clocks of its own, or both with the same."""

from __future__ import annotations

from typing import NamedTuple

import torch

from ..isolation import isolated
from ..randomness import clocks
from ..theory import checks, race_match
from ..theory.checks import Distribution


class Agreement(NamedTuple):
    """Winners of n draws, [n] each, and how often they are expected to be the same."""

    target: list[int]
    own: list[int]
    """the draft's winner by clocks of its own"""
    shared: list[int]
    """the draft's winner by the target's clocks"""
    expected_own: float
    """sum of p q: two independent samples"""
    expected_shared: float
    """arXiv 2504.15475, lemma 3.1"""


@isolated
def agreement(p: Distribution, q: Distribution, draws: int, seed: int) -> Agreement:
    """Sample both models `draws` times; draw t uses the clocks of position t, the draft's own clocks are those of seed + 1."""
    target, draft = (torch.as_tensor(each, dtype=torch.float64) for each in checks.pair(p, q))
    positions = torch.arange(checks.count(draws, "draws"))
    mine, others = (clocks(each, positions, len(target)) for each in (seed, seed + 1))
    return Agreement(
        (mine / target).argmin(-1).tolist(),
        (others / draft).argmin(-1).tolist(),
        (mine / draft).argmin(-1).tolist(),
        float(target @ draft),
        race_match(target, draft),
    )
