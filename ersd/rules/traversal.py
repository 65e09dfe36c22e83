"""Traversal verification: the leaves of a tree are decided first (Weng et al., arXiv 2505.12398).

A draw has a weight: the probability with which it is kept if nothing below it is. The children of a draw are asked in turn, each after
all that was drafted below it; whatever fails leaves less to what stands above it. The update of the weight is derived so that the output
follows the target: a draw of weight w whose child fails goes on with P <- (w P - Q)+ / S and w <- S / (S + 1 - w), S = sum (w P - Q)+.

A token that is drawn again after it failed has nothing left: it failed because w P(x) < Q(x). So nothing is drafted below the second draw.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from torch import Tensor

from ..draft_tree import NO_TOKEN, ROOT
from ..sampling import sample
from ..theory.compress import Tokens
from ..walk import Decision, ScoredTree, Walk
from .base import Contest
from .gsd import RecursiveRejection, residual
from .gsd_wor import WithoutReplacement, without
from .registry import TRAITS


class Traversal(RecursiveRejection):
    """Children i.i.d. from Q. At a single node it is recursive rejection.

    It needs the target's distribution at every node that is asked about, not only along the path: O(k vocab) a step.
    """

    name = "traversal"
    traits = TRAITS["traversal"]

    def slot(self, node: int, depth: int) -> int:
        # tokens that were drafted below what failed have had a part in the decision: the next step must not draw with their numbers
        return super().slot(node, depth) + (depth << 16)

    def next_draft(self, q: Tensor, child: Tensor) -> Tensor:
        """The distribution that the child after `child` [n, 1] is drawn from, [n, vocab]."""
        return q

    def verify_tree(self, scored: ScoredTree, ends: Collection[int]) -> Walk:
        """Ask from the leaves to the root: the first draw whose coin is below its weight ends the walk, and its path is kept."""
        return _Walker(self, scored).walk(ends)

    def compared(self, p: Tensor, q: Tensor, children: Tensor, decision: Decision) -> Iterator[Contest]:
        weights = torch.ones(1, 1, dtype=p.dtype) if decision.weights is None else decision.weights
        share: float | Tensor = 1.0
        for j in range(children.shape[-1] + 1):
            yield Contest(p, q, share=share)
            if j < weights.shape[-1]:
                p, rest = residual(weights[:, j : j + 1] * p, q)
                q, share = self.next_draft(q, children[:, j : j + 1]), share * rest

    def figures(self, p: Tensor, q: Tensor, k: int, tokens: Tokens | None = None) -> dict[str, float | None]:
        return {}  # in a tree it depends on what was drafted below


class TraversalWithoutReplacement(Traversal, WithoutReplacement):
    """The same with children that all differ: the j-th one comes from Q without the earlier ones."""

    name = "traversal_wor"
    traits = TRAITS["traversal_wor"]

    def next_draft(self, q: Tensor, child: Tensor) -> Tensor:
        return without(q, child)


def passed_up(rest: float, weight: float) -> float:
    """The weight of a draw after a child failed; `rest`: the sum of (weight P - Q)+."""
    total = rest + 1 - weight
    return min(1.0, rest / total) if total > 0 else 1.0  # nothing remains and no way to fail: kept


def coin(scored: ScoredTree, node: int, number: int) -> float:
    """The coin of a draw: try `number` of a node. It belongs to the draw, and to this step alone."""
    return scored.noise(ROOT).coin(node + 1, number)


class _Kept(NamedTuple):
    """The draw whose coin ended the walk."""

    node: int
    left: Tensor | None
    """[1, vocab]: what the target's own token is drawn from; None: P after the node, where nothing was drafted"""


@dataclass
class _Asked:
    """The tries of one node, in the order in which they were asked."""

    weights: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    coins: list[float] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    accepted: int = -1

    def decision(self, token: int) -> Decision:
        """For the record; `token`: the one chosen at the node."""
        ratios, coins, weights = (torch.tensor([each], dtype=torch.float64) for each in (self.ratios, self.coins, self.weights))
        one, accepted, tried = (torch.tensor([each]) for each in (token, self.accepted, len(self.ratios)))
        return Decision(one, accepted, tried, ratios, coins, weights=weights, turns=torch.tensor([self.turns]))


class _Walker:
    """One walk: the tries asked so far, by node."""

    def __init__(self, rule: Traversal, scored: ScoredTree) -> None:
        self.rule, self.scored, self.tree = rule, scored, scored.tree
        self.asked: dict[int, _Asked] = {}
        self.turns = 0

    def walk(self, ends: Collection[int]) -> Walk:
        """The path that is kept, as far as the text goes, and every node that was asked about."""
        found = self._below(ROOT, 1.0)
        end, left = found if isinstance(found, _Kept) else _Kept(ROOT, found[1])
        path: list[int] = []
        while end != ROOT:
            path.insert(0, end)
            end = self.tree.parents[end]
        tokens = [self.tree.tokens[node] for node in path]
        stop = next((place for place, token in enumerate(tokens) if token in ends), None)
        if stop is None:
            tokens.append(self._own(path[-1] if path else ROOT, left))
        else:  # what was drafted after the end of the text was decided about, but is not written
            path, tokens = path[: stop + 1], tokens[: stop + 1]
        on_path = dict(zip([ROOT, *path], tokens, strict=False))
        failed = {node: NO_TOKEN for node, asked in self.asked.items() if asked.accepted < 0 and node not in on_path}
        order = [*failed.items(), *reversed(on_path.items())]
        return Walk(tokens, path, [self.scored.visit(node, self.asked.get(node, _Asked()).decision(token)) for node, token in order])

    def _below(self, node: int, weight: float) -> _Kept | tuple[float, Tensor | None]:
        """Ask all that was drafted below a draw of this weight. Where all of it fails: the weight left to it, and what is left of P."""
        q = self.scored.q(node)
        if q is None or node in self.asked:  # a leaf, or drawn once more
            return weight, None
        p = self.scored.p(node)
        asked = self.asked[node] = _Asked()
        for number, child in enumerate(self.tree.tries[node]):
            token = torch.tensor([[self.tree.tokens[child]]], device=q.device)
            start = min(1.0, (weight * p.gather(-1, token) / q.gather(-1, token)).item())
            found = self._below(child, start)
            is_below = isinstance(found, _Kept)
            keep, left = (start, None) if isinstance(found, _Kept) else found
            tossed = 0.0 if is_below else coin(self.scored, node, number)
            self.turns += not is_below
            asked.weights.append(weight)
            asked.ratios.append(keep)
            asked.coins.append(tossed)
            asked.turns.append(0 if is_below else self.turns)
            if is_below or tossed < keep:  # strictly below: a token of target probability 0 is never accepted
                asked.accepted = number
                return found if isinstance(found, _Kept) else _Kept(child, left)
            p, rest = residual(weight * p, q)
            q, weight = self.rule.next_draft(q, token), passed_up(rest.item(), weight)
        return weight, p

    def _own(self, node: int, left: Tensor | None) -> int:
        """The target's own token after a node."""
        p = self.scored.p(node) if left is None else left
        return int(sample(p, self.scored.noise(node).residual().to(p.device).unsqueeze(-1)))
