"""What became of every drafted token of a step: accepted, rejected or open. Needs no torch."""

from __future__ import annotations

from .model import Step


def kept(step: Step) -> int:
    """Block verification: how many tokens of the drafted sequence were kept."""
    return max((number for number, one in enumerate(step.block, 1) if one.coin < one.keep), default=0)


def states(step: Step) -> list[str]:
    """The state of every drafted node: accepted, rejected, or open (not tried, or never reached)."""
    found = ["open"] * len(step.tokens)
    for visit in step.walk:
        for one in visit.tries:
            if one.accepted or found[one.vertex] != "accepted":
                found[one.vertex] = "accepted" if one.accepted else "rejected"
    for cut in step.block[kept(step) :]:  # block verification looks at the whole sequence
        found[cut.vertex] = "rejected"
    return found
