"""What is written down of a visited vertex. With 16 drafted tokens it takes half as long as it takes to decode."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain, islice, zip_longest
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from ..randomness import Noise
from ..rules.base import Contest, place_in_order
from ..rules.builtin import RULES, Rule
from ..sampling import entropy
from ..settings import Settings
from .model import MOST_LEFT, MOST_ROWS
from .outcome import Visited
from .vertex_theory import vertex_theory

Facts = dict[str, Any]
"""Of a visit, by the names of `trace.Visit`. `rows` and `tries` are lists of columns, in the order of the fields of `trace.Row` without the
texts and of `trace.Try` without the vertices."""
Column = Sequence[float | None]
_NOTHING: tuple[float | None, float | None] = (None, None)
"""What met at a try of a rule that does not try one by one."""


class VertexLaws(NamedTuple):
    """At a visited vertex."""

    p: Tensor
    """float64 [vocab]: the target's distribution"""
    logits: Tensor
    """[vocab]: the target's, as it gave them"""
    q: Tensor | None = None
    """float64 [vocab]: the distribution the children were drawn from; None where there are none"""
    left: Tensor | None = None
    """float64 [vocab]: what is left of P where a sequence was cut, of a rule that decides about one; None at every other vertex"""


@torch.inference_mode()
def vertex_record(settings: Settings, vertices: Sequence[Visited], laws: Sequence[VertexLaws]) -> list[Facts]:
    """What is written down of every vertex. Raises what the formulas raise of laws that are none."""
    rule = RULES[settings.algorithm].with_settings(settings)
    drafted = [(at.p, at.q, len(each.children)) for at, each in zip(laws, vertices, strict=True) if at.q is not None]
    theory = iter(vertex_theory(settings, drafted))
    tables = [_Table(rule, settings, *each) for each in zip(laws, vertices, strict=True)]
    return [{**({} if table.q is None else next(theory)), **table.facts()} for table in tables]


class _Table:
    """Probabilities and arrival times at one vertex. Many small reads follow, which numpy does sooner than torch."""

    def __init__(self, rule: Rule, settings: Settings, laws: VertexLaws, visited: Visited) -> None:
        self.rule, self.settings, self.visited = rule, settings, visited
        (self.p, self.logits, self.q, self.left), self.noise = laws, Noise(settings.seed, visited.position)
        clocks = rule.clocks(self.p.unsqueeze(0), self.noise)
        leads = None if self.q is None else rule.leads(self.q.log().unsqueeze(0), self.noise)
        self.clocks, self.leads = (None if each is None else each[0] for each in (clocks, leads))

    def facts(self) -> Facts:
        """All of it but what the formulas say, unless the rule said it before them."""
        visited = self.visited
        known = {} if visited.predicted is None else {"predicted": visited.predicted}
        tokens = self.leaders([visited.token, *visited.children])
        met, left = self.contests(tokens)
        return {
            "rows": self.rows(tokens, left),
            "tries": self.tries(met),
            "rank": self.rank(),
            "entropy": entropy(self.p).item(),
            "margin": _finite(self.rule.margin(self.logits, self.settings, self.noise)),
            **known,
        }

    def rank(self) -> int | None:
        """As `Decision.rank`."""
        if self.visited.accepted >= 0:
            return self.visited.accepted + 1
        return None if self.leads is None else place_in_order(self.leads, self.visited.token)

    def rows(self, tokens: list[int], left: list[list[float]]) -> list[Any]:
        """The rows of these tokens; `left` is what every rejection left of each."""
        columns = [_of(law, tokens) for law in (self.p, self.q, self.clocks)]
        return [tokens, *columns, *(self._times(law, tokens) for law in (self.q, self.p)), left]

    def tries(self, met: Sequence[tuple[float | None, float | None]]) -> list[Any]:
        """The children tried, with what met there: what was left of P of the token, and what it was drawn with."""
        count = self.visited.tried
        if not count:
            return []
        tokens = self.visited.children[:count]
        is_accepted = [number == self.visited.accepted for number in range(count)]
        columns = [_of(law, tokens) for law in (self.p, self.q)]
        coins = [[None] * count if each is None else each for each in (self.visited.ratios, self.visited.coins)]
        times = [self._times(law, tokens) for law in (self.q, self.p)]
        return [is_accepted, *columns, *coins, *times, *map(list, zip(*(met or [_NOTHING] * count), strict=True))]

    def _times(self, law: Tensor | None, tokens: list[int]) -> Column:
        """Arrival times of the tokens under a law; None for one that never arrives, or later than a number can say."""
        if law is None or self.clocks is None:
            return [None] * len(tokens)
        with np.errstate(divide="ignore", over="ignore"):
            return [_finite(time) for time in (self.clocks.numpy()[tokens] / law.numpy()[tokens]).tolist()]

    def leaders(self, always: list[int]) -> list[int]:
        """The tokens that matter, at most MOST_ROWS, in the draft's order; without a draft in the target's."""
        orders = [(self.p if self.clocks is None else self.p / self.clocks).log()]
        if self.q is not None:
            orders.insert(0, self.q.log() if self.leads is None else self.leads)
        count = min(MOST_ROWS // 2, self.p.shape[-1])
        # a token that never arrives, or has no probability, does not lead
        firsts = [
            [i for i, value in zip(best.indices.tolist(), best.values.tolist(), strict=True) if value > -math.inf]
            for best in (each.topk(count) for each in orders)
        ]
        mixed = (token for token in chain.from_iterable(zip_longest(*firsts)) if token is not None)
        kept = list(dict.fromkeys([*always, *mixed]))[:MOST_ROWS]
        values = [(-each.numpy()[kept]).tolist() for each in orders]
        # tokens the draft never reaches come last, in the target's order
        return [token for *_, token in sorted(zip(*values, kept, strict=True))]

    def contests(self, tokens: list[int]) -> tuple[list[tuple[float, float]], list[list[float]]]:
        """What met at each try of a rule that tries its children one by one: what was left of P of the token tried, and what it was drawn
        with. And what each rejection left of P of `tokens`, the rows of the table: MOST_LEFT numbers for each; of a rule that decides about
        a sequence what its cut left. Both empty for other rules.
        """
        if self.rule.traits.joint:
            return [], [[] if self.left is None else [self.left.numpy()[token].item()] for token in tokens]
        tried, children = self.visited.tried, self.visited.children
        rejected = tried - (self.visited.accepted >= 0)
        met, left = [], []
        for number, contest in enumerate(islice(self._met(), rejected + 1)):
            if number < tried:
                met.append(tuple(law[0].numpy()[children[number]].item() for law in (contest.left, contest.drawn_from)))
            if number:
                left.append(contest.left[0].numpy()[tokens].tolist())
        if len(left) > MOST_LEFT:
            left = [*left[: MOST_LEFT - 1], left[-1]]
        return met, [list(column) for column in zip(*left, strict=True)] or [[] for _ in tokens]

    def _met(self) -> Iterator[Contest]:
        """One after the other and not kept: at 152,000 tokens each takes a megabyte."""
        if self.q is None:
            return iter(())
        children = torch.tensor([self.visited.children], dtype=torch.int64)
        return self.rule.contests(self.p.unsqueeze(0), self.q.unsqueeze(0), children)


def _of(law: Tensor | None, tokens: list[int]) -> Column:
    """What a law, or the clocks, say of tokens; None where there is none."""
    return [None] * len(tokens) if law is None else law.numpy()[tokens].tolist()


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value
