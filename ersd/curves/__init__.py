"""Accepted tokens against drafted tokens for a pair (arXiv 2504.15475, figures 3 and 4): what its acceptance predicts, and direct runs."""

from .measure import Progress as Progress, measure as measure, whole as whole
from .plan import Plan as Plan

__all__ = ["Plan", "Progress", "measure", "whole"]
