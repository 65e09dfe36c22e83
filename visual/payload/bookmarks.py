"""Bookmarks: the steps that the browser can jump to, by kind."""

from __future__ import annotations

from ersd.draft_tree import ROOT
from ersd.trace.step import Step

from .message_types.kit import Bookmark
from .message_types.step import Landmarks
from .sentences.kinds.table import kind_of
from .sentences.numbers import brief

BOOKMARKS: list[Bookmark] = [
    {
        "id": "all",
        "label": "Whole path accepted",
        "coins": "Whole path accepted",
        "help": "every guess was right to the end of a branch, so the target’s token is an extra one",
        "none": "In every step that drafted something a guess was rejected.",
    },
    {
        "id": "root",
        "label": "No guess accepted",
        "coins": "No guess accepted",
        "help": "the first guesses were all rejected: the call gave one token",
        "none": "In every step that drafted something a guess was accepted.",
    },
    {
        "id": "rescued",
        "label": "Saved by a second guess",
        "coins": "Saved by a second guess",
        "help": "a 2nd or later guess for a place was accepted; with one guess for each the step would have ended there",
        "none": "No 2nd or later guess was accepted.",
    },
    {
        "id": "path",
        "label": "Longest run",
        "coins": "Longest run",
        "help": "the most guesses that one call of this run accepted",
        "none": "No guess was accepted.",
    },
    {
        "id": "gap",
        "label": "Closest race",
        "coins": "Closest coin",
        "help": "the step with the decision that came closest to going the other way",
        "none": "How close the decisions of this method were is not recorded.",
    },
]
"""In the order of their buttons. The first three are true or false of a step; `path` finds the largest value, `gap` the smallest.
`coins`: the label where coins decide."""


def bookmarks(step: Step) -> Landmarks:
    """The value of each bookmark for a step."""
    on_path = {ROOT, *step.path}  # a rule that begins at the leaves decides about other branches too
    decided = {visit.vertex: visit.accepted for visit in step.walk if visit.tries and visit.vertex in on_path}
    accepted = [step.ranks[node] for node in step.path]
    margins = [margin for margin in (kind_of(visit).margin(step, visit) for visit in step.walk) if margin is not None]
    return {
        "all": bool(decided) and all(decided.values()),
        "root": decided.get(ROOT) is False,
        "rescued": max(accepted, default=0) > 1,
        "path": step.accepted,
        "gap": brief(min(margins, default=None)),
    }
