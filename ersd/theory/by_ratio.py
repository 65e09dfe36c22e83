"""Tokens by rising p/q, with which several formulas about a vertex begin."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import checks
from .checks import Law


class ByRatio(NamedTuple):
    """The tokens that Q can draw, by rising p/q; float64 [tokens]. Not to be written to: who asks next may get the same."""

    p: np.ndarray
    q: np.ndarray
    """at least `checks.LEAST`"""
    ratio: np.ndarray


_last: tuple[np.ndarray, np.ndarray, ByRatio] | None = None
"""The laws asked for last, as they were, and their order: of a vertex several formulas are asked, and comparing is sooner than sorting."""


def by_ratio(p: Law, q: Law) -> ByRatio:
    """In order. ValueError naming the law that is none."""
    global _last
    target, draft = (law.numpy() for law in checks.pair(p, q))
    last = _last
    if last and np.array_equal(last[0], target) and np.array_equal(last[1], draft):
        return last[2]
    drawn = np.flatnonzero(draft > 0)
    mass, rate = target[drawn], np.maximum(draft[drawn], checks.LEAST)
    ratio = mass / rate
    order = ratio.argsort()
    ordered = ByRatio(mass[order], rate[order], ratio[order])
    _last = target.copy(), draft.copy(), ordered
    return ordered
