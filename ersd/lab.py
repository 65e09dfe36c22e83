"""Many trials of one vertex, by the rule code that the engine runs."""

from __future__ import annotations

import torch
from torch import Tensor

from .randomness import Noise
from .rules import RULES
from .settings import Settings
from .theory import checks
from .theory.checks import Distribution


def trials(
    algorithm: str, p: Distribution, q: Distribution, k: int, trials: int, seed: int = 0, *, leniency: float = 0.0
) -> tuple[Tensor, Tensor]:
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
    target, draft = map(torch.from_numpy, checks.pair(p, q))
    checks.count(k)
    checks.count(trials, "trials")
    settings = Settings(algorithm, "sequence", leniency=leniency)
    rule = RULES[algorithm].with_settings(settings)
    verdict = rule.trial(target.expand(trials, -1), draft.expand(trials, -1), k, Noise(seed, torch.arange(trials)))
    return verdict.tokens, torch.where(verdict.accepted >= 0, verdict.accepted + 1, -1)
