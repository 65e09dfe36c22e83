"""Accepted tokens against drafted tokens for a pair (arXiv 2504.15475, figures 3 and 4): what its acceptance predicts, and direct runs."""

from typing import TYPE_CHECKING, Any

from ..theory import Acceptance as Acceptance, pays as pays, read_acceptance as read_acceptance
from .plan import Plan as Plan

if TYPE_CHECKING:
    from .measurement import Progress as Progress, measure as measure, whole as whole

__all__ = ["Acceptance", "Plan", "Progress", "measure", "pays", "read_acceptance", "whole"]


def __getattr__(name: str) -> Any:
    """What measures is loaded on first use, so that results are at hand without torch."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import measurement

    return getattr(measurement, name)
