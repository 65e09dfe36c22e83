"""The verification rules: how each decides, one file each. What each is, without torch, stands in `ersd/algorithms.py`.

A new rule is three things: a file here with a subclass of `Rule`, its `Traits` in `ersd/algorithms.py`, its name in the list below. If it
decides in a way of its own, `visual/kinds.py` wants words for it; without them the page says only what is true of every rule.
"""

from __future__ import annotations

from .autoregressive import Autoregressive
from .base import Decision, Rule, Verdict
from .block import BlockVerification
from .ersd import ExponentialRace
from .greedy import Greedy
from .gsd import RecursiveRejection
from .gsd_wor import WithoutReplacement
from .kseq import KSequential
from .law import Law
from .lossy import Lenient
from .registry import ALGORITHMS, TRAITS

RULES: dict[str, Rule] = {}
"""name -> rule, in the order of `TRAITS`"""


def register(rule: Rule) -> None:
    """Makes a rule known to the engine, the lab, the page and the terminal; for one from outside this package too, say of a notebook."""
    RULES[rule.name] = rule
    TRAITS[rule.name] = rule.traits
    ALGORITHMS[rule.name] = rule.traits.description


for _rule in (
    ExponentialRace(),
    RecursiveRejection(),
    WithoutReplacement(),
    KSequential(),
    BlockVerification(),
    Greedy(),
    Lenient(),
    Autoregressive(),
):
    register(_rule)

__all__ = ["ALGORITHMS", "RULES", "Decision", "Law", "Rule", "Verdict", "register"]
