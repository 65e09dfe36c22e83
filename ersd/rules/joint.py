"""Rules that decide about a drafted sequence as a whole; their traits say `joint`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection

import torch
from torch import Tensor

from ..draft_tree import ROOT
from ..randomness import Noise
from ..walk import Decision, ScoredTree, Walk
from .base import Rule


class JointRule(Rule):
    """Every tree is one sequence."""

    def verify_tree(self, scored: ScoredTree, ends: Collection[int]) -> Walk:
        """The tree is one sequence: all its decisions are made together, and the walk goes as far as they say."""
        tree = scored.tree
        if not tree.tokens:
            return super().verify_tree(scored, ends)
        nodes = range(ROOT, len(tree.tokens))
        p, q = torch.cat([scored.p(node) for node in nodes]), torch.stack([tree.q[node] for node in nodes[:-1]])
        children = torch.tensor([tree.tokens], device=p.device)
        sequence = self.verify_chain(p.unsqueeze(0), q.unsqueeze(0), children, scored.noise(ROOT))
        visited = []
        for node, decision in zip(nodes, sequence, strict=True):
            visited.append(scored.visit(node, decision))
            if visited[-1].accepted < 0 or visited[-1].token in ends:
                break
        path = [one.node + 1 for one in visited if one.accepted >= 0]
        return Walk([one.token for one in visited], path, visited, sequence)

    @abstractmethod
    def verify_chain(self, p: Tensor, q: Tensor, children: Tensor, noise: Noise) -> list[Decision]:
        """Decide about n drafted sequences as a whole.

        Args:
            p: float64 [n, k + 1, vocab], the target's distributions at the root and after each drafted token.
            q: float64 [n, k, vocab], the distributions the tokens were drawn from.
            children: int64 [n, k].
            noise: the randomness of the root's position.

        Returns:
            The decision at the root and after each drafted token, k + 1 in all.
        """
