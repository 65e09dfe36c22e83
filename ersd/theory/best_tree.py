"""Draft trees under a rank law: what a tree is expected to give, and the best one (arXiv 2504.15475, section 4)."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

from . import checks


def tau_star(rank_probabilities: Sequence[float], k: int, max_depth: int | None = None) -> tuple[list[int], list[int], float]:
    """The tree of k vertices with the most expected accepted tokens, if ranks are independent with this law.

    A vertex is worth the product of the rank probabilities on its path. Taking the best k times, and adding the first child and the next
    sibling of what was taken, costs O(k log k).

    Args:
        rank_probabilities: P(R = 1), P(R = 2), …; falling, sums to 1. What no child can win is its last entry.
        k: number of vertices without the root.
        max_depth: no vertex deeper than this.

    Returns:
        parents (index of the parent, -1 for the root), ranks (from 1) and the expected number of accepted tokens. Parents come before
        their children and siblings in order of rank.
    """
    checks.count(k)
    law = checks.rank_law(rank_probabilities)
    parents: list[int] = []
    ranks: list[int] = []
    depths: list[int] = []
    expected: list[float] = []
    # (minus what it is worth, order of entry, parent, rank, what the parent is worth)
    heap = [(-law[0], 0, -1, 1, 1.0)]
    entered = 1
    while heap and len(parents) < k:
        minus_worth, _, parent, rank, base = heapq.heappop(heap)
        worth = -minus_worth
        vertex, depth = len(parents), (depths[parent] if parent >= 0 else 0) + 1
        parents.append(parent)
        ranks.append(rank)
        depths.append(depth)
        expected.append(worth)
        if rank < len(law):
            heapq.heappush(heap, (-base * law[rank], entered, parent, rank + 1, base))
        if max_depth is None or depth < max_depth:
            heapq.heappush(heap, (-worth * law[0], entered + 1, vertex, 1, worth))
        entered += 2
    return parents, ranks, math.fsum(expected)


def expected_accepted(parents: Sequence[int], ranks: Sequence[int], rank_probabilities: Sequence[float]) -> float:
    """Expected accepted tokens of any tree: the sum over its vertices of the product of the rank probabilities on the path.

    Args:
        parents: index of each vertex's parent, -1 for the root; parents come first.
        ranks: place of each vertex among its siblings, from 1; a rank beyond the law is worth nothing.
        rank_probabilities: as in `tau_star`.
    """
    law = checks.rank_law(rank_probabilities)
    worth: list[float] = []
    for parent, rank in zip(parents, ranks, strict=True):
        worth.append((worth[parent] if parent >= 0 else 1.0) * (law[rank - 1] if rank <= len(law) else 0.0))
    return math.fsum(worth)
