"""How close a decision was to being another one, from its record, by kind."""

from __future__ import annotations

from ersd.trace.model import Step, Visit


def not_known(step: Step, visit: Visit) -> float | None:
    """Of a kind that records nothing of it."""
    return None


def lead(step: Step, visit: Visit) -> float | None:
    """How far two of the target's logits would have to move against one another for another token to win."""
    return visit.margin


def coin_gap(step: Step, visit: Visit) -> float | None:
    """How far the closest coin fell from the quotient it was compared with."""
    return min((abs(one.coin - one.ratio) for one in visit.tries if one.coin is not None and one.ratio is not None), default=None)


def keep_gap(step: Step, visit: Visit) -> float | None:
    """How far the closest coin of the sequence fell from the keep probability of its token."""
    return min((abs(one.coin - one.keep) for one in step.block), default=None)
