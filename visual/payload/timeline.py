"""The timeline: one stack of blocks per step, its accepted tokens and the target's own token."""

from __future__ import annotations

from ersd.trace.model import Step


def bar(step: Step) -> dict[str, int]:
    """The blocks of a step: accepted drafted tokens, and the target's own."""
    return {"accepted": step.accepted, "own": len(step.emitted) - step.accepted}
