"""Closed forms: what each rule is expected to accept, and what no rule can exceed. float64."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

import torch
from torch import Tensor


def race_match(p: Tensor, q: Tensor) -> float:
    """Probability that the draft and the target have the same first arrival under shared clocks.

    sum_i 1 / sum_j max(p_j / p_i, q_j / q_i) (arXiv 2504.15475, section 3), in O(n log n): the maximum is p_j / p_i exactly for the
    tokens j whose ratio p/q is at least token i's.

    Args:
        p, q: distributions [vocab].
    """
    # tokens that neither or only one can reach end as 0 / 0 or x / 0 below, and count nothing
    order = (p / q).nan_to_num(nan=0.0, posinf=torch.inf).argsort(descending=True)
    p, q = p[order], q[order]
    above = p.cumsum(0)
    below = (q.sum() - q.cumsum(0)).clamp_min(0)
    return (above / p + below / q).reciprocal().nan_to_num(nan=0.0).sum().item()


def gsd_acceptance(p: Tensor, q: Tensor, k: int) -> float:
    """Acceptance probability of recursive rejection with k children drawn i.i.d. from Q (algorithms of arXiv 2305.09781).

    A try is accepted with probability sum min(p_i, q) whatever the tries before it, so the rejections multiply.

    Args:
        p, q: distributions [vocab].
        k: number of children, at least 1.
    """
    if k < 1:
        raise ValueError(f"k must be a whole number from 1, got {k!r}")
    rejected = 1.0
    for _ in range(k):
        rejected *= max(0.0, 1 - torch.minimum(p, q).sum().item())
        left = (p - q).clamp_min(0)
        total = left.sum()
        if total <= 0:
            return 1.0
        p = left / total
    return 1 - rejected


def optimal_acceptance(p: Tensor, q: Tensor, k: int) -> float:
    """The highest acceptance any rule can reach with k children drawn i.i.d. from Q: 1 - max_H [Q(H)^k - P(H)].

    H runs over the prefixes of the tokens sorted by p/q ascending (optimal transport with membership cost, arXiv 2310.15141; computed
    as in arXiv 2502.18779).

    Args:
        p, q: distributions [vocab].
        k: number of children, at least 1.
    """
    if k < 1:
        raise ValueError(f"k must be a whole number from 1, got {k!r}")
    ratio = torch.where(q > 0, p / q.where(q > 0, 1.0), torch.inf)
    order = ratio.argsort()
    excess = q[order].cumsum(0).clamp_max(1).pow(k) - p[order].cumsum(0)
    return 1 - max(0.0, excess.max().item())


def tau_star(rank_probabilities: Sequence[float], k: int, max_depth: int | None = None) -> tuple[list[int], list[int], float]:
    """The tree of k vertices with the most expected accepted tokens, if ranks are independent with this law (arXiv 2504.15475, section 4).

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
    if k < 1:
        raise ValueError(f"k must be a whole number from 1, got {k!r}")
    law = [float(r) for r in rank_probabilities]
    if not law or any(not r >= 0 for r in law) or abs(math.fsum(law) - 1) > 1e-6:
        raise ValueError(f"rank_probabilities must be non-negative and sum to 1, got {law}")
    parents: list[int] = []
    ranks: list[int] = []
    depths: list[int] = []
    expected: list[float] = []
    # (minus value, order of entry, parent, rank, value of the parent's path)
    heap = [(-law[0], 0, -1, 1, 1.0)]
    entered = 1
    while heap and len(parents) < k:
        worth, _, parent, rank, base = heapq.heappop(heap)
        vertex, depth = len(parents), (depths[parent] if parent >= 0 else 0) + 1
        parents.append(parent)
        ranks.append(rank)
        depths.append(depth)
        expected.append(-worth)
        if rank < len(law):
            heapq.heappush(heap, (-base * law[rank], entered, parent, rank + 1, base))
        if max_depth is None or depth < max_depth:
            heapq.heappush(heap, (worth * law[0], entered + 1, vertex, 1, -worth))
        entered += 2
    return parents, ranks, math.fsum(expected)


def length_bound(vocab_size: int, k: int, rank_entropy: float) -> float:
    """Upper bound on the expected tokens per target call of a τ* tree, (log |Ω| + log(k + 1)) / H[R] (arXiv 2504.15475).

    Args:
        vocab_size: |Ω|.
        k: drafted tokens.
        rank_entropy: H[R] in nats; 0 gives inf.
    """
    if rank_entropy <= 0:
        return math.inf
    return (math.log(vocab_size) + math.log(k + 1)) / rank_entropy
