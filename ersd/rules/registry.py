"""Names and traits of the verification rules, as plain data for settings, page and terminal. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Traits:
    """What is known of a rule before anything runs."""

    description: str
    kind: str
    """how it decides, for the pictures: `race`, `coins`, `block`, `likelihood`, or a name of the rule's own
    (`visual/payload/sentences/kinds` has the sentences for each; a kind that is not listed there gets neutral ones)"""
    lossless: bool = True
    """the output is distributed as the target's"""
    most_children: int | None = None
    """per node: None for any number, 1 for chains only, 0 if nothing is drafted"""
    with_replacement: bool | None = True
    """children of a node are drawn i.i.d. (True) or each without the earlier ones (False); None: not all are drawn
    at random"""
    joint: bool = False
    """a drafted sequence is decided as a whole; False: node by node"""
    from_leaves: bool = False
    """a tree is decided from its leaves: whether a token is kept depends on what was drafted below it"""
    ordered: bool = False
    """the draft orders all tokens (by arrival or probability), so every token has a rank"""
    exact_on_any_shape: bool = False
    """the output stays what it is even if the tree's shape depends on the drafted tokens"""
    uses_sampling: bool = True
    """False: temperature, top-k and top-p have no effect"""

    clocks: Literal["none", "target", "shared"] = "none"
    """who races with the clocks of the seed: nobody, the target alone, or draft and target with the same"""
    counts_siblings: bool = False
    """whether a child is accepted depends on how many children its node has"""

    @property
    def has_clocks(self) -> bool:
        """Does the target race with the clocks of the seed?"""
        return self.clocks != "none"

    @property
    def shares_clocks(self) -> bool:
        """Is something drafted, by a race with the target's clocks?"""
        return self.clocks == "shared" and self.drafts

    @property
    def drafts(self) -> bool:
        """Is anything drafted at all?"""
        return self.most_children != 0


TRAITS: dict[str, Traits] = {
    "ersd": Traits(
        "exponential races: draft and target share their clocks, the target's own winner decides",
        kind="race",
        with_replacement=False,
        ordered=True,
        exact_on_any_shape=True,
        clocks="shared",
    ),
    "gsd": Traits("recursive rejection: i.i.d. children, each tried against what is left of the target", kind="coins"),
    "gsd_wor": Traits("recursive rejection without replacement: the children of a node all differ", kind="coins", with_replacement=False),
    "kseq": Traits("SpecTr's K-SEQ: i.i.d. children, each tried against the target over ρ*", kind="coins", counts_siblings=True),
    "block": Traits(
        "block verification: a drafted sequence is kept or cut as a whole, never worse than standard",
        kind="block",
        most_children=1,
        joint=True,
    ),
    "greedy": Traits(
        "temperature 0: the target's most likely token is accepted if it was drafted",
        kind="likelihood",
        with_replacement=None,
        ordered=True,
        exact_on_any_shape=True,
        uses_sampling=False,
    ),
    "lossy": Traits(
        "biased on purpose: accepts more than is exact, and pays for it in TV (leniency 0 is exact)",
        kind="coins",
        lossless=False,
        most_children=1,
    ),
    "autoregressive": Traits(
        "no draft: one token per target call, the same clocks as ERSD",
        kind="race",
        most_children=0,
        with_replacement=None,
        ordered=True,
        clocks="shared",
    ),
    "spechub": Traits(
        "SpecHub: the draft's likeliest tokens are certain guesses, and one is drawn from the rest",
        kind="favourites",
        with_replacement=None,
        counts_siblings=True,
    ),
    "half_race": Traits(
        "half a race: the draft guesses its likeliest tokens, only the target has clocks",
        kind="half_race",
        with_replacement=None,
        ordered=True,
        exact_on_any_shape=True,
        clocks="target",
    ),
    "traversal": Traits(
        "traversal verification: i.i.d. children, the leaves are asked first and pass on what they leave", kind="leaves", from_leaves=True
    ),
    "traversal_wor": Traits(
        "traversal verification without replacement: the children of a node all differ",
        kind="leaves",
        with_replacement=False,
        from_leaves=True,
    ),
}
"""name -> traits, the best known first; `ersd.rules.register` adds one"""

ALGORITHMS: dict[str, str] = {name: traits.description for name, traits in TRAITS.items()}
"""name -> short description"""
