"""What the pictures read off a visited vertex of a Step, whatever the rule."""

from __future__ import annotations

from ersd.trace.model import Row, Step, Visit

from .formatting import quoted, visible
from .numbers import equal

ROOT = -1
"""The vertex of the text so far."""


def was_drafted(visit: Visit) -> bool:
    """Was the draft run here? False at a leaf of the tree and without a draft."""
    return any(row.q is not None for row in visit.rows)


def children_of(step: Step, vertex: int) -> list[int]:
    """The drafted children of a vertex, in the draft's order; one that was drawn twice stands once."""
    found = [child for child, parent in enumerate(step.parents) if parent == vertex]
    return sorted(found, key=lambda child: step.ranks[child])


def chosen_name(visit: Visit) -> str:
    """The token chosen at a visited vertex, readable."""
    return visible(visit.text, visit.token)


def chosen(visit: Visit) -> str:
    """The same inside a sentence."""
    return quoted(chosen_name(visit))


def chosen_row(visit: Visit) -> Row | None:
    """The table's row of the token chosen, if it is listed."""
    return next((row for row in visit.rows if row.token == visit.token), None)


def chance(visit: Visit) -> str:
    """` (p = 0.30)` of the token chosen; nothing where it is not listed."""
    row = chosen_row(visit)
    return f" ({equal('p', row.p)})" if row else ""


def last_decision(step: Step) -> Visit:
    """The last visit at which something was decided about drafted tokens; without any the last of all."""
    return next((visit for visit in reversed(step.walk) if visit.tries), step.walk[-1])


def contexts(step: Step, before: str) -> dict[int, str]:
    """The whole text in front of each visited vertex's decision; `before` is the text in front of the step."""
    found, text = {}, before
    for visit in step.walk:
        found[visit.vertex] = text
        text += visit.text
    return found
