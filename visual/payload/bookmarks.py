"""Steps worth going to: what each step is, so that the browser finds the next one of a kind."""

from __future__ import annotations

from typing import Any

from ersd.trace.model import Step

from .sentences.kinds import kind_of
from .sentences.numbers import brief

NEAREST = 3
"""So many steps nearest to a tie are gone to in turn."""

FINDS: list[dict[str, Any]] = [
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
        "help": "the {nearest} steps with a decision that least would have turned",
        "none": "How close the decisions of this rule were is not recorded.",
    },
]
"""In the order of their buttons. The first three are true or not of a step; of `path` the largest, of `gap` the smallest are looked for."""


def find_kit() -> dict[str, Any]:
    """What the browser needs once (`FindKit` of page/player/kit_types.js)."""
    return {"finds": [{**find, "help": find["help"].format(nearest=NEAREST)} for find in FINDS], "nearest": NEAREST}


def landmarks(step: Step) -> dict[str, Any]:
    """What there is to find of a step (`Landmarks` of page/player/types.js)."""
    decided = [visit.accepted for visit in step.walk if visit.tries]
    accepted = [step.ranks[one.vertex] for visit in step.walk for one in visit.tries if one.accepted]
    gaps = [gap for gap in (kind_of(visit).near(step, visit) for visit in step.walk) if gap is not None]
    return {
        "all": bool(decided) and all(decided),
        "root": bool(decided) and not decided[0],
        "rescued": max(accepted, default=0) > 1,
        "path": step.accepted,
        "gap": brief(min(gaps, default=None)),
    }
