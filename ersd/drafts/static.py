"""Drafting level by level: trees whose shape is fixed before their tokens are known."""

from __future__ import annotations

from collections.abc import Sequence

from ..models.inference import inferring
from ..models.tree_cache import ROOT
from ..randomness import Noise
from ..rules.builtin import Decision, Law, Rule
from ..settings import Settings
from .rank_distribution import RankDistribution
from .source import Source
from .topologies import TREES, Shape, regular_shape, shape_of
from .tree import Drafter, DraftTree, after


class LevelByLevel(Drafter):
    """Fills the slots of a shape, chosen by the rank law measured so far: one call of the source per level, none for leaves."""

    def __init__(self, source: Source, rule: Rule, settings: Settings, vocab_size: int, hazards: Sequence[float] = ()) -> None:
        """`hazards`: what was measured of the rule and pair before, as for `RankDistribution`."""
        self.source, self.rule, self.settings, self.vocab_size = source, rule, settings, vocab_size
        self.law = RankDistribution(hazards)
        regular = TREES[settings.topology].branching
        self._branching = regular(settings) if regular else None
        """children per vertex, level by level; None where the shape is chosen by what was seen"""

    def grow(self, sequence: list[int], max_depth: int) -> DraftTree:
        branching = self._branching
        shape = shape_of(self.settings, self.law, max_depth) if branching is None else regular_shape(branching[:max_depth])
        return self._filled(shape, sequence) if shape.parents else DraftTree()

    def learn(self, decisions: Sequence[Decision]) -> None:
        if self._branching is not None:
            return  # the shape is the same whatever was seen
        for decision in decisions:
            if decision.children:
                self.law.observe(decision.rank, len(decision.children))

    def commit(self, path: list[int]) -> None:
        self.source.commit(path)

    @inferring
    def _filled(self, shape: Shape, sequence: list[int]) -> DraftTree:
        tree = DraftTree(expected=shape.expected) if self._branching is None else DraftTree(shape=shape)
        child_slots = shape.children()
        position = len(sequence)
        logits, tree.leaf = after(self.source.root(sequence), self.vocab_size)
        tree.calls = 1
        # vertex -> the slots below it: below all that its draws fill, or below the first
        wanted = {ROOT: child_slots[ROOT]}
        while True:
            law = Law(self.rule, self.settings, logits[..., : self.vocab_size])
            noise, places = Noise(self.settings.seed, position), [vertex + 1 for vertex in wanted]
            children = self.rule.draft_from(law, max(map(len, wanted.values())), noise, places).tolist()
            below: dict[int, list[int]] = {}
            for row, (vertex, tokens) in enumerate(zip(wanted, children, strict=True)):
                tree.laws[vertex] = law, row
                for slot, token in zip(wanted[vertex], tokens, strict=False):
                    if token >= 0:
                        known = len(tree.tokens)
                        child = tree.add(vertex, token, tree.calls)
                        if slot in child_slots and (child == known or self.rule.follows_every_draw):
                            below.setdefault(child, []).extend(child_slots[slot])
            if not below:
                return tree
            wanted = below
            position += 1
            logits = self.source.behind(tree, list(below))
            tree.calls += 1
