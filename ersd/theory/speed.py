"""How much sooner a text is there. No torch."""

from __future__ import annotations

import math


def speedup(tokens_per_call: float, ratio: float, levels: float, tree: float | None = None) -> float:
    """Speed-up over one by one: tokens_per_call * c / (C + levels), the time of as many tokens one by one over that of one step.

    It holds where a level of the draft takes one call of it, and where all else costs nothing. C is c where a target call takes the same
    time for a tree as for one token, which is so as long as it waits for the memory (then this is Leviathan et al., arXiv 2211.17192,
    theorem 3.8, whose c is 1 / ratio and whose γ is `levels`).

    Args:
        tokens_per_call: tokens that a target call gives, at least 0.
        ratio: c, what a target call on one token costs in draft levels, above 0.
        levels: draft levels per target call, at least 0; 0 for one by one.
        tree: C, what a target call on a tree costs in draft levels, where that is not the same.
    """
    tree = ratio if tree is None else tree
    for name, value in (("tokens_per_call", tokens_per_call), ("levels", levels)):
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"{name} must be a number of at least 0, got {value!r}")
    for name, value in (("ratio", ratio), ("tree", tree)):
        if not (math.isfinite(value) and value > 0):
            raise ValueError(f"{name} must be a number above 0, got {value!r}")
    return tokens_per_call * ratio / (tree + levels)
