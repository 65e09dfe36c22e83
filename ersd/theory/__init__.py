"""The formulas: what each rule is expected to accept, what no rule can exceed, the best trees, and the speed-up. float64, numpy only.

Arguments that are not a distribution or a count are refused with a ValueError naming them; nothing is renormalised.
"""

from .bounds import length_bound, race_bounds, sequence_limit
from .branching import best_branchings
from .clock_sums import clock_sum_band, clock_sum_pvalue, corrected_pvalue
from .compress import compress
from .kseq import kseq_acceptance, kseq_rho, kseq_taken, rho_star
from .leaves import ChainLevel, keep_alone, leaf_first_accepted, root_first_accepted
from .likeliest import likeliest_acceptance, spechub_acceptances
from .optimum import optimal_acceptance
from .pays import Acceptance, Pays, pays, read_acceptance
from .race import laps_acceptance, laps_children, race_acceptance, race_acceptances, race_match
from .rejection import expected_rejections, gsd_acceptance, gsd_acceptances, pareto
from .speed import speedup
from .tau_star import expected_accepted, tau_star, vertex_values

__all__ = [
    "Acceptance",
    "ChainLevel",
    "Pays",
    "best_branchings",
    "clock_sum_band",
    "clock_sum_pvalue",
    "compress",
    "corrected_pvalue",
    "expected_accepted",
    "expected_rejections",
    "gsd_acceptance",
    "gsd_acceptances",
    "keep_alone",
    "kseq_acceptance",
    "kseq_rho",
    "kseq_taken",
    "laps_acceptance",
    "laps_children",
    "leaf_first_accepted",
    "length_bound",
    "likeliest_acceptance",
    "optimal_acceptance",
    "pareto",
    "pays",
    "race_acceptance",
    "race_acceptances",
    "race_bounds",
    "race_match",
    "read_acceptance",
    "rho_star",
    "root_first_accepted",
    "sequence_limit",
    "spechub_acceptances",
    "speedup",
    "tau_star",
    "vertex_values",
]
