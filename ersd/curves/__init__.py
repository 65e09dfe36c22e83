"""Accepted tokens against drafted tokens for a pair (arXiv 2504.15475, figures 3 and 4): what its acceptance predicts, and direct runs."""

from ..theory import Acceptance as Acceptance, pays as pays, read_acceptance as read_acceptance
from .measure import Progress as Progress, measure as measure, whole as whole
from .plan import Plan as Plan

__all__ = ["Acceptance", "Plan", "Progress", "measure", "pays", "read_acceptance", "whole"]
