"""Acceptance of children that are the draft's likeliest tokens: all of them (half a race), or all but one (SpecHub)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from . import checks
from .checks import Distribution


def likeliest_acceptance(p: Distribution, q: Distribution, k: int, order: Sequence[int] | None = None) -> float:
    """P of the draft's k likeliest tokens: how often they have the target's token, whatever the luck. Exact.

    Args:
        p, q: distributions [vocab]; ValueError naming the one that is not.
        k: number of children, at least 1.
        order: the draft's likeliest tokens as the rule orders them; equal ones leave a choice. None: lower ids first.
    """
    target, draft = checks.pair(p, q)
    return min(1.0, float(target[_likeliest(draft, checks.count(k), order)].sum()))


def spechub_acceptances(p: Distribution, q: Distribution, k: int, order: Sequence[int] | None = None) -> list[float]:
    """Probability that each child of SpecHub is the accepted one: the wild card, then the k - 1 likeliest tokens of Q. Exact.

    The wild card is drawn from Q', the rest of Q rescaled, and accepted with sum min(p, q'); a favourite with its own p. The sum of all is
    the most that any rule can accept of these children (arXiv 2502.18779). With one child this is 1 - TV(P, Q).

    Args:
        p, q: distributions [vocab]; ValueError naming the one that is not.
        k: number of children, at least 1. Where Q has no more tokens than that, all are favourites.
        order: as in `likeliest_acceptance`.
    """
    target, draft = checks.pair(p, q)
    if np.count_nonzero(draft) <= checks.count(k):
        return target[_likeliest(draft, k, order)].tolist()
    favourites = _likeliest(draft, k - 1, order)
    rest = draft.copy()
    rest[favourites] = 0
    return [float(np.minimum(target, rest / rest.sum()).sum()), *target[favourites].tolist()]


def _likeliest(draft: np.ndarray, k: int, order: Sequence[int] | None) -> np.ndarray:
    """The k likeliest tokens, none of probability 0."""
    first = np.argsort(-draft, kind="stable")[:k] if order is None else np.asarray(order[:k], dtype=np.int64)
    return first[draft[first] > 0]
