"""The lab: many trials of one node, by the rule code that the engine runs."""

from __future__ import annotations

import torch
from torch import Tensor

from .randomness import Noise
from .rules.base import Decision, Rule
from .rules.builtin import RULES
from .settings import Settings
from .theory import checks
from .theory.checks import Distribution


def trials(
    algorithm: str, p: Distribution, q: Distribution, k: int, trials: int, seed: int = 0, *, leniency: float = 0.0
) -> tuple[Tensor, Tensor]:
    """Draft k children from q and verify them against p, many times.

    Trial t is what the engine does at position t for this seed. `block` decides about sequences: there the k tokens follow one another,
    every distribution on the way is p or q again, and the result is about the sequence's first token. `lossy` has one child.

    Args:
        algorithm: a name of `ALGORITHMS`.
        p, q: target and draft distribution [vocab]; ValueError naming the one that is not.
        k: children, at least 1.
        trials: how many, at least 1.
        seed: of the clocks and coins.
        leniency: of `lossy`.

    Returns:
        tokens int64 [trials], the token chosen; ranks int64 [trials], the number of the accepted child from 1, -1: none of the k accepted.
    """
    target, draft = (torch.as_tensor(each, dtype=torch.float64) for each in checks.pair(p, q))
    checks.count(k)
    checks.count(trials, "trials")
    settings = Settings(algorithm, "sequence", leniency=leniency)  # refuses unknown names first
    rule = RULES[algorithm].with_settings(settings)
    decision = _decide(rule, target.expand(trials, -1), draft.expand(trials, -1), k, Noise(seed, torch.arange(trials)))
    return decision.tokens, torch.where(decision.accepted >= 0, decision.accepted + 1, -1)


def _decide(rule: Rule, p: Tensor, q: Tensor, k: int, noise: Noise) -> Decision:
    """Draft and verify at n nodes, p and q [n, vocab], each at a position of its own."""
    if rule.traits.joint:
        chain = torch.cat([rule.draft(q, 1, noise, [i]) for i in range(k)], dim=1)
        every_p, every_q = p.unsqueeze(1).expand(-1, k + 1, -1), q.unsqueeze(1).expand(-1, k, -1)
        return rule.verify_chain(every_p, every_q, chain, noise)[0]
    most = rule.traits.most_children
    children = rule.draft(q, k if most is None else min(k, most), noise, [0])
    # a draft with fewer tokens than k runs out of them in every trial alike
    return rule.verify(p, q, children[:, (children >= 0).all(0)], noise)
