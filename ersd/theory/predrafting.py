"""Drafting while the target verifies, on a device of its own (speculative speculative decoding, arXiv 2603.03251).

A call ends at a node of its tree with a token that was not drafted there: its outcome. While the target verifies, the draft prepares a tree
after each of the likeliest outcomes. If the one that comes is among them, the target need not wait for a draft; else the draft starts anew.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .tau_star import vertex_values


def outcome_values(
    parents: Sequence[int], ranks: Sequence[int], children: Sequence[int], rank_probabilities: Sequence[float], most: int
) -> np.ndarray:
    """Probability of every outcome of a tree, [1 + nodes, most]: row 0 is the root, column j the (j + 1)-th arrival after the children.

    A walk reaches a node with the product of the rank probabilities on its path, and ends there with the rank of the arrival.

    Args:
        parents, ranks: of every node, as in `tau_star`.
        children: how many the root and every node has, [1 + nodes].
        rank_probabilities: as in `tau_star`, at least max(children) + most of them and the rest.
        most: arrivals after the children, at least 1.
    """
    reached = np.array([1.0, *vertex_values(parents, ranks, rank_probabilities)])
    at = np.asarray(children)[:, None] + np.arange(most)
    return np.asarray(reached[:, None] * np.asarray(rank_probabilities)[at])


def place_of(values: np.ndarray, row: int, column: int) -> int:
    """The place of an outcome, from 1, where they are ordered by falling probability; equal ones as they stand."""
    flat, index = values.ravel(), row * values.shape[1] + column
    return 1 + int((flat > flat[index]).sum() + (flat[:index] == flat[index]).sum())


def waits(draft: np.ndarray, busy: np.ndarray, prepared: np.ndarray, is_prepared: np.ndarray) -> np.ndarray:
    """How long the target waits before every call, in the unit of the times.

    Where all calls take 1, the mean is that of the paper: h max(1, T_p) + (1 - h)(1 + T_b) = 1 + mean, for the share h that is prepared.

    Args:
        draft: what drafting for the call takes once its start is known, [calls].
        busy: what the call before it takes until its outcome is known, [calls].
        prepared: what preparing the trees takes that this call may find, begun together with the call before it, [calls].
        is_prepared: whether its own is among them, [calls]; else the draft stops what it does and starts anew.
    """
    return np.where(is_prepared, np.maximum(0.0, prepared - busy), draft)
