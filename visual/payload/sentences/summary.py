"""A step in four answers: what was drafted and accepted, who chose the last token and why the walk ended, what the target made of the
draft's first choice, and what a single drafted token would have given.
"""

from __future__ import annotations

from ersd.settings import Settings
from ersd.trace.model import Step, Visit

from .formatting import plural, quoted, token_label
from .kinds import kind_of
from .nodes import ROOT, children_of, chosen, drafted_token, last_decision
from .numbers import equal, number

MAX_NAMED = 4
"""Accepted tokens that are named; more are counted."""

LABELS: list[dict[str, str]] = [
    {"id": "drafted", "label": "Drafted and accepted", "more": ""},
    {"id": "last", "label": "Who chose the last token", "more": ", and why it ended"},
    {"id": "favourite", "label": "The draft's first choice", "more": ", as the target saw it"},
    {"id": "alone", "label": "A single drafted token", "more": ""},
]
"""The answers in their order. `more` is left out where there is little room."""


def summary(step: Step, settings: Settings) -> dict[str, str]:
    """A sentence or two for each of LABELS."""
    return {"drafted": drafted(step, settings), "last": last_token(step), "favourite": first_choice(step), "alone": single_token(step)}


def drafted(step: Step, settings: Settings) -> str:
    """How many tokens were drafted, which draws coincide, and which tokens were accepted."""
    count = len(step.tokens)
    if not count:
        return "Nothing was drafted."
    names = [chosen(visit) for visit in step.walk if visit.accepted]
    listed = ", ".join(names[:MAX_NAMED]) + (f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else "")
    none = "The one drafted was not accepted." if count == 1 else f"None of {count} accepted."
    accepted = f"{len(names)} of {count} accepted: {listed}." if names else none
    return f"{accepted}{_coinciding(step, settings)}"


def _coinciding(step: Step, settings: Settings) -> str:
    """How many draws gave the same token at the same node, and how many chains are alike."""
    draws = sum(step.draws) or len(step.tokens)
    counted = _distinct(plural(draws, "draw"), len(step.tokens)) if draws > len(step.tokens) else ""
    if settings.topology != "multi_sequence" or not counted:
        return counted
    chains = sum(count for count, parent in zip(step.draws, step.parents, strict=True) if parent == ROOT)
    different = len(set(range(len(step.tokens))) - set(step.parents))
    is_known_already = chains == different or (chains, different) == (draws, len(step.tokens))
    if is_known_already:
        return counted
    if draws < chains * max(step.depths):  # of chains that begin alike only one was continued
        alike = "of which one goes on" if different == 1 else f"which begin with {different} different tokens, and one of each goes on"
        return f"{counted} {plural(chains, 'chain')}, {alike}."
    return f"{counted}{_distinct(plural(chains, 'chain'), different)}"


def _distinct(counted: str, different: int) -> str:
    return f" {counted}, all the same." if different == 1 else f" {counted}, {different} different."


def last_token(step: Step) -> str:
    """Who chose the last token of the step, how, and why the walk ended there."""
    visit = step.walk[-1]
    token, kind = chosen(visit), kind_of(visit)
    if visit.accepted:
        return f"The draft: {token} was accepted, and it ends the text."
    if not step.tokens:
        return f"The target: {token}, {kind.own_at_leaf}. Nothing was drafted."
    if not visit.tries:
        return f"The target: {token}, {kind.own_at_leaf}. The walk ended at a leaf: all on its way was accepted."
    return f"The target: {token}, {kind.own}. {kind.ended(step, visit)}"


def first_choice(step: Step) -> str:
    """The draft's first token at the last decision about drafted ones, with both probabilities, and what became of it."""
    visit = last_decision(step)
    if not visit.tries:
        return "Nothing was drafted."
    row = visit.rows[0]
    name, first = quoted(token_label(row.text, row.token)), "its likeliest" if row.clock is None else "first in its race"
    return (
        f"{name}, {first}: {_probability('q', row.q or 0.0)}, the target's {_probability('p', row.p)}. {_outcome(step, visit, row.token)}"
    )


def _probability(name: str, value: float) -> str:
    """With two digits that count, since readers multiply them by what the picture shows."""
    return equal(name, value, 2 if value >= 0.0995 else 3)


def _outcome(step: Step, visit: Visit, token: int) -> str:
    """What became of a token at a visited node."""
    is_child = any(step.tokens[child] == token for child in children_of(step, visit.vertex))
    if token == visit.token:
        if visit.accepted:
            return "Accepted."
        return "Rejected, but drawn in the end." if is_child else "Not drafted; the target chose it."
    if any(step.tokens[one.vertex] == token for one in visit.tries):
        return f"Rejected: {chosen(visit)} was chosen."
    return f"{'Not tried' if is_child else 'Not drafted'}: {chosen(visit)} was chosen."


def single_token(step: Step) -> str:
    """What the step would have given with its first drafted token only, by the same clocks or coins."""
    root = step.walk[0]
    kind = kind_of(root)
    if not root.tries or kind.single is None:
        return "Nothing was drafted." if not root.tries else "Not known for this rule."
    is_accepted = kind.single(step, root)
    ends_text = is_accepted and root.accepted and len(step.emitted) == 1
    count = 2 if is_accepted and not ends_text else 1
    now = "as many as now" if count == len(step.emitted) else f"instead of {len(step.emitted)}"
    token, verdict = drafted_token(step, root.tries[0].vertex), "accepted" if is_accepted else "rejected"
    return f"{token}, {verdict}: {plural(count, 'token')} from this call, {now}.{_chance(root)}"


def _chance(root: Visit) -> str:
    """The probability that one drafted token is accepted at the root, where it is known: of a match for races, 1 - TV for coins."""
    one = root.match
    if kind_of(root).list and root.tv is not None:
        one = root.predicted if root.bias is not None else 1 - root.tv
    return f" Chance before the draw: {number(one)}." if one is not None else ""
