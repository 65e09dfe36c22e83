"""Speed-up over decoding without a draft."""

from __future__ import annotations

import math


def speedup(tokens_per_call: float, ratio: float, levels: float, tree: float | None = None, choice: float = 0.0) -> float:
    """Speed-up over decoding without a draft: tokens_per_call * (c + a) / (levels + C + tokens_per_call * a).

    The numerator is the time of a step's tokens without a draft, the denominator that of the step. All costs have one unit: the time of a
    draft level, or milliseconds. C equals c where a target call takes the same time for a tree as for one token, as long as memory
    bandwidth limits it; if nothing but calls takes time, this is Leviathan et al., arXiv 2211.17192, theorem 3.8, whose c is 1 / ratio and
    whose γ is `levels`.

    Args:
        tokens_per_call: tokens that a target call yields, at least 0.
        ratio: c, the cost of a target call on one token, above 0.
        levels: the cost of all draft levels of a target call, at least 0; 0 without a draft.
        tree: C, the cost of a target call on a tree, if it differs from c.
        choice: a, the cost of choosing one token, at least 0.
    """
    tree = ratio if tree is None else tree
    for name, value in (("tokens_per_call", tokens_per_call), ("levels", levels), ("choice", choice)):
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"{name} must be a number of at least 0, got {value!r}")
    for name, value in (("ratio", ratio), ("tree", tree)):
        if not (math.isfinite(value) and value > 0):
            raise ValueError(f"{name} must be a number above 0, got {value!r}")
    return tokens_per_call * (ratio + choice) / (tree + levels + tokens_per_call * choice)
