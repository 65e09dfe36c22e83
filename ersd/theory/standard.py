"""Standard speculative decoding, one child a vertex: its rejections, and what leniency buys (Yin et al., arXiv 2411.00841)."""

from __future__ import annotations

import itertools
import math

import torch
from torch import Tensor

from . import checks
from .checks import Law


def expected_rejections(p: Tensor, q: Tensor) -> float:
    """Expected rejections of standard speculative decoding over T tokens: the sum of TV(P_n, Q_n) (Yin et al., arXiv 2411.00841, thm 1).

    Args:
        p, q: [T, vocab], the distributions along a text that follows the target. ValueError naming what is not a distribution.
    """
    rows = [checks.pair(one, other) for one, other in itertools.zip_longest(p, q, fillvalue=torch.zeros(0))]
    return math.fsum((one - other).abs().sum().item() / 2 for one, other in rows)


def pareto(p: Law, q: Law, leniency: float) -> tuple[float, float]:
    """Rejection probability and bias TV(output, P) of the lossy rule: (1 - λ) TV and λ TV, on Yin et al.'s front (arXiv 2411.00841).

    Args:
        p, q: distributions [vocab].
        leniency: λ from 0 (exact) to 1 (every draft accepted).
    """
    target, draft = checks.pair(p, q)
    if not 0 <= leniency <= 1:
        raise ValueError(f"leniency must be a number from 0 to 1, got {leniency!r}")
    tv = (target - draft).abs().sum().item() / 2
    return (1 - leniency) * tv, leniency * tv
