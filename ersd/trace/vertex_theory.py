"""What the formulas say of a vertex, for the record, and the dearest part of it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from torch import Tensor

from ..rules.builtin import RULES
from ..sampling import harmonic_distance, kl, total_variation
from ..settings import Settings
from ..theory import optimal_acceptance
from ..trace.bounds import has_optimum

Figures = dict[str, float | None]
"""By the names of `trace.Visit`; None where a figure is infinite, or limits nothing."""

Laws = tuple[Tensor, Tensor, int]
"""P and Q behind a vertex, [vocab] on the CPU, and how many children it has."""


def vertex_theory(settings: Settings, vertices: Sequence[Laws]) -> list[Figures]:
    """Of every vertex: distances of its laws, the acceptance that is predicted of this rule, and the most that it can be."""
    rule = RULES[settings.algorithm].with_settings(settings)
    limited = has_optimum(settings)
    return [
        {
            "tv": total_variation(p, q).item(),
            "kl": _finite(kl(p, q).item()),
            "d_hm": harmonic_distance(p, q).item(),
            "optimum": optimal_acceptance(p, q, k, replacement=bool(rule.traits.with_replacement)) if limited else None,
            **rule.figures(p, q, k),
        }
        for p, q, k in vertices
    ]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
