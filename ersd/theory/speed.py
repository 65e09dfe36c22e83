"""Speed-up over decoding without a draft."""

from __future__ import annotations

import math


def speedup(tokens_per_call: float, ratio: float, levels: float, tree: float | None = None) -> float:
    """Speed-up over decoding without a draft: tokens_per_call * c / (C + levels).

    The numerator is the time of a step's tokens without a draft, the denominator that of the step, if a level of the draft takes one draft
    call and everything else costs nothing. C equals c where a target call takes the same time for a tree as for one token, as long as
    memory bandwidth limits it (then this is Leviathan et al., arXiv 2211.17192, theorem 3.8, whose c is 1 / ratio and whose γ is `levels`).

    Args:
        tokens_per_call: tokens that a target call yields, at least 0.
        ratio: c, the cost of a target call on one token in draft levels, above 0.
        levels: draft levels per target call, at least 0; 0 without a draft.
        tree: C, the cost of a target call on a tree in draft levels, if it differs from c.
    """
    tree = ratio if tree is None else tree
    for name, value in (("tokens_per_call", tokens_per_call), ("levels", levels)):
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"{name} must be a number of at least 0, got {value!r}")
    for name, value in (("ratio", ratio), ("tree", tree)):
        if not (math.isfinite(value) and value > 0):
            raise ValueError(f"{name} must be a number above 0, got {value!r}")
    return tokens_per_call * ratio / (tree + levels)
