"""The formulas: what each rule is expected to accept, what no rule can exceed, and the best trees. float64.

Everything that is not a distribution, a count or a rank law is refused with a ValueError naming it; nothing is renormalised.
"""

from .best_tree import expected_accepted, tau_star
from .gsd import gsd_acceptance
from .kseq import kseq_acceptance, kseq_rho, kseq_taken, rho_star
from .optimum import optimal_acceptance
from .race import length_bound, race_acceptance, race_bounds, race_match
from .standard import expected_rejections, pareto

__all__ = [
    "expected_accepted",
    "expected_rejections",
    "gsd_acceptance",
    "kseq_acceptance",
    "kseq_rho",
    "kseq_taken",
    "length_bound",
    "optimal_acceptance",
    "pareto",
    "race_acceptance",
    "race_bounds",
    "race_match",
    "rho_star",
    "tau_star",
]
