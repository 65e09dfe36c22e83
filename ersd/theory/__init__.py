"""The formulas: what each rule is expected to accept, what no rule can exceed, the best trees, what it gives in time. float64.

Everything that is not a distribution, a count or a rank law is refused with a ValueError naming it; nothing is renormalised. A formula is
loaded on first use, so that those without distributions are at hand without torch.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .best_tree import expected_accepted as expected_accepted, tau_star as tau_star
    from .gsd import gsd_acceptance as gsd_acceptance
    from .kseq import (
        kseq_acceptance as kseq_acceptance,
        kseq_rho as kseq_rho,
        kseq_taken as kseq_taken,
        rho_star as rho_star,
    )  # fmt: skip
    from .optimum import optimal_acceptance as optimal_acceptance
    from .race import (
        length_bound as length_bound,
        race_acceptance as race_acceptance,
        race_acceptances as race_acceptances,
        race_bounds as race_bounds,
        race_match as race_match,
    )  # fmt: skip
    from .speed import speedup as speedup
    from .standard import expected_rejections as expected_rejections, pareto as pareto

_HOME = {
    "expected_accepted": "best_tree",
    "tau_star": "best_tree",
    "gsd_acceptance": "gsd",
    "kseq_acceptance": "kseq",
    "kseq_rho": "kseq",
    "kseq_taken": "kseq",
    "rho_star": "kseq",
    "optimal_acceptance": "optimum",
    "length_bound": "race",
    "race_acceptance": "race",
    "race_acceptances": "race",
    "race_bounds": "race",
    "race_match": "race",
    "speedup": "speed",
    "expected_rejections": "standard",
    "pareto": "standard",
}

__all__ = [*_HOME]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        globals()[name] = found = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
