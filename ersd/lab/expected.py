"""What theory expects of a rule at one node: acceptance against the number of guesses, and which guess is accepted."""

from __future__ import annotations

import torch

from ..isolation import isolated
from ..rules.base import Rule
from ..theory import checks
from ..theory.checks import Distribution


@isolated
def acceptances(rule: Rule, p: Distribution, q: Distribution, most: int) -> list[float] | None:
    """Acceptance probability with 1, 2, …, `most` guesses from q; None for rules without a formula."""
    target, draft = (torch.as_tensor(each, dtype=torch.float64) for each in checks.pair(p, q))
    found = [rule.acceptance(target, draft, k) for k in range(1, checks.count(most, "most") + 1)]
    known = [each for each in found if each is not None]
    return known if len(known) == len(found) else None


def by_guess(rule: Rule, p: Distribution, q: Distribution, k: int) -> list[float] | None:
    """Probability that the 1st, 2nd, …, k-th of k guesses is the accepted one; None for rules without a formula.

    K-SEQ compares all guesses with the same ratios, whose ρ* depends on k. For the other rules the first guesses do not depend on how
    many follow, so these are the differences of `acceptances`.
    """
    found = acceptances(rule, p, q, k)
    if found is None:
        return None
    if rule.name == "kseq":
        once = 1 - (1 - found[-1]) ** (1 / k)
        return [once * (1 - once) ** earlier for earlier in range(k)]
    return [max(0.0, after - before) for before, after in zip([0.0, *found], found, strict=False)]
