"""One plain sentence per decision, with its numbers, in the words of its kind; and what the browser fills in."""

from __future__ import annotations

from ersd.trace.model import Step, Visit

from .formatting import plural
from .kinds import kind_of


def sentence(step: Step, visit: Visit) -> str:
    """What was decided at a visited vertex, and why."""
    kind = kind_of(visit)
    return kind.decided(step, visit) if visit.tries else kind.at_leaf(step, visit)


def reasons(step: Step) -> dict[int, str]:
    """Why each vertex that was decided about without a try of its own in the list was rejected or cut, in one sentence.

    For the others the browser has the words: of an accepted vertex the decision's, of a tried one its try's, of the rest WORDS.
    """
    return {vertex: words for visit in step.walk if visit.tries for vertex, words in kind_of(visit).lost(step, visit).items()}


WORDS: dict[str, str] = {
    "leaf": "The draft was not run here, a leaf of the tree: only the target's side is known.",
    "no_draft": "Nothing was drafted: only the target's side is run.",
    "unvisited": "Not visited: “{name}” above it was not accepted.",
    "beyond": "Not reached: the text ended before it.",
    "absent": "The walk did not go on from “{name}”, so nothing was decided after it.",
    "about": "Shown is the decision about “{name}”.",
}
"""Sentences the browser fills in, by what they are for."""


def finished(stopped: str, steps: int, tokens: int) -> str:
    """The status line at the end of a run."""
    why = {
        "end of text": "the text ended",
        "max_new_tokens": "the length asked for",
        "end of context": "the context is full",
    }.get(stopped, stopped)
    return f"Done: {plural(tokens, 'token')} in {plural(steps, 'call')}; {why}."
