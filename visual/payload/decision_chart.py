"""Style of the picture of a decision: rows of tokens, the draft's bars to the left of a lane, the target's to the right.

The numbers come with each node (`decision.py`); the browser lays the picture out in pixels for the size it is given.
"""

from __future__ import annotations

from .theme import SIGNS, axis, base_layout

LAYOUT = base_layout(barmode="overlay", hoverdistance=20, xaxis=axis(), yaxis=axis())


def _mark(sign: str, drafted: bool, draft: str, target: str, ink: str) -> dict[str, str | bool]:
    return {"sign": sign, "drafted": drafted, "draft": draft, "target": target, "ink": ink}


MARKS: dict[str, dict[str, str | bool]] = {
    "accepted": _mark(SIGNS["accepted"], True, "$drafted", "$accepted-fill", "$accepted-ink"),
    "accepted_leader": _mark(SIGNS["accepted"], True, "$leader", "$accepted-fill", "$accepted-ink"),
    "target": _mark(SIGNS["target"], False, "$bar", "$target", "$target-ink"),
    "rejected": _mark(SIGNS["rejected"], True, "$drafted", "$drafted", "$rejected-ink"),
    "leader": _mark(SIGNS["leader"], True, "$leader", "$drafted", "$leader-ink"),
    "drafted": _mark("", True, "$drafted", "$drafted", "$ink"),
    "": _mark("", False, "$bar", "$bar", "$muted"),
}
"""Mark of a row -> its sign, whether its token was drafted, the colours of its bars and of its name."""
