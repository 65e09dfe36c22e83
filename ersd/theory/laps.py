"""Races in laps: what the draft's first B arrivals accept if runners go on running (MPFR, arXiv 2609.21858)."""

from __future__ import annotations

import numpy as np

from . import checks
from .checks import Distribution
from .compress import LEAST


def laps_acceptance(p: Distribution, q: Distribution, arrivals: int) -> float:
    """Probability that the target's winner is among the draft's first B arrivals, later laps counted. Exact, in O(n log n).

    Sum over v of p_v (1 - (s_v / (1 + s_v))^B), s_v = sum_j (p_v q_j / q_v - p_j)+: if v wins the target's race at a time W ~ Exp(1), the
    number of arrivals before its first lap in the draft's race is Poisson of mean s_v W.

    Args:
        p, q: distributions [vocab]; ValueError naming the one that is not.
        arrivals: B, at least 1; with 1 it is `race_match`.
    """
    target, draft = checks.pair(p, q)
    checks.count(arrivals, "arrivals")
    drawn = np.flatnonzero(draft > 0)
    target, draft = target[drawn], np.maximum(draft[drawn], LEAST)
    order = (target / draft).argsort(kind="stable")
    target, draft = target[order], draft[order]
    ahead = np.maximum(target / draft * draft.cumsum() - target.cumsum(), 0)
    return min(1.0, float(target @ (1 - (1 - 1 / (1 + ahead)) ** arrivals)))


def laps_children(q: Distribution, arrivals: int) -> float:
    """Expected number of different tokens among the first B arrivals, which are i.i.d. from Q: sum_v 1 - (1 - q_v)^B."""
    draft = checks.distribution("q", q)
    return float((1 - (1 - draft) ** checks.count(arrivals, "arrivals")).sum())
