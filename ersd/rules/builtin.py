"""The built-in rules by name. A new rule is a file here with a subclass of `Rule`, its `Traits` in `registry`, and an entry below.

If it decides in a way of its own, the page wants sentences for it (`visual/payload/sentences/kinds`); without them the page says only what
is true of every rule.
"""

from __future__ import annotations

from .autoregressive import Autoregressive
from .base import Rule
from .block import BlockVerification
from .ersd import ExponentialRace
from .greedy import Greedy
from .gsd import RecursiveRejection
from .gsd_wor import WithoutReplacement
from .half_race import HalfRace
from .joint import JointRule
from .kseq import KSequential
from .lossy import Lenient
from .registry import ALGORITHMS, TRAITS
from .spechub import SpecHub
from .traversal import Traversal, TraversalWithoutReplacement

RULES: dict[str, Rule] = {}
"""name -> rule, in the order of `TRAITS`"""


def register(rule: Rule) -> None:
    """Make a rule known to the engine, the lab, the page and the terminal, also one defined outside this package."""
    if rule.traits.joint != isinstance(rule, JointRule):
        raise TypeError(f"{rule.name}: a rule must be a JointRule if its traits say joint, and only then")
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
    SpecHub(),
    HalfRace(),
    Traversal(),
    TraversalWithoutReplacement(),
):
    register(_rule)
