"""Static drafting: trees whose shape is fixed before their tokens are known, filled level by level."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from ..contexts import Contexts, noise_after
from ..draft_tree import NO_TOKEN, ROOT, DraftTree, Shape
from ..machine import now_ms
from ..randomness import Noise, joined
from ..rules.base import Rule
from ..settings import Settings
from ..walk import VisitedNode
from .drafter import Drafter
from .rank_distribution import RankDistribution
from .shapes import regular_shape, shape_of
from .source import Source, checked, split_root


class StaticDrafter(Drafter):
    """Fills the slots of a shape, chosen by the rank distribution measured so far: one call of the source per level, none for leaves."""

    source: Source

    def __init__(
        self,
        source: Source,
        rule: Rule,
        settings: Settings,
        vocab_size: int,
        hazards: Sequence[float] = (),
        contexts: Contexts | None = None,
    ) -> None:
        """`hazards`: measured before for the rule and pair, as in `RankDistribution`. `contexts`: of the text, which keys the clocks."""
        self.contexts = contexts
        self.source, self.rule, self.settings, self.vocab_size = source, rule, settings, vocab_size
        self.ranks = RankDistribution(hazards) if settings.levels is None else None
        self._branching = settings.levels or ()
        """children per node, level by level; nothing where the shape is chosen by what was measured"""

    def grow(self, sequence: list[int], max_depth: int) -> DraftTree:
        shape = shape_of(self.settings, self.ranks, max_depth) if self.ranks else regular_shape(self._branching[:max_depth])
        return self._filled(shape, sequence) if shape.parents else DraftTree()

    def learn(self, visited: Sequence[VisitedNode]) -> None:
        if self.ranks is None:
            return  # the shape never changes
        for one in visited:
            if one.children and one.token != NO_TOKEN:  # the ranks along the text
                self.ranks.observe(one.rank, len(one.children))

    def commit(self, path: list[int]) -> None:
        self.source.commit(path)

    def _filled(self, shape: Shape, sequence: list[int]) -> DraftTree:
        tree = DraftTree(expected=shape.expected) if self.ranks else DraftTree(shape=shape)
        child_slots = shape.children()
        start = now_ms()
        logits, tree.leaf = split_root(self.source.root(sequence), self.vocab_size)
        tree.calls = 1
        # node -> the slots below it: below all that its draws fill, or below the first
        wanted = {ROOT: child_slots[ROOT]}
        while True:
            logits, guessed = checked(self.source, logits, self.vocab_size)
            if len(guessed) < len(wanted):
                nodes = list(wanted)
                logits, wanted = logits[guessed], {nodes[row]: wanted[nodes[row]] for row in guessed}
            if not wanted:
                tree.spans.append((start, now_ms()))
                return tree
            q = self.rule.distributions(logits, self.settings)
            depth = tree.calls - 1
            noise = joined([noise_after(tree, node, self.settings.seed, len(sequence), self.contexts) for node in wanted])
            counts = [len(slots) for slots in wanted.values()]
            children = self._children(q, counts, noise, [self.rule.slot(node, depth) for node in wanted])
            tree.spans.append((start, now_ms()))
            below: dict[int, list[int]] = {}
            for row, (node, tokens) in enumerate(zip(wanted, children, strict=True)):
                tree.q[node] = q[row]
                for slot, token in zip(wanted[node], tokens, strict=False):
                    if token >= 0:
                        known = len(tree.tokens)
                        child = tree.add(node, token, tree.calls)
                        if slot in child_slots and (child == known or self.rule.follows_every_draw):
                            below.setdefault(child, []).extend(child_slots[slot])
            if not below:
                return tree
            wanted = below
            start = now_ms()
            logits = self.source.after(tree, list(below))
            tree.calls += 1

    def _children(self, q: Tensor, counts: list[int], noise: Noise, slots: list[int]) -> list[list[int]]:
        """The children of n nodes, at least as many as each has room for."""
        if not self.rule.children_depend_on_count or len(set(counts)) == 1:
            return self.rule.draft(q, max(counts), noise, slots).tolist()
        found: list[list[int]] = [[] for _ in counts]
        for count in set(counts):
            rows = [row for row, each in enumerate(counts) if each == count]
            drawn = self.rule.draft(q[rows], count, noise, [slots[row] for row in rows]).tolist()
            for row, tokens in zip(rows, drawn, strict=True):
                found[row] = tokens
        return found
