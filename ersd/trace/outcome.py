"""What came of a step, as plain numbers and laws on the CPU: all that writing it down needs. So another process can do it (`beside.py`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from ..models.inference import inferring
from .rank_sequence import is_known_for

if TYPE_CHECKING:  # who reads outcomes need not load what makes them, which is much
    from ..drafts.factory import DraftTree
    from ..rules.builtin import Decision, Verdict
    from ..walk import ScoredTree, Walk

Words = dict[str, Any]
"""Plain names and numbers, as marshal writes them."""
Shapes = list[tuple[str, str, tuple[int, int]]]
"""Of laws their names, kinds of numbers and shapes, in their order: by which who is told of them reads them."""
MOST_SENT = 2**16
"""So many numbers of laws at most come along as logits though they are not of visited vertices: then nobody here has to work out their
probabilities. Of others, and where they are known, those that are told are read here."""


@dataclass(frozen=True)
class Visited:
    """A decision."""

    vertex: int
    position: int
    """of the token chosen, in the whole sequence"""
    token: int
    accepted: int
    """the number of the accepted try from 0, -1 for none"""
    children: list[int]
    """their tokens, in the order of their tries"""
    tries: list[int]
    """their vertices"""
    tried: int
    """how many of them were considered"""
    ratios: list[float] | None = None
    """as in `Verdict`, like `coins`"""
    coins: list[float] | None = None
    predicted: float | None = None
    """the chance of acceptance, where the rule knew it as it decided"""


@dataclass(frozen=True)
class Outcome:
    """A step: its tree, the decisions on the way through it and its times."""

    words: Words
    """All but the laws: `position`, `tree` and `milliseconds`, as fields of `trace.Step`, where of the tree's `draft_probs` those that come
    along as laws are None; `block`, of a sequence decided as a whole the figures of `trace.Joint` for each of its tokens; `expected`,
    tokens per call expected of a tree that was chosen by that; `shape`, parents and ranks of the slots of any other; `visits`, every
    `Visited`; `drafted`, the vertices whose draft logits come along; `cut`, the visit that `left` is of"""
    laws: dict[str, list[np.ndarray]]
    """Rows [vocab]. `logits`, float32: the target's at every visit, as it gave them; distributions are made of logits once more, sooner
    than they would come. `draft_logits`, float32: those of `drafted`. `left`, float64: what is left of P where a sequence was cut,
    of a rule that decides about one. `leaf`, float32: as in `DraftTree`. The last three where there are any"""

    @classmethod
    @inferring
    def of(cls, scored: ScoredTree, way: Walk, milliseconds: Mapping[str, float]) -> Outcome:
        """What came of one step; from a GPU it is copied."""
        tree, decisions = scored.tree, way.decisions
        visited = [decision.vertex for decision in decisions]
        drafted = [vertex for vertex in visited if vertex in tree.tries]
        others = [vertex for vertex in tree.tries if vertex not in drafted and not tree.laws[vertex][0].is_worked_out]
        if len(others) * scored.logits.shape[-1] <= MOST_SENT:
            drafted += others
        laws = {"logits": [decision.logits for decision in decisions], "draft_logits": [tree.logits(vertex) for vertex in drafted]}
        cut = _cut(decisions)
        if cut is not None:
            laws["left"] = [cut[1]]
        # only runs of which the ranks fix other trees need it
        if tree.leaf is not None and is_known_for(scored.settings):
            laws["leaf"] = [tree.leaf]
        words = {
            "position": scored.position,
            "tree": {
                "tokens": tree.tokens,
                "parents": tree.parents,
                "depths": tree.depths,
                "ranks": tree.ranks,
                "draft_probs": _draft_probs(tree, drafted),
                "draws": _draws(tree),
                "draft_calls": tree.calls,
                "call_of": tree.call_of,
            },
            "milliseconds": dict(milliseconds),
            "block": _joint(decisions[0]),
            "expected": tree.expected,
            "shape": None if tree.shape is None else (tree.shape.parents, tree.shape.ranks),
            "visits": [_visited(decision) for decision in decisions],
            "drafted": drafted,
            "cut": cut and cut[0],
        }
        return cls(words, {name: _on_the_host(rows) for name, rows in laws.items() if rows})

    @property
    def visits(self) -> list[Visited]:
        """The decisions, from the root down."""
        return [Visited(**visit) for visit in self.words["visits"]]

    @property
    def shapes(self) -> Shapes:
        """Those of `laws`."""
        return [(name, rows[0].dtype.str, (len(rows), len(rows[0]))) for name, rows in self.laws.items()]

    def law(self, name: str) -> Tensor | None:
        """One of `laws`, [n, vocab], if it came along."""
        return torch.from_numpy(np.stack(self.laws[name])) if name in self.laws else None


def _on_the_host(rows: list[Tensor]) -> list[np.ndarray]:
    """In float32, or float64 where they are in that: from where they lie, and from a GPU together."""
    if not rows[0].is_cpu:
        rows = list(torch.stack(rows).cpu())
    return [(row if row.dtype == torch.float64 else row.float()).numpy() for row in rows]


def _visited(decision: Decision) -> Words:
    """The fields of a `Visited`."""
    tokens, tries = decision.scored.tree.tokens, decision.children
    return {
        "vertex": decision.vertex,
        "position": decision.scored.position + decision.depth,
        "token": decision.token,
        "accepted": decision.accepted,
        "children": [tokens[child] for child in tries],
        "tries": tries,
        "tried": decision.tried,
        **({} if decision.verdict is None else _more(decision.verdict, decision.tried)),
    }


def _more(verdict: Verdict, tried: int) -> Words:
    """What a verdict says besides, by the names of `Visited`."""
    ratios, coins = (None if each is None else each[0, :tried].tolist() for each in (verdict.ratios, verdict.coins))
    return {"ratios": ratios, "coins": coins, "predicted": None if verdict.predicted is None else verdict.predicted.item()}


def _cut(decisions: Sequence[Decision]) -> tuple[int, Tensor] | None:
    """The visit at which a sequence was cut that was decided as a whole, and what was left of P there, [vocab]."""
    for visit, decision in enumerate(decisions):
        verdict = decision.verdict
        if verdict is not None and verdict.left is not None and decision.tried > (decision.accepted >= 0):
            return visit, verdict.left[0]
    return None


def _draft_probs(tree: DraftTree, drafted: Collection[int]) -> list[float | None]:
    """Of every vertex, by the law it was drawn from, unless that comes along; from a GPU they come together."""
    drawn = [(vertex, parent, tree.tokens[vertex]) for vertex, parent in enumerate(tree.parents) if parent not in drafted]
    probs: list[float | None] = [None] * len(tree.tokens)
    laws = {parent: tree.q(parent) for _, parent, _ in drawn}
    if not all(law.is_cpu for law in laws.values()):
        found = torch.stack([laws[parent][token] for _, parent, token in drawn]).tolist()
    else:
        read = {parent: law.numpy() for parent, law in laws.items()}  # which gives single numbers sooner
        found = [read[parent].item(token) for _, parent, token in drawn]
    for (vertex, *_), prob in zip(drawn, found, strict=True):
        probs[vertex] = prob
    return probs


def _draws(tree: DraftTree) -> list[int]:
    """How often each vertex was drawn; empty where all draws differ."""
    if sum(map(len, tree.tries.values())) == len(tree.tokens):
        return []
    counts = Counter(chain.from_iterable(tree.tries.values()))
    return [counts[vertex] for vertex in range(len(tree.tokens))]


def _joint(decision: Decision) -> list[tuple[float, ...]]:
    """The whole drafted sequence, as a rule saw it that decides about it as a whole."""
    block = decision.verdict and decision.verdict.block
    if not block:
        return []
    columns = (values[0].tolist() for values in (block.ratios, block.joint, block.keep, block.coins))
    return list(zip(*columns, strict=True))
