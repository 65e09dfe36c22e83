"""One trial of the lab, recorded as a step of a run is, so that the same pictures can show it."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ..draft_tree import ROOT, DraftTree
from ..isolation import isolated
from ..randomness import Noise
from ..rules.base import Rule
from ..settings import Settings
from ..theory import checks
from ..theory.checks import Distribution
from ..trace.recorder import step_of
from ..trace.step import Emitted, Step
from ..trace.visits import record_visit
from ..walk import Decoded, ScoredTree
from .simulation import draft


@isolated
def record(rule: Rule, p: Distribution, q: Distribution, k: int, trial: int, seed: int, names: Sequence[str]) -> Step:
    """Trial number `trial` of `run` with these arguments, as a Step without times.

    Args:
        names: the text of each token, [vocab].
    """
    target, drafted_from = (torch.as_tensor(each, dtype=torch.float64) for each in checks.pair(p, q))
    noise = Noise(seed, torch.tensor([trial]))
    tree = _tree(rule, drafted_from, checks.count(k), noise)
    scored = ScoredTree(
        tree,
        target.log().expand(len(tree.tokens) + 1, -1),
        rule,
        Settings(rule.name, "sequence", seed=seed),
        trial,
        _p=dict.fromkeys(range(ROOT, len(tree.tokens)), target.unsqueeze(0)),
    )
    walk = rule.verify_tree(scored, ends=())
    # where a guess was accepted, another decision follows it, which is not part of the trial
    visited = walk.visited if rule.traits.joint else [one for one in walk.visited if one.node == ROOT]
    visits = [record_visit(one, rule, lambda token: names[token]) for one in visited]
    emitted = [Emitted(visit.token, visit.text, "draft" if visit.accepted else "target") for visit in visits]
    return step_of(Decoded(scored, walk), visits, emitted, lambda token: names[token], index=0)


def _tree(rule: Rule, q: Tensor, k: int, noise: Noise) -> DraftTree:
    """The guesses of one trial: children of the root, or a chain for rules that decide about sequences."""
    tree, row = DraftTree(), q.unsqueeze(0)
    if rule.traits.joint:
        node = ROOT
        for level in range(k):
            tree.q[node] = q
            node = tree.add(node, int(rule.draft(row, 1, noise, [level])))
        tree.q[node] = q
        return tree
    children = [int(token) for token in draft(rule, row, k, noise)[0] if token >= 0]
    for token in children:
        tree.q[ROOT] = q
        tree.add(ROOT, token)
    return tree
