"""One plain sentence per decision, with its numbers. Coins have their words in `coins`, the rest is here.

What kind of rule decided is read from the data: a clock means a race, a ratio and a coin mean rejection, neither means that
the target's most likely token was asked for.
"""

from __future__ import annotations

from ersd.trace import Row, Step, Try, Visit

from .coins import by_block, by_coins, joint
from .words import apart, number, ordinal, plural, visible

ROOT = -1


def is_race(visit: Visit) -> bool:
    """Did exponential clocks decide here?"""
    return any(row.clock is not None for row in visit.rows)


def is_rejection(visit: Visit) -> bool:
    """Did coins decide here?"""
    return any(one.ratio is not None for one in visit.tries)


def was_drafted(visit: Visit) -> bool:
    """Was the draft model run here? False at a leaf of the tree and without a draft."""
    return any(row.q is not None for row in visit.rows)


def row_of(visit: Visit, token: int) -> Row | None:
    """The table's row of a token, if it is listed."""
    return next((row for row in visit.rows if row.token == token), None)


def decision(step: Step, visit: Visit) -> str:
    """What was decided at a visited vertex, and why."""
    if not visit.tries:
        return _without_children(step, visit)
    if step.block:
        return by_block(step, visit)
    if is_rejection(visit):
        return by_coins(step, visit)
    return _by_race(visit) if is_race(visit) else _by_likelihood(visit)


def _without_children(step: Step, visit: Visit) -> str:
    token, row = visible(visit.text, visit.token), row_of(visit, visit.token)
    if is_race(visit):
        time = f" ({number(row.target_time)})" if row else ""
        found = f"{token} arrived first in the target's race{time}."
    else:
        chance = f" (p = {number(row.p)})" if row else ""
        found = f"The next token {token}{chance} is the target's own."
    if not step.tokens:
        return f"{found} Nothing was drafted: one target call gives one token."
    return f"{found} The tree ended here, so it comes free with the same target call."


def _by_race(visit: Visit) -> str:
    token, row = visible(visit.text, visit.token), row_of(visit, visit.token)
    target, draft = (number(row.target_time), number(row.draft_time)) if row else ("?", "?")
    if visit.accepted:
        place = f"the draft's {ordinal(visit.rank)} arrival ({draft})" if visit.rank else "drafted"
        return f"Accepted: {token} arrived first in the target's race ({target}) and was {place}, so it was in the tree."
    if visit.rank is None:
        return f"Not drafted: the target's winner {token} ({target}) never arrives in the draft's race, where its probability is 0."
    place = f"would have been the draft's {ordinal(visit.rank)} arrival ({draft})"
    return f"Not drafted: the target's winner {token} ({target}) {place}, beyond the {_children(visit)} drafted here."


def _children(visit: Visit) -> str:
    return "one child" if len(visit.tries) == 1 else f"{len(visit.tries)} children"


def _by_likelihood(visit: Visit) -> str:
    token, row = visible(visit.text, visit.token), row_of(visit, visit.token)
    chance = f" (p = {number(row.p)})" if row else ""
    if visit.accepted:
        place = f", the draft's {ordinal(visit.rank)} choice," if visit.rank else ""
        return f"Accepted: {token}{place} is the target's most likely token{chance}."
    place = f" It would have been the draft's {ordinal(visit.rank)} choice." if visit.rank else ""
    return f"Not drafted: {token} is the target's most likely token{chance}.{place}"


def reasons(step: Step) -> dict[int, str]:
    """Why each vertex that was decided about without a coin of its own was rejected or cut, in one sentence.

    For the others the browser has the words: of an accepted vertex the decision's, of a tried one its coin's, of the rest WORDS.
    """
    if step.block:
        return {one.vertex: joint(step, one.vertex) for one in step.block}
    return {one.vertex: _lost(visit, one) for visit in step.walk for one in visit.tries if one.ratio is None and not one.accepted}


def _lost(visit: Visit, one: Try) -> str:
    winner, row = visible(visit.text, visit.token), row_of(visit, visit.token)
    if not is_race(visit):
        likelier, own = apart(row.p if row else 1.0, one.p)
        return f"Rejected: the target's most likely token is {winner} (p = {likelier}), not this one (p = {own})."
    if one.target_time is None:
        return "Rejected: it never arrives in the target's race, where its probability is 0."
    first, own = apart(row.target_time or 0.0, one.target_time) if row else ("earlier", number(one.target_time))
    return f"Rejected: it arrived at {own} in the target's race, after the winner {winner} ({first})."


WORDS: dict[str, str] = {
    "leaf": "The draft was not run here, a leaf of the tree: only the target's side is known.",
    "no-draft": "There is no draft: only the target's side is run.",
    "unvisited": "Not visited: {name} above it was not accepted.",
    "untried": "Not tried: {name} was accepted before it.",
    "beyond": "Not reached: the text ended before it.",
    "absent": "The walk did not go on from {name}, so nothing was decided after it.",
    "about": "Shown is the decision about it.",
    "nothing": "There is nothing to show.",
}
"""Sentences the browser fills in, by what they are for."""


def finished(stopped: str, steps: int, tokens: int) -> str:
    """The status line at the end of a run."""
    why = {
        "end of text": "the text ended",
        "max_new_tokens": "the length asked for is reached",
        "end of context": "the context is full",
    }.get(stopped, stopped)
    return f"Done: {plural(tokens, 'token')} in {plural(steps, 'target call')}; {why}."
