"""Many trials of one vertex, by the rule code that the engine runs."""

from __future__ import annotations

import torch
from torch import Tensor

from .randomness import Noise
from .rules import RULES, Rule
from .rules.block import BlockVerification
from .rules.lossy import Lenient
from .settings import BOUNDS
from .theory import checks
from .theory.checks import Law


def trials(algorithm: str, p: Law, q: Law, k: int, trials: int, seed: int = 0, leniency: float = 0.0) -> tuple[Tensor, Tensor]:
    """Draft k children from q and verify them against p, many times.

    Trial t is what the engine does at position t for this seed. `block` decides about sequences: there the k tokens follow one another,
    every distribution on the way is p or q again, and what is returned is the sequence's first token. `lossy` has one child.

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
    target, draft = checks.pair(p, q)
    checks.count(k)
    checks.count(trials, "trials")
    if algorithm not in RULES:
        raise ValueError(f"algorithm must be one of {', '.join(RULES)}, got {algorithm!r}")
    rule: Rule = Lenient(BOUNDS["leniency"].check("leniency", leniency)) if algorithm == "lossy" else RULES[algorithm]
    noise = Noise(seed, torch.arange(trials))
    if rule.joint:
        return _sequences(target, draft, k, trials, noise)
    many = draft.expand(trials, -1)
    children = rule.draft(many, 1 if rule.one_child else k, noise, torch.zeros(1, dtype=torch.int64))
    # a draft with fewer tokens than k runs out of them in every trial alike
    children = children[:, (children >= 0).all(0)]
    verdict = rule.verify(target.expand(trials, -1), many, children, noise)
    return verdict.tokens, _ranks(verdict.accepted)


def _sequences(p: Tensor, q: Tensor, k: int, trials: int, noise: Noise) -> tuple[Tensor, Tensor]:
    block = RULES["block"]
    assert isinstance(block, BlockVerification)
    many = q.expand(trials, -1)
    drawn = [block.draft(many, 1, noise, torch.full((1,), place)) for place in range(k)]
    verdict = block.verify_sequence(p.expand(trials, k + 1, -1), q.expand(trials, k, -1), torch.cat(drawn, dim=1), noise).at(0)
    return verdict.tokens, _ranks(verdict.accepted)


def _ranks(accepted: Tensor) -> Tensor:
    return torch.where(accepted >= 0, accepted + 1, -1)
