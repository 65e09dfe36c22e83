"""What happened, written down: decisions become the plain data of trace.py. Nothing that is generated depends on it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, islice, zip_longest

import numpy as np
import torch
from torch import Tensor

from .beside import BESIDE
from .distributions import entropy
from .drafting import DraftTree
from .limits import has_length_bound
from .models import ModelPair
from .rank_law import RankLaw
from .rules import Decision
from .settings import Settings
from .theory import length_bound
from .topologies import expected_of
from .trace import MOST_LEFT, MOST_ROWS, Emitted, Joint, Row, Step, Try, Visit
from .vertex_theory import Figures
from .walk import ScoredTree, Walk

_NOTHING: tuple[float | None, float | None] = (None, None)
"""What met at a try of a rule that does not try one by one."""


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
        tables = [_Table(decision) for decision in way.decisions]
        theory = BESIDE.ask(self.settings, [(table.p, table.q, table.children) for table in tables if table.q is not None])
        return lambda: self._step(scored, way, milliseconds, tables, theory())

    @torch.inference_mode()
    def _step(
        self, scored: ScoredTree, way: Walk, milliseconds: Mapping[str, float], tables: list[_Table], theory: Iterable[Figures]
    ) -> Step:
        tree = scored.tree
        expected = self._expected(tree)
        told = iter(theory)  # of a vertex without a draft nothing
        figures = [{} if table.q is None else {**next(told), **table.predicted} for table in tables]
        visits = [self._visit(scored, *each) for each in zip(way.decisions, tables, figures, strict=True)]
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

    def _visit(self, scored: ScoredTree, decision: Decision, table: _Table, theory: Figures) -> Visit:
        """The record of one visited vertex."""
        rule, tree, verdict = decision.rule, scored.tree, decision.verdict
        token, accepted = decision.token, decision.accepted >= 0
        tried = decision.children[: int(verdict.tried)]
        children = [tree.tokens[child] for child in decision.children]
        tokens = table.leaders([token, *children])
        met, left = _contests(decision, children, tokens)
        return Visit(
            kind=rule.traits.kind,
            vertex=decision.vertex,
            tries=table.tries(tried, children[: len(tried)], met),
            token=token,
            text=self.pair.token_text(token),
            accepted=accepted,
            rank=decision.rank,
            rows=table.rows(self.pair, tokens, left),
            entropy=entropy(table.p).item(),
            margin=_finite(rule.margin(decision.logits, self.settings, decision.noise)),
            **theory,
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


class _Table:
    """Probabilities and arrival times at one vertex, on the CPU. Many small reads follow, which numpy does sooner than torch."""

    def __init__(self, decision: Decision) -> None:
        self.verdict = decision.verdict
        self.accepted = decision.accepted
        self.children = len(decision.children)
        predicted = decision.verdict.predicted
        self.predicted: Figures = {} if predicted is None else {"predicted": predicted.item()}
        """Known already to a rule that decides by it."""
        p, q = decision.p.cpu(), None if decision.q is None else decision.q.cpu()
        clocks, speeds = decision.rule.clocks(p, decision.noise), None if q is None else decision.rule.speeds(q, decision.noise)
        self.p, self.q = p[0], None if q is None else q[0]
        self.speeds = None if speeds is None else speeds[0]
        self.clocks = None if clocks is None else clocks[0]

    def rows(self, pair: ModelPair, tokens: list[int], left: list[list[float]]) -> list[Row]:
        """The rows of these tokens; `left` is what every rejection left of each."""
        columns = [_of(law, tokens) for law in (self.p, self.q, self.clocks)]
        times = [self._times(law, tokens) for law in (self.q, self.p)]
        return [
            Row(token, pair.token_text(token), p, q, clock, draft, target, rest)
            for token, p, q, clock, draft, target, rest in zip(tokens, *columns, *times, left, strict=True)
        ]

    def tries(self, vertices: list[int], tokens: list[int], met: Sequence[tuple[float | None, float | None]]) -> list[Try]:
        """The tries of these children, with what met there: what was left of P of the token, and what it was drawn with."""
        if not vertices:
            return []
        count = len(vertices)
        ratios, coins = ([None] * count if each is None else each[0, :count].tolist() for each in (self.verdict.ratios, self.verdict.coins))
        columns = [_of(law, tokens) for law in (self.p, self.q)]
        times = [self._times(law, tokens) for law in (self.q, self.p)]
        tried = zip(vertices, *columns, ratios, coins, *times, met or [_NOTHING] * count, strict=True)
        return [
            Try(vertex, number == self.accepted, p, q, ratio, coin, draft, target, left=met_left, drawn=met_drawn)
            for number, (vertex, p, q, ratio, coin, draft, target, (met_left, met_drawn)) in enumerate(tried)
        ]

    def _times(self, law: Tensor | None, tokens: list[int]) -> Sequence[float | None]:
        """Arrival times of the tokens under a law; None for one that never arrives, or later than a number can say."""
        if law is None or self.clocks is None:
            return [None] * len(tokens)
        with np.errstate(divide="ignore", over="ignore"):
            return [_finite(time) for time in (self.clocks.numpy()[tokens] / law.numpy()[tokens]).tolist()]

    def leaders(self, always: list[int]) -> list[int]:
        """The tokens that matter, at most MOST_ROWS, in the draft's order; without a draft in the target's."""
        orders = [self.p if self.clocks is None else self.p / self.clocks]
        if self.q is not None:
            orders.insert(0, self.q if self.speeds is None else self.speeds)
        count = min(MOST_ROWS // 2, self.p.shape[-1])
        # a token that never arrives, or has no probability, does not lead
        firsts = [
            [i for i, value in zip(best.indices.tolist(), best.values.tolist(), strict=True) if value]
            for best in (each.topk(count) for each in orders)
        ]
        mixed = (token for token in chain.from_iterable(zip_longest(*firsts)) if token is not None)
        kept = list(dict.fromkeys([*always, *mixed]))[:MOST_ROWS]
        values = [(-each.numpy()[kept]).tolist() for each in orders]
        # tokens the draft never reaches come last, in the target's order
        return [token for *_, token in sorted(zip(*values, kept, strict=True))]


def _of(law: Tensor | None, tokens: list[int]) -> Sequence[float | None]:
    """What a law, or the clocks, say of tokens; None where there is none."""
    return [None] * len(tokens) if law is None else law.numpy()[tokens].tolist()


def _contests(decision: Decision, children: list[int], tokens: list[int]) -> tuple[list[tuple[float, float]], list[list[float]]]:
    """What met at each try of a rule that tries its `children` one by one: what was left of P of the token tried, and what it was drawn
    with. And what each rejection left of P of `tokens`, the rows of the table: MOST_LEFT numbers for each; of a rule that decides about a
    sequence what its cut left. Both empty for other rules.

    Residuals are looked at one after the other and not kept: at 152,000 tokens each takes a megabyte.
    """
    if decision.q is None:
        return [], [[] for _ in tokens]
    tried = int(decision.verdict.tried)
    rejected = tried - (decision.accepted >= 0)
    if decision.verdict.left is not None:
        return [], [[each] * rejected for each in decision.verdict.left[0].cpu().numpy()[tokens].tolist()]
    met, left = [], []
    contests = decision.rule.contests(decision.p.cpu(), decision.q.cpu(), torch.tensor([children], dtype=torch.int64))
    for number, contest in enumerate(islice(contests, rejected + 1)):
        if number < tried:
            met.append(tuple(law[0].numpy()[children[number]].item() for law in (contest.left, contest.drawn_from)))
        if number:
            left.append(contest.left[0].numpy()[tokens].tolist())
    if len(left) > MOST_LEFT:
        left = [*left[: MOST_LEFT - 1], left[-1]]
    return met, [list(column) for column in zip(*left, strict=True)] or [[] for _ in tokens]


def _draft_probs(tree: DraftTree) -> list[float]:
    """Of every vertex, by the law it was drawn from; from a GPU they come together."""
    drawn = [tree.q[parent][token] for parent, token in zip(tree.parents, tree.tokens, strict=True)]
    return torch.stack(drawn).tolist() if drawn else []


def _draws(tree: DraftTree) -> list[int]:
    """How often each vertex was drawn; empty where all draws differ."""
    counts = Counter(chain.from_iterable(tree.tries.values()))
    draws = [counts[vertex] for vertex in range(len(tree.tokens))]
    return draws if any(count > 1 for count in draws) else []


def _joint(decision: Decision) -> list[Joint]:
    """The whole drafted sequence, as a rule saw it that decides about it as a whole."""
    block = decision.verdict.block
    if block is None:
        return []
    columns = (values[0].tolist() for values in (block.ratios, block.joint, block.keep, block.coins))
    return [Joint(vertex, *values) for vertex, values in enumerate(zip(*columns, strict=True))]


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value
