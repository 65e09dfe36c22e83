"""Many trials of one node: draft k children from q, verify them against p, and count."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from ..isolation import isolated
from ..randomness import Noise
from ..rules.base import Rule
from ..rules.builtin import RULES
from ..rules.joint import JointRule
from ..settings import Settings
from ..theory import checks
from ..theory.checks import Distribution
from ..walk import Decision


class Outcome(NamedTuple):
    """What n trials gave."""

    tokens: Tensor
    """int64 [n]: the token chosen; for rules that decide about a sequence, its first token"""
    ranks: Tensor
    """int64 [n]: the number of the accepted child, from 1; -1: none was accepted"""
    lengths: Tensor
    """int64 [n]: how many drafted tokens were accepted: 0 or 1, or up to k of a sequence"""


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
    outcome = run(rule_of(algorithm, leniency), p, q, k, trials, seed)
    return outcome.tokens, outcome.ranks


def rule_of(algorithm: str, leniency: float = 0.0) -> Rule:
    """The rule of this name; ValueError naming what is not allowed."""
    settings = Settings(algorithm, "sequence", leniency=leniency)  # refuses unknown names
    return RULES[algorithm].with_settings(settings)


@isolated
def run(rule: Rule, p: Distribution, q: Distribution, k: int, trials: int, seed: int = 0) -> Outcome:
    """As `trials`, for any rule, also one that is not registered."""
    target, draft = (torch.as_tensor(each, dtype=torch.float64) for each in checks.pair(p, q))
    checks.count(k)
    checks.count(trials, "trials")
    return decide(rule, target.expand(trials, -1), draft.expand(trials, -1), k, seed, torch.arange(trials))


def decide(rule: Rule, p: Tensor, q: Tensor, k: int, seed: int, positions: Tensor) -> Outcome:
    """One decision at each of n nodes: p and q [n, vocab], positions int64 [n]."""
    if isinstance(rule, JointRule):
        decisions = decide_chain(rule, p.unsqueeze(1).expand(-1, k + 1, -1), q.unsqueeze(1).expand(-1, k, -1), seed, positions)
        first, lengths = decisions[0], sum((one.accepted >= 0).long() for one in decisions)
        return Outcome(first.tokens, _ranks(first), torch.as_tensor(lengths))
    children = draft(rule, q, k, Noise(seed, positions))
    tokens, ranks = torch.empty_like(positions), torch.empty_like(positions)
    counts = (children >= 0).sum(-1)
    for count in counts.unique().tolist():  # nodes with as many children are decided together
        at = counts == count
        found = rule.verify(p[at], q[at], children[at, :count], Noise(seed, positions[at]))
        tokens[at], ranks[at] = found.tokens, _ranks(found)
    return Outcome(tokens, ranks, (ranks > 0).long())


def draft(rule: Rule, q: Tensor, k: int, noise: Noise) -> Tensor:
    """The children that a rule draws at n nodes, int64 [n, at most k]; -1 after the last."""
    most = rule.traits.most_children
    return rule.draft(q, k if most is None else min(k, most), noise, [0])


def decide_chain(rule: JointRule, p: Tensor, q: Tensor, seed: int, positions: Tensor) -> list[Decision]:
    """Draft n sequences of k tokens and verify them, p [n, k + 1, vocab] and q [n, k, vocab]: k + 1 decisions."""
    noise = Noise(seed, positions)
    chain = torch.cat([rule.draft(q[:, level], 1, noise, [level]) for level in range(q.shape[1])], dim=1)
    return rule.verify_chain(p, q, chain, noise)


def _ranks(decision: Decision) -> Tensor:
    return torch.where(decision.accepted >= 0, decision.accepted + 1, -1)
