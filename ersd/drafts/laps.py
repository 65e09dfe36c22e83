"""Races in laps: whoever arrives in the draft's race starts another lap, so a likely token arrives often (MPFR, arXiv 2609.21858).

The n-th lap of a token arrives at (E1 + … + En) / q. The first lap has the clock of the race, so children are ERSD's first arrivals and
the target's winner is accepted as always; later laps have a random stream of their own. A node with B places has the first B arrivals,
which are i.i.d. from Q; equal tokens are one child, which has as many places as it arrived. So every level has B arrivals.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ..contexts import Contexts, noise_after
from ..draft_tree import ROOT, DraftTree, Lap, Shape
from ..machine import now_ms
from ..randomness import Noise
from ..rules.base import Rule
from ..settings import Settings
from ..walk import VisitedNode
from .drafter import Drafter
from .source import Source, checked, split_root
from .topologies import places_and_levels


class LapsDrafter(Drafter):
    """Fills a tree level by level: one call of the source per level, none for leaves."""

    source: Source

    def __init__(self, source: Source, rule: Rule, settings: Settings, vocab_size: int, contexts: Contexts | None = None) -> None:
        """`contexts`: of the text, which keys the clocks."""
        self.contexts = contexts
        self.source, self.rule, self.settings, self.vocab_size = source, rule, settings, vocab_size
        self.places, self.levels = places_and_levels(settings.draft_tokens, settings.sequences)

    def grow(self, sequence: list[int], max_depth: int) -> DraftTree:
        tree = DraftTree()
        levels = min(self.levels, max_depth)
        if levels < 1:
            return tree
        start = now_ms()
        logits, tree.leaf = split_root(self.source.root(sequence), self.vocab_size)
        places = {ROOT: self.places}
        for level in range(levels):
            tree.calls += 1
            logits, guessed = checked(self.source, logits, self.vocab_size)
            if len(guessed) < len(places):
                nodes = list(places)
                logits, places = logits[guessed], {nodes[row]: places[nodes[row]] for row in guessed}
            below: dict[int, int] = {}
            if places:
                q = self.rule.distributions(logits, self.settings)
                for row, (node, count) in enumerate(places.items()):
                    tree.q[node] = q[row]
                    noise = noise_after(tree, node, self.settings.seed, len(sequence), self.contexts)
                    tree.laps[node] = first_arrivals(q[row], noise.clocks(q)[0], count, noise)
                    for lap in tree.laps[node]:
                        child = tree.add(node, lap.token, tree.calls) if lap.number == 1 else _child(tree, node, lap.token)
                        below[child] = below.get(child, 0) + 1
            tree.spans.append((start, now_ms()))
            tree.places += below.values()
            if not below or level + 1 == levels:
                break
            places, start = below, now_ms()
            logits = self.source.after(tree, list(below))
        tree.shape = Shape(tuple(tree.parents), tuple(tree.ranks))
        return tree

    def learn(self, visited: Sequence[VisitedNode]) -> None:
        return  # the clocks alone shape the tree

    def commit(self, path: list[int]) -> None:
        self.source.commit(path)


def _child(tree: DraftTree, node: int, token: int) -> int:
    return next(child for child in tree.tries[node] if tree.tokens[child] == token)


def first_arrivals(q: Tensor, clocks: Tensor, count: int, noise: Noise) -> list[Lap]:
    """The first arrivals of a race in laps, in order.

    Args:
        q: float64 [vocab].
        clocks: float64 [vocab], of the first laps.
        count: B, at least 1.
        noise: the randomness of this position.
    """
    # log p - log E: a probability near 0 keeps its place in the order
    first = (q.log() - clocks.log()).topk(min(count, len(q))).indices
    first = first[q[first] > 0]
    # only these can have a further lap among the first B arrivals
    laps = torch.cat([clocks[first, None], noise.laps(first, count - 1)], -1)
    times = laps.cumsum(-1) / q[first, None]
    order = times.flatten().argsort(stable=True)[:count]
    tokens, seconds = first[order // count].tolist(), times.flatten()[order].tolist()
    return [Lap(token, number + 1, time) for token, number, time in zip(tokens, (order % count).tolist(), seconds, strict=True)]
