"""What sentences and pictures read off a visited node of a step, whatever the rule."""

from __future__ import annotations

from ersd.draft_tree import ROOT
from ersd.trace.step import Row, Step, Visit

from .formatting import quoted, token_label
from .numbers import equal


def was_drafted(visit: Visit) -> bool:
    """Whether the draft was run at this node; False at a leaf of the tree and without a draft."""
    return any(row.q is not None for row in visit.rows)


def children_of(step: Step, node: int) -> list[int]:
    """The distinct drafted children of a node, in the draft's order."""
    found = [child for child, parent in enumerate(step.parents) if parent == node]
    return sorted(found, key=lambda child: step.ranks[child])


def drawn_after(step: Step, node: int) -> int:
    """How many guesses were drawn after a node, equal ones counted each time."""
    return sum(step.draws[child] if step.draws else 1 for child in children_of(step, node))


def drafted_token(step: Step, node: int) -> str:
    """A drafted token as a sentence quotes it: `“␣weak”`."""
    return quoted(token_label(step.texts[node], step.tokens[node]))


def chosen_name(visit: Visit) -> str:
    """The token chosen at a node, with its spaces made visible."""
    return token_label(visit.text, visit.token)


def chosen(visit: Visit) -> str:
    """The token chosen at a node as a sentence quotes it."""
    return quoted(chosen_name(visit))


def chosen_row(visit: Visit) -> Row | None:
    """The table's row of the chosen token; None if it is not listed."""
    return next((row for row in visit.rows if row.token == visit.token), None)


def chance(visit: Visit) -> str:
    """` (p = 0.30)` of the chosen token; empty if it is not listed."""
    row = chosen_row(visit)
    return f" ({equal('p', row.p)})" if row else ""


def emitted_names(step: Step) -> list[str]:
    """The tokens that a step adds to the text, with their spaces made visible."""
    names = [token_label(step.texts[node], step.tokens[node]) for node in step.path]
    return names if len(names) == len(step.emitted) else [*names, own_name(step)]


def own_name(step: Step) -> str:
    """The target's own token at the end of a step, with its spaces made visible."""
    own = step.emitted[-1]
    text = next((visit.text for visit in step.walk if visit.vertex == step.end), own.text)
    return token_label(text, own.token)


def text_before(step: Step, node: int, before: str) -> str:
    """The whole text before what follows a node; `before`: the text before the step."""
    return before if node == ROOT else text_before(step, step.parents[node], before) + step.texts[node]
