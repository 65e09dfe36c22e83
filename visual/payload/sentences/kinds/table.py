"""The table of kinds of decisions. No script knows a kind by name.

A rule names its kind (`ersd.rules.registry.Traits.kind`) and every visit carries it; where a race ran in laps, the visit's kind is `laps`.
A kind that is not listed here gets `NEUTRAL`, whose texts are true of any rule that chooses a token and accepts it if it was drafted. A new
kind is one more entry of `KINDS`, with its sentences in a file beside this one.
"""

from __future__ import annotations

from ersd.drafts.topologies import TREES
from ersd.rules.registry import TRAITS
from ersd.settings import Settings
from ersd.trace.step import Visit

from .block import BLOCK
from .choice import LIKELIHOOD, RACE
from .coins import COINS
from .favourites import FAVOURITES
from .kind import Kind
from .leaves import LEAVES
from .other_races import HALF_RACE, LAPS

NEUTRAL = "neutral"
"""Key of the kind for rules that have no kind of their own."""
KINDS: dict[str, Kind] = {
    NEUTRAL: Kind(),
    "race": RACE,
    "coins": COINS,
    "block": BLOCK,
    "leaves": LEAVES,
    "likelihood": LIKELIHOOD,
    "favourites": FAVOURITES,
    "half_race": HALF_RACE,
    "laps": LAPS,
}
"""name -> kind"""


def run_kind(settings: Settings) -> str:
    """The kind of a run's decisions where something was drafted."""
    traits = TRAITS[settings.algorithm]
    return "laps" if traits.drafts and TREES[settings.topology].in_laps else traits.kind


def key_of(kind: str) -> str:
    """The key of KINDS for the kind a rule names."""
    return kind if kind in KINDS else NEUTRAL


def kind_of(visit: Visit) -> Kind:
    """How the decision at a visited node was made."""
    return KINDS[key_of(visit.kind)]
