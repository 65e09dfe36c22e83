"""The state of every drafted token of a step. Needs no torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .model import Step

ACCEPTED, REJECTED, NOT_REACHED = STATES = ("accepted", "rejected", "not reached")
"""Not reached: the walk ended before the token, or an earlier sibling was accepted."""


def kept(step: Step) -> int:
    """Block verification: how many tokens of the drafted sequence were kept."""
    return max((number for number, one in enumerate(step.block, 1) if one.coin < one.keep), default=0)


def states(step: Step) -> list[str]:
    """The state of every drafted node, one of STATES."""
    found = [NOT_REACHED] * len(step.tokens)
    for visit in step.walk:
        for one in visit.tries:
            found[one.vertex] = REJECTED
    for vertex in step.path:
        found[vertex] = ACCEPTED
    for cut in step.block[kept(step) :]:  # block verification looks at the whole sequence
        found[cut.vertex] = REJECTED
    return found
