"""DraftTree: the tokens the draft proposes; Drafter: grows one level by level from a shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from .cache import ROOT, TreeCache
from .distributions import probabilities
from .randomness import Noise
from .rules import Rule
from .settings import Settings
from .topologies import RankLaw, Shape, shape_of
from .trace import Visit


@dataclass
class DraftTree:
    """Vertices in level order; the root, -1, is the text so far."""

    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    draft_probs: list[float] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    tries: dict[int, list[int]] = field(default_factory=dict)
    """vertex -> its children in the order they were drawn; an i.i.d. draw that repeats stands in it again"""
    q: dict[int, Tensor] = field(default_factory=dict)
    """vertex -> the distribution its children were drawn from, float64 [vocab]"""
    rows: dict[int, int] = field(default_factory=dict)
    """vertex -> its open row in the draft's cache; vertices that were not forwarded have none"""
    expected: float | None = None
    """tokens per call expected of this tree when it was drafted; None where nothing is drafted"""

    def add(self, parent: int, token: int, prob: float) -> int:
        """The child of `parent` with this token, new or drawn before; notes the draw."""
        tries = self.tries.setdefault(parent, [])
        vertex = next((child for child in tries if self.tokens[child] == token), len(self.tokens))
        if vertex == len(self.tokens):
            self.tokens.append(token)
            self.parents.append(parent)
            self.depths.append(1 if parent < 0 else self.depths[parent] + 1)
            self.draft_probs.append(prob)
            self.ranks.append(len(set(tries)) + 1)
        tries.append(vertex)
        return vertex


def transformed(logits: Tensor, settings: Settings, rule: Rule, vocab_size: int) -> Tensor:
    """The distributions both models are sampled from, float64 [..., vocab_size]: one transform for draft and target alike."""
    logits = logits[..., :vocab_size]
    if not rule.uses_sampling:
        return probabilities(logits)
    return probabilities(logits, settings.temperature, settings.top_k, settings.top_p)


class Drafter:
    """Drafts the trees of one run: shapes fixed before their tokens are known, by the rank law measured so far."""

    def __init__(self, rule: Rule, settings: Settings, vocab_size: int, measured: Sequence[float] = ()) -> None:
        self.rule, self.settings, self.vocab_size = rule, settings, vocab_size
        self.law = RankLaw(measured)

    def grow(self, draft: TreeCache, sequence: list[int], max_depth: int) -> DraftTree:
        """The tree after `sequence`, no deeper than `max_depth`; the draft's cache has all open rows committed."""
        if max_depth < 1 or not self.rule.drafts:
            return DraftTree()
        if not draft.committed:
            draft.prefill(sequence[:-1])
        return self._grow(draft, sequence[draft.committed :], len(sequence), max_depth)

    def _grow(self, draft: TreeCache, pending: list[int], position: int, max_depth: int) -> DraftTree:
        shape = shape_of(self.settings, self.law, max_depth)
        return draft_tree(draft, pending, shape, self.rule, self.settings, self.vocab_size, position)

    def observe(self, tree: DraftTree, walk: Sequence[Visit]) -> None:
        """Learn from a walk."""
        for visit in walk:
            if visit.tries:
                self.law.observe(visit.rank, len(visit.tries))


@torch.inference_mode()
def draft_tree(
    draft: TreeCache, pending: list[int], shape: Shape, rule: Rule, settings: Settings, vocab_size: int, position: int
) -> DraftTree:
    """Grow the tree: one draft forward per level, none for leaves.

    Args:
        draft: the draft's cache, all open rows committed.
        pending: tokens of the text that it has not seen, at least one.
        shape: the slots to fill.
        position: index in the whole sequence of the next token.
    """
    tree = DraftTree(expected=shape.expected)
    child_slots = shape.children()
    logits, rows = draft.extend(pending, range(ROOT, len(pending) - 1))
    logits, tree.rows[-1] = logits[-1:], rows[-1]
    # the slots a vertex fills: several, when i.i.d. draws repeat
    level = {-1: [-1]}
    while level:
        wanted = {vertex: [child for slot in slots for child in child_slots.get(slot, ())] for vertex, slots in level.items()}
        q = transformed(logits, settings, rule, vocab_size)
        noise = Noise(settings.seed, position)
        children = rule.draft(q, max(map(len, wanted.values())), noise, torch.tensor(list(wanted)) + 1)
        probs = q.gather(-1, children.clamp_min(0)).tolist()
        below: dict[int, list[int]] = {}
        for i, ((vertex, slots), tokens) in enumerate(zip(wanted.items(), children.tolist(), strict=True)):
            tree.q[vertex] = q[i]
            for j, slot in enumerate(slots[: len(tokens)]):
                if tokens[j] >= 0:
                    known = below.setdefault(tree.add(vertex, tokens[j], probs[i][j]), [])
                    if rule.keeps_agreeing or not known:
                        known.append(slot)
        level = {vertex: slots for vertex, slots in below.items() if any(slot in child_slots for slot in slots)}
        position += 1
        if level:
            parents = [tree.rows[tree.parents[vertex]] for vertex in level]
            logits, rows = draft.extend([tree.tokens[vertex] for vertex in level], parents)
            tree.rows.update(zip(level, rows, strict=True))
    return tree
