"""Races that are not the shared one: half a race, where only the target has clocks, and races in laps."""

from __future__ import annotations

from dataclasses import replace

from ersd.trace.step import Step, Visit

from ..formatting import ordinal, plural, quoted, token_label
from ..nodes import children_of, chosen, chosen_row
from ..numbers import equal, quotient
from .choice import RACE, race_decided, race_leaf


def half_race_decided(step: Step, visit: Visit) -> str:
    """Why a token wins the target's race, and whether it was among the draft's likeliest."""
    token, row, first = chosen(visit), chosen_row(visit), visit.rows[0]
    if row is not None and row.p == 1:
        wins = f"{token} is the only token possible for the target (p = 1), whatever its clock"
    elif row is not None and row.clock and row.p:
        wins = f"{token} arrives first in the target’s race, at clock ÷ p{quotient(row.clock, (row.p,))}"
    else:
        wins = f"{token} arrives first in the target’s race"
    if visit.accepted:
        return f"{wins}. It is {_place(visit.rank)}, so it was guessed and is accepted."
    likeliest = quoted(token_label(first.text, first.token))
    count = len(children_of(step, visit.vertex))
    if count == 1:
        return f"{wins}. Only {likeliest}, the draft’s likeliest ({equal('q', first.q)}), was guessed, so the target adds {token}."
    place = f"{token} is {_place(visit.rank)}" if visit.rank else f"The draft never guesses {token}"
    return f"{wins}. The draft’s {count} likeliest were guessed. {place}, so the target adds it."


def half_race_leaf(step: Step, visit: Visit) -> str:
    """The target's winner where nothing was drafted, and the race before it."""
    return race_leaf(step, visit, half_race_decided)


def laps_decided(step: Step, visit: Visit) -> str:
    """As in any race; of an accepted token also how often it arrived, which is how much was guessed after it."""
    said = race_decided(step, visit)
    accepted = next((one.vertex for one in visit.tries if one.accepted), None)
    if accepted is None:
        return said
    count, places = sum(one.token == visit.token for one in visit.arrivals), len(visit.arrivals)
    often = f"{count} of the {plural(places, 'arrival')}" if places > 1 else "the one arrival"
    follows = f", so {plural(count, 'place')} for what follows it" if children_of(step, accepted) else ""
    return f"{said} It is {often}{follows}."


def _place(rank: int | None) -> str:
    return "the draft’s likeliest" if rank == 1 else f"{ordinal(rank or 0)} in the draft’s order"


HALF_RACE = replace(
    RACE,
    decided=half_race_decided,
    at_leaf=half_race_leaf,
    picture="half_race",
    idea="Only the target has clocks: its first arrival is the next token. The draft always guesses its likeliest tokens, so one "
    "that is merely lucky in the target’s race was not guessed. Use it where the draft knows no clocks, as in many engines. The cost: "
    "fewer right guesses.",
    idea_at_leaf="Only the target has clocks: its first arrival is the next token.",
    legend=("◆ draft’s likeliest", "pale: not drafted", "slashes: later than 100", "dial: clock, full = unlucky"),
    has_match=False,
    opens_with=1,
    story=RACE.story
    | {
        "guess": "The draft guesses its likeliest tokens. It has no clocks.",
        "scored": "The target’s probabilities p have arrived. Each clock is divided by them, and the target’s race can start.",
    },
)

LAPS = replace(
    RACE,
    decided=laps_decided,
    picture="laps",
    opens_with=2,
    twice="×n: arrived n times, so n places for what follows it",
    idea="A token that arrives in the draft’s race starts another lap, with a new clock. Equal arrivals are one guess: what arrives n "
    "times has n places on the next level. The target’s race has one lap, with the clocks of lap 1, as without a draft. Use it where "
    "nothing was measured beforehand: the tree is wide where the draft is unsure. The cost: the number of guesses varies.",
    legend=("◆ draft’s first", "pole: an arrival", "×n: n arrivals, n places", "line: the last that counts", "slashes: beyond the axis"),
    story=RACE.story
    | {
        "guess": "The draft runs its race in laps: its first arrivals become guesses, equal ones a single guess.",
    },
)
