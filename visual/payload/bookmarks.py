"""Bookmarks: the steps that the browser can jump to, by kind."""

from __future__ import annotations

from typing import Any

from ersd.trace.model import Step

from .sentences.kinds import kind_of
from .sentences.numbers import brief

NEAREST = 3
"""How many of the closest decisions a reader steps through."""

BOOKMARKS: list[dict[str, Any]] = [
    {
        "id": "all",
        "label": "reached a leaf",
        "help": "every decision about drafted tokens was accepted: the walk went on to the end of a branch",
        "none": "In every step that drafted something a token was rejected.",
    },
    {
        "id": "root",
        "label": "rejected at the root",
        "help": "no drafted token was accepted: the call gave one token",
        "none": "In no step was everything rejected at the root.",
    },
    {
        "id": "rescued",
        "label": "rescued",
        "help": "a 2nd or later child was accepted where a chain of first children would have ended",
        "none": "In no step was a 2nd or later child accepted.",
    },
    {
        "id": "path",
        "label": "longest path",
        "help": "the most drafted tokens that one call of this run accepted",
        "none": "No drafted token was accepted.",
    },
    {
        "id": "gap",
        "label": "nearest tie",
        "help": f"the {NEAREST} steps with the decisions closest to going the other way",
        "none": "How close the decisions of this rule were is not recorded.",
    },
]
"""In the order of their buttons. The first three are true or false of a step; `path` finds the largest value, `gap` the smallest."""

KIT: dict[str, Any] = {"finds": BOOKMARKS, "nearest": NEAREST}
"""What the browser needs once (`FindKit` in kit_types.js)."""


def bookmarks(step: Step) -> dict[str, Any]:
    """The value of each bookmark for a step (`Landmarks` in types.js)."""
    decided = [visit.accepted for visit in step.walk if visit.tries]
    accepted = [step.ranks[one.vertex] for visit in step.walk for one in visit.tries if one.accepted]
    margins = [margin for margin in (kind_of(visit).margin(step, visit) for visit in step.walk) if margin is not None]
    return {
        "all": bool(decided) and all(decided),
        "root": bool(decided) and not decided[0],
        "rescued": max(accepted, default=0) > 1,
        "path": step.accepted,
        "gap": brief(min(margins, default=None)),
    }
