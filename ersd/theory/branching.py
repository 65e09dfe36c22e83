"""The best SpecInfer tree of a size: the branching with the most expected accepted tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from . import checks


class BestBranching(NamedTuple):
    """A regular tree and what it is expected to yield."""

    branching: tuple[int, ...]
    """children of every node, level by level; empty where nothing is drafted"""
    accepted: float
    """expected accepted tokens"""


def best_branchings(acceptances: Sequence[float], k: int, levels: int) -> list[list[BestBranching]]:
    """The best branchings with up to k drafted tokens, for every size and depth, if decisions are independent.

    A tree whose root has b children, each with the same tree of m tokens below it, has b (1 + m) tokens, and is expected to accept
    A(b) (1 + what the tree below accepts). So the best tree of a size follows from the best ones of smaller sizes.

    Args:
        acceptances: A(1), A(2), …: A(b) is the probability that one of b children is accepted.
        k: most tokens of a tree, at least 1.
        levels: most levels of a tree, at least 1.

    Returns:
        `[levels][tokens]`, both from 0: the best tree of at most this many levels and tokens.
    """
    checks.count(k)
    checks.count(levels, "levels")
    nothing = BestBranching((), 0.0)
    table = [[nothing] * (k + 1)]
    for _ in range(levels):
        below, row = table[-1], [nothing]
        for tokens in range(1, k + 1):
            trees = (
                BestBranching((children, *rest.branching), acceptance * (1 + rest.accepted))
                for children, acceptance in enumerate(acceptances[:tokens], 1)
                for rest in [below[tokens // children - 1]]
            )
            row.append(max(trees, key=lambda tree: tree.accepted))
        table.append(row)
    return table
