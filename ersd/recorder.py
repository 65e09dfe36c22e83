"""What happened, written down: decisions become the plain data of trace.py. Nothing that is generated depends on it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

import torch

from .beside import BESIDE
from .cache import ROOT
from .drafting import DraftTree
from .limits import has_length_bound
from .models import ModelPair
from .rank_law import RankLaw
from .rules import Decision
from .settings import Settings
from .theory import length_bound
from .topologies import expected_of
from .trace import Emitted, Joint, Row, Step, Try, Visit
from .vertex_record import Facts, Visited
from .walk import ScoredTree, Walk


class Recorder:
    """Writes the Steps of one run, and turns its tokens into text as they come."""

    def __init__(self, pair: ModelPair, prompt: list[int], settings: Settings) -> None:
        self.pair, self.settings = pair, settings
        self.law = RankLaw(pair.hazards.get(settings.algorithm, ()))
        self.count = 0
        self.ids = list(prompt)
        self.start, self.read = max(0, len(prompt) - 4), len(prompt)

    @torch.inference_mode()
    def begin(self, scored: ScoredTree, way: Walk, milliseconds: Mapping[str, float]) -> Callable[[], Step]:
        """Begins to write the next Step down; the function returned ends it. What takes longest is worked out `beside` until then.

        `milliseconds` are those of its fields whose names end in _ms. Steps are ended in the order in which they were begun.
        """
        facts = BESIDE.ask(self.settings, [Visited.of(decision) for decision in way.decisions])
        return lambda: self._step(scored, way, milliseconds, facts())

    @torch.inference_mode()
    def _step(self, scored: ScoredTree, way: Walk, milliseconds: Mapping[str, float], facts: Sequence[Facts]) -> Step:
        tree = scored.tree
        expected = self._expected(tree)
        visits = [self._visit(*each) for each in zip(way.decisions, facts, strict=True)]
        for visit in visits:
            if visit.tries:
                self.law.observe(visit.rank, len(visit.tries))
        rank_entropy = self.law.entropy()
        self.count += 1
        return Step(
            index=self.count - 1,
            position=scored.position,
            tokens=tree.tokens,
            parents=tree.parents,
            depths=tree.depths,
            draft_probs=_draft_probs(tree),
            ranks=tree.ranks,
            texts=[self.pair.token_text(token) for token in tree.tokens],
            walk=visits,
            emitted=[self._emitted(visit) for visit in visits],
            expected=expected,
            block=_joint(way.decisions[0]),
            draws=_draws(tree),
            draft_calls=tree.calls,
            call_of=tree.call_of,
            rank_entropy=rank_entropy,
            bound=self._bound(rank_entropy),
            **milliseconds,
        )

    def _expected(self, tree: DraftTree) -> float | None:
        """Tokens per call expected of a tree, by what was seen before it."""
        return tree.expected if tree.shape is None else expected_of(tree.shape, self.law)

    def _visit(self, decision: Decision, facts: Facts) -> Visit:
        """The record of one visited vertex."""
        text = self.pair.token_text
        tokens, *columns = facts["rows"]
        rows = [Row(*row) for row in zip(tokens, map(text, tokens), *columns, strict=True)]
        tries = [Try(*tried) for tried in zip(decision.children, *facts["tries"], strict=False)] if facts["tries"] else []
        return Visit(
            kind=decision.rule.traits.kind,
            vertex=decision.vertex,
            token=decision.token,
            text=text(decision.token),
            accepted=decision.accepted >= 0,
            rank=decision.rank,
            **{**facts, "rows": rows, "tries": tries},
        )

    def _bound(self, rank_entropy: float | None) -> float | None:
        """The bound on tokens per call by the entropy measured; None where it limits nothing."""
        if not rank_entropy or not has_length_bound(self.settings):
            return None
        return _finite(length_bound(self.pair.vocab_size, self.settings.vertices, rank_entropy))

    def _emitted(self, visit: Visit) -> Emitted:
        return Emitted(
            token=visit.token,
            text=self._piece(visit.token),
            source="draft" if visit.accepted else "target",
            # each of two logits may be off by the noise
            near_tie=visit.margin is not None and visit.margin < 2 * self.pair.logit_noise,
        )

    def _piece(self, token: int) -> str:
        """What the token adds to the text. A character of several tokens appears with its last one."""
        self.ids.append(token)
        before = self.pair.text(self.ids[self.start : self.read])
        after = self.pair.text(self.ids[self.start :])
        if len(after) <= len(before) or after.endswith("\ufffd"):
            return ""
        self.start, self.read = self.read, len(self.ids)
        return after[len(before) :]


def _draft_probs(tree: DraftTree) -> list[float]:
    """Of every vertex, by the law it was drawn from; from a GPU they come together."""
    if not tree.tokens:
        return []
    if not tree.q[ROOT].is_cpu:
        return torch.stack([tree.q[parent][token] for parent, token in zip(tree.parents, tree.tokens, strict=True)]).tolist()
    laws = {vertex: law.numpy() for vertex, law in tree.q.items()}  # which reads single numbers sooner
    return [laws[parent].item(token) for parent, token in zip(tree.parents, tree.tokens, strict=True)]


def _draws(tree: DraftTree) -> list[int]:
    """How often each vertex was drawn; empty where all draws differ."""
    counts = Counter(chain.from_iterable(tree.tries.values()))
    draws = [counts[vertex] for vertex in range(len(tree.tokens))]
    return draws if any(count > 1 for count in draws) else []


def _joint(decision: Decision) -> list[Joint]:
    """The whole drafted sequence, as a rule saw it that decides about it as a whole."""
    block = decision.verdict and decision.verdict.block
    if not block:
        return []
    columns = (values[0].tolist() for values in (block.ratios, block.joint, block.keep, block.coins))
    return [Joint(vertex, *values) for vertex, values in enumerate(zip(*columns, strict=True))]


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value
