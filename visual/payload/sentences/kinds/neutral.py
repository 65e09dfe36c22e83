"""Sentences that are true of any rule, however it chooses; and parts of sentences that several kinds share."""

from __future__ import annotations

from collections.abc import Callable

from ersd.draft_tree import ROOT
from ersd.trace.step import Step, Try, Visit

from ..formatting import ordinal
from ..nodes import chance, children_of, chosen


def any_decided(step: Step, visit: Visit) -> str:
    """Which token was chosen, and whether it was drafted."""
    token = f"{chosen(visit)}{chance(visit)}"
    children = children_of(step, visit.vertex)
    if visit.accepted:
        accepted = next(one.vertex for one in visit.tries if one.accepted)
        which = f"{ordinal(children.index(accepted) + 1)} of {len(children)} children" if len(children) > 1 else "the only child"
        return f"Accepted: {token} was chosen here, and it was drafted ({which})."
    if _is_among(step, visit, children):
        return f"Not accepted: {token} was chosen here, and it was drafted, but not accepted as drafted."
    none = f"none of the {len(children)} drafted children" if len(children) > 1 else "not the one drafted child"
    return f"Not drafted: the token chosen here, {token}, is {none}."


def any_rejected(step: Step, visit: Visit) -> dict[int, str]:
    """Which token was chosen instead of each child that was tried, by node."""
    other = f"Rejected: the token chosen here is {chosen(visit)}, not this one."
    same = "Rejected: it was tried, but not accepted."
    return {one.vertex: same if step.tokens[one.vertex] == visit.token else other for one in tried_in_vain(visit)}


def any_leaf(step: Step, visit: Visit) -> str:
    """The target's own token where nothing was drafted."""
    return f"The next token {chosen(visit)}{chance(visit)} is the target’s own. {comes_free(step)}"


def before_leaf(step: Step, visit: Visit, title: str, decided: Callable[[Step, Visit], str]) -> str:
    """` Race 4: …`: how the last drafted token before a leaf was decided, since at a leaf there is no draft to compare with."""
    above = None if visit.vertex == ROOT else step.parents[visit.vertex]
    decision = next((one for one in step.walk if one.vertex == above), None)
    return "" if decision is None else f" {title} {step.number_of(decision)}: {decided(step, decision)}"


def comes_free(step: Step) -> str:
    """Why a token comes without a guess."""
    if not step.tokens:
        return "Nothing was drafted: one call gives one token."
    return "The tree ended here, so this token comes free with the same call."


def _is_among(step: Step, visit: Visit, children: list[int]) -> bool:
    """Whether the chosen token was drafted here."""
    return visit.token in (step.tokens[child] for child in children)


def tried_in_vain(visit: Visit) -> list[Try]:
    """The children that were tried and never accepted, each once."""
    accepted = {one.vertex for one in visit.tries if one.accepted}
    return list({one.vertex: one for one in visit.tries if one.vertex not in accepted}.values())
