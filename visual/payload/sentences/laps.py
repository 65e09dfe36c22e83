"""Sentences about races in laps: the race, and how many places its winner has."""

from __future__ import annotations

from ersd.trace.step import Step, Visit

from .choice import race_decided
from .formatting import plural
from .nodes import children_of


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
