"""Which limits limit anything for a run. A line that is passed by construction is none, and is neither written down nor shown.

Knows no torch; the formulas are `theory.optimal_acceptance` and `theory.length_bound`.
"""

from __future__ import annotations

from .algorithms import TRAITS
from .settings import Settings
from .topologies import TREES


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


def _fixed_beforehand(settings: Settings) -> bool:
    return not TREES[settings.topology].while_drafting
