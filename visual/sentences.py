"""One plain sentence per decision, with its numbers. All wording about decisions is here.

What kind of rule decided is read from the data: a clock means a race, a ratio and a coin mean rejection, neither means that
the target's most likely token was asked for.
"""

from __future__ import annotations

from ersd.trace import Row, Step, Try, Visit

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
    if is_rejection(visit):
        return _by_coins(step, visit)
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


def _by_coins(step: Step, visit: Visit) -> str:
    token = visible(visit.text, visit.token)
    if visit.accepted:
        accepted = next(one for one in visit.tries if one.accepted)
        before = len(visit.tries) - 1
        after = f" {plural(before, 'try', 'tries')} before it failed." if before else ""
        return f"{token}: {coin(accepted)}{after}"
    if len(visit.tries) == 1:
        one = visit.tries[0]
        dropped = visible(step.texts[one.vertex], step.tokens[one.vertex])
        return f"{coin(one)} So {dropped} is dropped and {token} is drawn from what is left of P."
    return f"All {len(visit.tries)} tries rejected: the next token {token} is drawn from what is left of P."


def coin(one: Try) -> str:
    """A try of a rejection rule: `Rejected: coin 0.83 against p/q = 0.41 / 0.66 = 0.62.`"""
    if one.ratio is None or one.coin is None:
        return "Accepted." if one.accepted else "Rejected."
    thrown, against = apart(one.coin, one.ratio)
    verdict = "Accepted" if one.accepted else "Rejected"
    p, q = number(one.p), number(one.q)
    if one.q and abs(one.p / one.q - one.ratio) <= 1e-6 * max(1.0, one.ratio):
        return f"{verdict}: coin {thrown} against p/q = {p} / {q} = {against}."
    return f"{verdict}: coin {thrown} against {against}, what earlier tries left of p = {p}, over q = {q}."


def vertex_sentences(step: Step) -> list[str]:
    """Why each drafted vertex was accepted, rejected or not visited, in one sentence."""
    visits = {visit.vertex: visit for visit in step.walk}
    return [_vertex(step, visits, vertex) for vertex in range(len(step.tokens))]


def _vertex(step: Step, visits: dict[int, Visit], vertex: int) -> str:
    parent = step.parents[vertex]
    if parent not in visits:
        return f"Not visited: {_first_lost(step, visits, vertex)} above it was not accepted."
    visit = visits[parent]
    tries = [one for one in visit.tries if one.vertex == vertex]
    if not tries:
        return f"Not tried: {visible(visit.text, visit.token)} was accepted before it."
    one = next((each for each in tries if each.accepted), tries[-1])
    if one.ratio is not None:
        return coin(one)
    if one.accepted:
        return decision(step, visit)
    return _lost(visit, one)


def _lost(visit: Visit, one: Try) -> str:
    winner, row = visible(visit.text, visit.token), row_of(visit, visit.token)
    if not is_race(visit):
        likelier, own = apart(row.p if row else 1.0, one.p)
        return f"Rejected: the target's most likely token is {winner} (p = {likelier}), not this one (p = {own})."
    if one.target_time is None:
        return "Rejected: it never arrives in the target's race, where its probability is 0."
    first, own = apart(row.target_time or 0.0, one.target_time) if row else ("earlier", number(one.target_time))
    return f"Rejected: it arrived at {own} in the target's race, after the winner {winner} ({first})."


def _first_lost(step: Step, visits: dict[int, Visit], vertex: int) -> str:
    """The token of the highest vertex above `vertex` that the walk did not visit."""
    while step.parents[vertex] not in visits:
        vertex = step.parents[vertex]
    return visible(step.texts[vertex], step.tokens[vertex])


def own_token(step: Step) -> str:
    """Why the walk ended with the target's own token."""
    return decision(step, step.walk[-1])


def not_visited(step: Step, vertex: int) -> str:
    """What to say when the race at a vertex that the walk never visited is asked for."""
    name = visible(step.texts[vertex], step.tokens[vertex])
    parent_visited = step.parents[vertex] in {visit.vertex for visit in step.walk}
    shown = "Shown is the decision about it." if parent_visited else "There is nothing to show."
    return f"The walk did not go on from {name}, so nothing was decided after it. {shown}"


NO_DRAFT = "The draft was not run here, a leaf of the tree: only the target's side is known."
NO_DRAFT_AT_ALL = "There is no draft: only the target's side is run."


def missing_side(step: Step, visit: Visit) -> str:
    """Why the draft's half of the picture is empty; an empty string where it is not."""
    if was_drafted(visit):
        return ""
    return NO_DRAFT if step.tokens else NO_DRAFT_AT_ALL


def finished(stopped: str, steps: int, tokens: int) -> str:
    """The status line at the end of a run."""
    why = {
        "end of text": "the text ended",
        "max_new_tokens": "the length asked for is reached",
        "end of context": "the context is full",
    }.get(stopped, stopped)
    return f"Done: {plural(tokens, 'token')} in {plural(steps, 'target call')}; {why}."
