"""Which theoretical bounds apply to a run. One that does not hold by construction is neither recorded nor shown. Needs no torch."""

from __future__ import annotations

from ..drafts.topologies import TREES
from ..rules.registry import TRAITS
from ..settings import Settings

BY_RANKS = "by H[R]"
"""Name of the bound by the measured rank entropy."""


def has_optimum(settings: Settings) -> bool:
    """Does the optimum bound the predicted acceptance at every node?

    It does for lossless rules that decide node by node, with children drawn at random and their number fixed beforehand. Not for block
    verification and traversal (a token may be kept for what follows it), lossy rules, greedy children, or dynamic trees, which look at the
    clocks.
    """
    traits = TRAITS[settings.algorithm]
    return traits.lossless and traits.with_replacement is not None and _is_node_by_node(settings)


def has_length_bound(settings: Settings) -> bool:
    """Does (log |Ω| + log(k + 1)) / H[R] bound the expected tokens per call, if ranks are independent with the measured distribution?

    Not where a decision depends on what follows (block, traversal), nor for dynamic trees, which know more about the ranks than their
    distribution.
    """
    return _is_node_by_node(settings)


def most_per_call(levels: int, bound: float | None, expected: float) -> tuple[float | None, str]:
    """The smaller of two upper bounds on tokens per call, and its name; None if nothing is drafted.

    A call yields at most depth + 1 tokens. And no more is to be expected than the bound by the measured ranks, if it applies
    (`has_length_bound`); it is ignored while so few ranks are known that even the expected yield exceeds it.

    Args:
        levels: depth of the deepest tree.
        bound: (log |Ω| + log(k + 1)) / H[R].
        expected: expected tokens per call, by the rank distribution.
    """
    if not levels:
        return None, ""
    by_levels = levels + 1
    if bound and expected <= bound < by_levels:
        return bound, BY_RANKS
    return by_levels, f"{levels} level{'s' * (levels != 1)} + 1"


def limit_words(limit: float | None, name: str) -> str:
    """`7 (6 levels + 1)`, `6.1 (by H[R])`, or – if there is none."""
    if limit is None:
        return "–"
    return f"{limit:.{1 if name == BY_RANKS else 0}f} ({name})"


def _is_node_by_node(settings: Settings) -> bool:
    """Is something drafted, into a tree of a shape fixed beforehand, and every node decided by itself?"""
    traits = TRAITS[settings.algorithm]
    return traits.drafts and not (traits.joint or traits.from_leaves or TREES[settings.topology].while_drafting)
