"""Draft topologies: their names, and which rule allows which. Needs no torch."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..rules.registry import TRAITS

Branching = tuple[int, ...]
"""Children of every node, level by level."""


@dataclass(frozen=True)
class Topology:
    """A kind of draft tree."""

    description: str
    branching: Callable[[int, int, Branching], Branching] | None = None
    """from draft_tokens, sequences and branching of the settings to the tree's own; None for shapes that are not regular: `draft_tokens`
    nodes, chosen by their worth"""
    while_drafting: bool = False
    """the shape depends on what was drafted"""
    only_for: str = ""
    """the one rule that it is for; empty: any"""
    in_laps: bool = False
    """the draft's race is run in laps: whoever arrives starts another one"""
    fields: tuple[str, ...] = ("draft_tokens",)
    """of the settings, those that it depends on"""


def _chains(draft_tokens: int, sequences: int, branching: Branching) -> Branching:
    count = min(sequences, draft_tokens)
    return (count, *(1,) * (draft_tokens // count - 1))


TREES: dict[str, Topology] = {
    "sequence": Topology("a chain: every drafted token continues the one before it", lambda draft_tokens, *_: (1,) * draft_tokens),
    "batch": Topology("all drafted tokens compete for the next position", lambda draft_tokens, *_: (draft_tokens,)),
    "multi_sequence": Topology(
        "several chains from the root, draft_tokens / sequences long each", _chains, fields=("draft_tokens", "sequences")
    ),
    "specinfer": Topology(
        "every node at depth d has branching[d] children; the branching says how many tokens are drafted",
        lambda draft_tokens, sequences, branching: branching,
        fields=("branching",),
    ),
    "tau_star": Topology("the tree with the most expected accepted tokens under the measured rank distribution"),
    "dynamic": Topology(
        "best first, shaped while it is drafted by the draft's arrival times", while_drafting=True, fields=("draft_tokens", "price")
    ),
    "poisson": Topology(
        "runners in laps: each level has the first arrivals, and a token goes on with as many places as it arrived",
        while_drafting=True,
        only_for="ersd",
        in_laps=True,
        fields=("draft_tokens", "sequences"),
    ),
}
"""name -> topology"""

TOPOLOGIES: dict[str, str] = {name: topology.description for name, topology in TREES.items()}
"""name -> short description"""


def register(name: str, topology: Topology) -> None:
    """Make a topology known to settings, page and terminal, also one defined outside this package."""
    TREES[name] = topology
    TOPOLOGIES[name] = topology.description


def refusal(algorithm: str, topology: str) -> str | None:
    """Why a rule cannot run on a topology; None where it can."""
    if is_allowed(algorithm, topology):
        return None
    allowed = [name for name in TREES if is_allowed(algorithm, name)]
    only_for = TREES[topology].only_for
    if only_for:
        why = f"its runners share the clocks of {only_for}"
    elif TRAITS[algorithm].most_children == 1:
        why = f"{algorithm} decides about one drafted token per node"
    elif not TRAITS[algorithm].exact_on_any_shape:
        why = f"the shape would depend on the drafted tokens, and then the output of {algorithm} is no longer distributed as the target's"
    else:
        why = f"the draft of {algorithm} has no order of all tokens to grow the tree by"
    named = f"{'one of ' if len(allowed) > 1 else ''}{', '.join(allowed)}"
    return f"topology must be {named} for {algorithm}, got {topology!r}: {why}"


def is_allowed(algorithm: str, topology: str) -> bool:
    """Does the rule make sense, and stay what it claims to be, on this topology?"""
    traits = TRAITS[algorithm]
    if not traits.drafts or topology == "sequence":
        return True
    tree = TREES[topology]
    if tree.only_for:
        return algorithm == tree.only_for
    if traits.most_children == 1:
        return False
    return not tree.while_drafting or (traits.exact_on_any_shape and traits.ordered)


def size_of(branching: Sequence[int]) -> int:
    """The nodes of a regular tree without its root."""
    return sum(math.prod(branching[: level + 1]) for level in range(len(branching)))


def places_and_levels(draft_tokens: int, sequences: int) -> tuple[int, int]:
    """Of `poisson`: B, the arrivals of each level, which is `sequences` or at most `draft_tokens`; and the levels, `draft_tokens` // B."""
    places = min(sequences, draft_tokens)
    return places, draft_tokens // places
