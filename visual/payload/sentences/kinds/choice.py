"""Rules that choose a token first and accept it if it was drafted: shared races, and the likeliest token."""

from __future__ import annotations

import math
from collections.abc import Callable

from ersd.trace.step import Row, Step, Try, Visit

from ..formatting import ordinal, quoted, token_label
from ..nodes import chance, children_of, chosen, chosen_row
from ..numbers import apart, equal, number
from .kind import STORY, Kind
from .neutral import before_leaf, comes_free, tried_in_vain

CHOICE_MARGIN = "how far two of the target’s logits would have to move for another token to win: its lead over the runner-up"
LUCKY = math.log(2)
"""Half of all clocks are smaller."""
LIKELY = 0.3
"""From this probability on a sentence calls a token likely."""


def race_leaf(step: Step, visit: Visit, decided: Callable[[Step, Visit], str] | None = None) -> str:
    """The target's winner where nothing was drafted, and the race before it; `decided`: its sentence, if not that of a shared race."""
    row = chosen_row(visit)
    only = row is not None and row.p == 1
    why = "is the only token possible for the target" if only else "arrives first in the target’s race"
    return f"{chosen(visit)} {why}. {comes_free(step)}{before_leaf(step, visit, 'Race', decided or race_decided)}"


def race_decided(step: Step, visit: Visit) -> str:
    """Why one token wins both races, or which probabilities made the winners differ."""
    token, row, count = chosen(visit), chosen_row(visit), len(children_of(step, visit.vertex))
    first = visit.rows[0]
    if row is None:
        return f"{token} arrives first in the target’s race."
    if row.p == 1:
        return _only_possible(visit, token, row, first)
    if row is first:
        return _first_in_both(token, row)
    leader = quoted(token_label(first.text, first.token))
    turned = f"From draft to target: {leader} {arrow(first)}, {token} {arrow(row)}."
    if row.p < first.p:
        turned += f" {token} is less likely, but has the smaller clock."
    wins = f"{leader} wins the draft’s race, {token} the target’s."
    if visit.accepted:
        return f"{wins} {turned} {token} was {_drafted_as(visit)}, so it is accepted."
    if visit.rank is None:
        return f"{wins} {turned} The draft never reaches {token}, so the target adds it."
    only = f"Only {leader} was drafted" if count == 1 else f"Only the first {count} were drafted"
    return f"{wins} {turned} {only}, so the target adds {token}{_late_in_draft(visit)}."


def _only_possible(visit: Visit, token: str, row: Row, first: Row) -> str:
    """The decision where all probability of the target is on one token, as at temperature 0: the clocks cannot change its winner."""
    only = f"{token} is the only token possible for the target (p = 1)"
    if visit.accepted:
        if row.q == 1:
            return f"{token} is the only token possible for both models (q = p = 1), so the clocks play no part."
        return f"{only}, whatever its clock. It was {_drafted_as(visit)}, so it is accepted."
    leader = quoted(token_label(first.text, first.token))
    drafted = f"{leader} is the only token possible for the draft" if first.q == 1 else f"{leader} wins the draft’s race"
    return f"{drafted}, but {only}, whatever the clocks. So the target adds {token}{_late_in_draft(visit)}."


def _first_in_both(token: str, row: Row) -> str:
    """The mechanism by which the same token wins both races."""
    if row.q == 1:
        return f"{token} is the only token possible for the draft, and arrives first in the target’s race as well ({equal('p', row.p)})."
    clock, q, p = (number(value) for value in (row.clock, row.q, row.p))
    lucky, likely = (row.clock or 0.0) < LUCKY, min(row.q or 0.0, row.p) >= LIKELY
    if lucky and likely:
        return f"{token} has an early clock ({clock}) and is likely for both (draft {q}, target {p}), so it is first in both."
    if lucky:
        return f"{token} has an early clock ({clock}), so probabilities of {q} and {p} are enough to be first in both."
    if likely:
        return f"{token} has no early clock ({clock}), but is so likely for both (draft {q}, target {p}) that it is first in both."
    return f"{token} is first in both: no other token has a clock small enough to beat {clock} with {q} and {p}."


def arrow(row: Row) -> str:
    """A token's probability in the draft and in the target: `0.22 → 0.13`."""
    # two significant digits, as beside the bars: 0.0146 is 0.015 here, not 0.01
    q, p = (number(value, 3 if 0.0095 <= value < 0.0995 else 2) for value in (row.q or 0.0, row.p))
    if q == p:
        q, p = apart(row.q or 0.0, row.p)
    return f"{q} → {p}"


def _drafted_as(visit: Visit) -> str:
    return f"the draft’s {ordinal(visit.rank)} arrival" if visit.rank else "drafted"


def _late_in_draft(visit: Visit) -> str:
    return f", {ordinal(visit.rank)} in the draft’s race" if visit.rank and visit.rank > 2 else ""


def race_rejected(step: Step, visit: Visit) -> dict[int, str]:
    """Why each child except the winner was rejected, by node."""
    return {one.vertex: _late(visit, one) for one in tried_in_vain(visit)}


def _late(visit: Visit, one: Try) -> str:
    if one.target_time is None:
        return "Rejected: it never arrives in the target’s race, where its probability is 0."
    row = chosen_row(visit)
    first, own = apart(row.target_time or 0.0, one.target_time) if row else ("earlier", number(one.target_time))
    return f"Rejected: it arrived at {own} in the target’s race, after the winner {chosen(visit)} ({first})."


def likelihood_decided(step: Step, visit: Visit) -> str:
    """The target's most likely token, and its rank in the draft's order."""
    token = chosen(visit)
    if visit.accepted:
        rank = f", the draft’s {ordinal(visit.rank)} choice," if visit.rank else ""
        return f"Accepted: {token}{rank} is the target’s most likely token{chance(visit)}."
    rank = f" It would have been the draft’s {ordinal(visit.rank)} choice." if visit.rank else ""
    return f"Not drafted: {token} is the target’s most likely token{chance(visit)}.{rank}"


def likelihood_rejected(step: Step, visit: Visit) -> dict[int, str]:
    """Why each child except the likeliest was rejected, by node."""
    row, found = chosen_row(visit), {}
    for one in tried_in_vain(visit):
        likelier, own = apart(row.p if row else 1.0, one.p)
        found[one.vertex] = f"Rejected: the target’s most likely token is {chosen(visit)} (p = {likelier}), not this one (p = {own})."
    return found


def choice_single(step: Step, visit: Visit) -> bool:
    """Whether the first child would be accepted if it were the only one: the choice does not depend on the draft."""
    return step.tokens[visit.tries[0].vertex] == visit.token


def choice_margin(step: Step, visit: Visit) -> float | None:
    """How far two of the target's logits would have to move against each other for another token to win."""
    return visit.margin


RACE = Kind(
    name="Race",
    follow="following the target’s winners",
    exact_because="the target’s own race decides",
    decided=race_decided,
    at_leaf=race_leaf,
    rejected=race_rejected,
    picture="race",
    idea="A small clock is luck. Both races use the same clocks, so a lucky token is early in both; only the probabilities differ.",
    idea_certain="The target has a single possible token here (p = 1), as at temperature 0: it wins whatever the clocks are.",
    idea_at_leaf="A small clock is luck. The draft would use the same clocks; here only the target’s race is run.",
    legend=("◆ draft’s first", "pale: not drafted", "slashes: later than 100", "dial: clock, full = unlucky"),
    legend_at_leaf=("slashes: later than 100", "dial: clock, full = unlucky"),
    has_leader=True,
    has_match=True,
    single=choice_single,
    margin=choice_margin,
    nearness=CHOICE_MARGIN,
    story={
        "guess": "The draft runs its race: the first arrivals become its guesses.",
        "scored": "The target’s probabilities p have arrived. Each clock is now divided a second time, and the target’s race can start.",
        "deciding": "Now the target runs its race: the first arrival is the next token.",
        "at_leaf": "Nothing was drafted here: only the target’s race is run, from the same call.",
    },
)

LIKELIHOOD = Kind(
    follow="following the target’s likeliest tokens",
    exact_because="the target’s likeliest token is always taken",
    decided=likelihood_decided,
    rejected=likelihood_rejected,
    idea="No chance here: the target’s likeliest token is the next one, and a guess is accepted if it is that token.",
    idea_at_leaf="No chance here: the target’s likeliest token is the next one.",
    legend=("◆ draft’s likeliest", "the largest p wins"),
    legend_at_leaf=("the largest p wins",),
    has_leader=True,
    single=choice_single,
    margin=choice_margin,
    nearness=CHOICE_MARGIN,
    story=STORY
    | {
        "guess": "The draft guesses its likeliest tokens.",
        "deciding": "Which token does the target find likeliest: was it drafted?",
    },
)
