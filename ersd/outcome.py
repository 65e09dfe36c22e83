"""What came of a step, as plain numbers and laws on the CPU: all that writing it down needs. So another process can do it (`beside.py`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from .inference import inferring
from .rank_sequence import is_known_for

if TYPE_CHECKING:  # who reads outcomes need not load what makes them, which is much
    from .drafting import DraftTree
    from .rules import Decision, Verdict
    from .walk import ScoredTree, Walk

Words = dict[str, Any]
"""Plain names and numbers, as marshal writes them."""


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
    logits: Tensor
    """float32 [vocab]: the target's, as it gave them; its distribution is made of them once more, which is sooner than having it come"""
    q: Tensor | None = None
    """float64 [vocab]: the law the children were drawn from; None where there are none"""
    left: Tensor | None = None
    """float64 [vocab]: what is left of P where a sequence was cut, of a rule that decides about one; None at every other vertex"""
    ratios: list[float] | None = None
    """as in `Verdict`, like `coins`"""
    coins: list[float] | None = None
    predicted: float | None = None
    """the chance of acceptance, where the rule knew it as it decided"""


@dataclass(frozen=True)
class Outcome:
    """A step: its tree, the decisions on the way through it and its times."""

    words: Words
    """All but the laws: `position`, `tree` and `milliseconds`, as fields of `trace.Step`; `block`, of a sequence decided as a whole the
    figures of `trace.Joint` for each of its tokens; `expected`, tokens per call expected of a tree that was chosen by that; `shape`,
    parents and ranks of the slots of any other; `visits`, the other fields of every `Visited`; `laws`, of every law the visit, its name
    there, its kind and its length; the last one may be of no visit, `leaf`"""
    laws: list[np.ndarray]

    @classmethod
    @inferring
    def of(cls, scored: ScoredTree, way: Walk, milliseconds: Mapping[str, float]) -> Outcome:
        """What came of one step; from a GPU it is copied."""
        tree = scored.tree
        named: list[tuple[int | None, str, Tensor]] = [
            (place, name, law) for place, decision in enumerate(way.decisions) for name, law in _laws(decision)
        ]
        # only runs of which the ranks fix other trees need it
        named += [(None, "leaf", tree.leaf.float())] if tree.leaf is not None and is_known_for(scored.settings) else []
        laws = [law.cpu().numpy() for _, _, law in named]
        words = {
            "position": scored.position,
            "tree": {
                "tokens": tree.tokens,
                "parents": tree.parents,
                "depths": tree.depths,
                "ranks": tree.ranks,
                "draft_probs": _draft_probs(tree),
                "draws": _draws(tree),
                "draft_calls": tree.calls,
                "call_of": tree.call_of,
            },
            "milliseconds": dict(milliseconds),
            "block": _joint(way.decisions[0]),
            "expected": tree.expected,
            "shape": None if tree.shape is None else (tree.shape.parents, tree.shape.ranks),
            "visits": [_said(decision) for decision in way.decisions],
            "laws": [(place, name, law.dtype.str, len(law)) for (place, name, _), law in zip(named, laws, strict=True)],
        }
        return cls(words, laws)

    @property
    def visits(self) -> list[Visited]:
        """The decisions, from the root down."""
        visits: list[Words] = [dict(visit) for visit in self.words["visits"]]
        for (place, name, _, _), law in zip(self.words["laws"], self.laws, strict=True):
            if place is not None:
                visits[place][name] = torch.from_numpy(law)
        return [Visited(**visit) for visit in visits]

    @property
    def leaf(self) -> Tensor | None:
        """As in `DraftTree`, float32."""
        return next(
            (torch.from_numpy(law) for (*_, name, _, _), law in zip(self.words["laws"], self.laws, strict=True) if name == "leaf"), None
        )


def _said(decision: Decision) -> Words:
    """The fields of a `Visited` without the laws."""
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


def _laws(decision: Decision) -> Iterator[tuple[str, Tensor]]:
    """Those of a `Visited`, by their names."""
    q, verdict = decision.q, decision.verdict
    yield "logits", decision.logits.float()
    if q is not None:
        yield "q", q[0]
    if verdict is not None and verdict.left is not None and decision.tried > (decision.accepted >= 0):
        yield "left", verdict.left[0]


def _draft_probs(tree: DraftTree) -> list[float]:
    """Of every vertex, by the law it was drawn from; from a GPU they come together."""
    if not tree.tokens:
        return []
    if not next(iter(tree.q.values())).is_cpu:
        return torch.stack([tree.q[parent][token] for parent, token in zip(tree.parents, tree.tokens, strict=True)]).tolist()
    laws = {vertex: law.numpy() for vertex, law in tree.q.items()}  # which reads single numbers sooner
    return [laws[parent].item(token) for parent, token in zip(tree.parents, tree.tokens, strict=True)]


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
