"""Which limits limit anything for a run. A line that is passed by construction is none, and is neither written down nor shown.

Knows no torch; the formulas are `theory.optimal_acceptance` and `theory.length_bound`.
"""

from __future__ import annotations

from ..drafts.topologies import TREES
from ..rules.registry import TRAITS
from ..settings import Settings

BY_RANKS = "by H[R]"
"""Name of the limit that the ranks measured give."""


def has_optimum(settings: Settings) -> bool:
    """Does the optimum bound the predicted acceptance at every vertex?

    It does for lossless rules that decide vertex by vertex, with children drawn by chance and a number of them fixed beforehand. Not for
    block verification (a token may be kept for what follows it), lossy rules, greedy children, or dynamic trees, which look at the clocks.
    """
    traits = TRAITS[settings.algorithm]
    return traits.drafts and traits.lossless and not traits.joint and traits.with_replacement is not None and _fixed_beforehand(settings)


def has_length_bound(settings: Settings) -> bool:
    """Does (log |Ω| + log(k + 1)) / H[R] bound the tokens per call to be expected, were the ranks independent with the law measured?

    Not where one decision hangs on what follows (block), nor for dynamic trees, which know more of the ranks than their law.
    """
    traits = TRAITS[settings.algorithm]
    return traits.drafts and not traits.joint and _fixed_beforehand(settings)


def most_per_call(levels: int, bound: float | None, expected: float) -> tuple[float | None, str]:
    """The smaller of two limits of the tokens per call, and its name; None where nothing is drafted.

    No call gives more than a token for every level of the deepest tree, and one. And no more is to be expected than the bound by the ranks
    measured so far, where there is one (`has_length_bound`). That one counts nothing while they are so few that what is expected by the law
    known before is beyond it.

    Args:
        levels: of the deepest tree.
        bound: (log |Ω| + log(k + 1)) / H[R].
        expected: tokens per call, by the rank law.
    """
    if not levels:
        return None, ""
    by_levels = levels + 1
    if bound and expected <= bound < by_levels:
        return bound, BY_RANKS
    return by_levels, f"{levels} level{'s' * (levels != 1)} + 1"


def limit_words(limit: float | None, name: str) -> str:
    """`7 (6 levels + 1)`, `6.1 (by H[R])`, or – where there is none."""
    if limit is None:
        return "–"
    return f"{limit:.{1 if name == BY_RANKS else 0}f} ({name})"


def _fixed_beforehand(settings: Settings) -> bool:
    return not TREES[settings.topology].while_drafting
