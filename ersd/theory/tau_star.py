"""The best static draft tree for a rank distribution, and what any tree is expected to yield (arXiv 2504.15475, section 4)."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

from . import checks


def tau_star(rank_probabilities: Sequence[float], k: int, max_depth: int | None = None) -> tuple[list[int], list[int], float]:
    """The tree of k nodes with the most expected accepted tokens, if ranks are independent with this distribution.

    The value of a node is the product of the rank probabilities on its path. Taking the best k times, and adding the first child and the
    next sibling of what was taken, costs O(k log k).

    Args:
        rank_probabilities: P(R = 1), P(R = 2), …; falling, sums to 1. The last entry is the probability that no child wins.
        k: number of nodes without the root.
        max_depth: depth of the deepest node allowed.

    Returns:
        parents (index of the parent, -1 for the root), ranks (from 1) and the expected number of accepted tokens. Parents come before
        their children and siblings in order of rank.
    """
    checks.count(k)
    probabilities = checks.rank_distribution(rank_probabilities)
    parents: list[int] = []
    ranks: list[int] = []
    depths: list[int] = []
    values: list[float] = []
    # (minus its value, order of entry, parent, rank, the parent's value)
    heap = [(-probabilities[0], 0, -1, 1, 1.0)]
    entered = 1
    while heap and len(parents) < k:
        minus_value, _, parent, rank, base = heapq.heappop(heap)
        value = -minus_value
        node, depth = len(parents), (depths[parent] if parent >= 0 else 0) + 1
        parents.append(parent)
        ranks.append(rank)
        depths.append(depth)
        values.append(value)
        if rank < len(probabilities):
            heapq.heappush(heap, (-base * probabilities[rank], entered, parent, rank + 1, base))
        if max_depth is None or depth < max_depth:
            heapq.heappush(heap, (-value * probabilities[0], entered + 1, node, 1, value))
        entered += 2
    return parents, ranks, math.fsum(values)


def expected_accepted(parents: Sequence[int], ranks: Sequence[int], rank_probabilities: Sequence[float]) -> float:
    """Expected accepted tokens of any tree: the sum of `vertex_values`."""
    return math.fsum(vertex_values(parents, ranks, rank_probabilities))


def vertex_values(parents: Sequence[int], ranks: Sequence[int], rank_probabilities: Sequence[float]) -> list[float]:
    """The probability of every node that its token is accepted: the product of the rank probabilities on its path.

    Args:
        parents: index of each node's parent, -1 for the root; parents come first.
        ranks: number of each node among its siblings, from 1; a rank beyond the distribution has probability 0.
        rank_probabilities: as in `tau_star`.
    """
    probabilities = checks.rank_distribution(rank_probabilities)
    values: list[float] = []
    for parent, rank in zip(parents, ranks, strict=True):
        base = values[parent] if parent >= 0 else 1.0
        values.append(base * (probabilities[rank - 1] if rank <= len(probabilities) else 0.0))
    return values
