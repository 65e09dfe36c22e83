"""Record one visited node: its table of tokens, its tries, and what the formulas say there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest
from typing import Any

import torch
from torch import Tensor

from ..draft_tree import NO_TOKEN
from ..rules.argmax import ArgmaxRule
from ..rules.base import Rule
from ..rules.registry import TRAITS
from ..sampling import entropy, harmonic_distance, kl, total_variation
from ..theory import compress, laps_acceptance, optimal_acceptance
from ..walk import VisitedNode
from . import near_ties
from .bounds import has_optimum
from .step import MAX_LEFT, MAX_ROWS, Arrival, Row, Try, Visit
from .temperatures import OtherTemperatures, is_recorded_for
from .tempering import other_temperatures

Column = Sequence[float | None]


def record_visit(visited: VisitedNode, rule: Rule, token_text: Callable[[int], str]) -> Visit:
    """The Visit of a visited node. Raises what the formulas raise of numbers that are not distributions."""
    node = _Node(visited, rule)
    tokens = node.leaders()
    compared, after_rejection, shares = node.contests(tokens)
    return Visit(
        kind="laps" if visited.node in visited.scored.tree.laps else TRAITS[node.settings.algorithm].kind,
        vertex=visited.node,
        tries=node.tries(compared, shares),
        token=visited.token,
        text="" if visited.token == NO_TOKEN else token_text(visited.token),
        accepted=visited.accepted >= 0,
        rank=visited.rank,
        rows=node.rows(tokens, token_text, node.left(tokens, after_rejection)),
        entropy=entropy(node.p).item(),
        margin=node.margin(),
        other_temperatures=node.other_temperatures(tokens, token_text),
        arrivals=[Arrival(*lap) for lap in visited.scored.tree.laps.get(visited.node, ())],
        **node.figures(),
    )


class _Node:
    """The distributions of a visited node on the CPU, and what is read off them."""

    def __init__(self, visited: VisitedNode, rule: Rule) -> None:
        self.visited, self.scored, self.rule = visited, visited.scored, rule
        self.settings = self.scored.settings
        noise, q = self.scored.noise(visited.node), self.scored.q(visited.node)
        self.p = self.scored.p(visited.node)[0].cpu()
        self.q = None if q is None else q[0].cpu()
        self.racing_q = self.q if rule.traits.shares_clocks else None
        self.logits = self.scored.logits[visited.node + 1].float().cpu()
        self.children = [self.scored.tree.tokens[child] for child in visited.children]
        clocks = self.rule.clocks(self.p.unsqueeze(0), noise)
        scores = None if self.q is None else self.rule.scores(self.q.unsqueeze(0), noise)
        self.clocks, self.scores = (None if each is None else each[0] for each in (clocks, scores))

    def leaders(self) -> list[int]:
        """The tokens that matter, at most MAX_ROWS, in the draft's order; without a draft in the target's."""
        orders = [(self.p if self.clocks is None else self.p / self.clocks).log()]
        if self.q is not None:
            orders.insert(0, self.q.log() if self.scores is None else self.scores)
        count = min(MAX_ROWS // 2, self.p.shape[-1])
        # a token that never arrives, or has no probability, does not lead
        firsts = [
            [token for token, score in zip(best.indices.tolist(), best.values.tolist(), strict=True) if score > -math.inf]
            for best in (order.topk(count) for order in orders)
        ]
        mixed = (token for token in chain.from_iterable(zip_longest(*firsts)) if token is not None)
        chosen = [] if self.visited.token == NO_TOKEN else [self.visited.token]
        kept = list(dict.fromkeys([*chosen, *self.children, *mixed]))[:MAX_ROWS]
        columns = [(-order[kept]).tolist() for order in orders]
        # tokens the draft never reaches come last, in the target's order
        return [token for *_, token in sorted(zip(*columns, kept, strict=True))]

    def rows(self, tokens: list[int], token_text: Callable[[int], str], left: list[list[float]]) -> list[Row]:
        """The table's rows for these tokens; `left`: the remaining target probability of each after every rejection."""
        columns = [_at(values, tokens) for values in (self.p, self.q, self.clocks)]
        times = [self._times(self.racing_q, tokens), self._times(self.p, tokens)]
        return [Row(*row) for row in zip(tokens, map(token_text, tokens), *columns, *times, left, strict=True)]

    def contests(self, tokens: list[int]) -> tuple[list[tuple[float, float]], list[list[float]], Column]:
        """Read off the tries of a rule that tries its children one by one; the lists are empty for other rules.

        One contest after the other, since each is as long as the vocabulary.

        Returns:
            For every try the remaining target probability of its token and the probability it was drawn with; for every rejection the
            remaining target probabilities of `tokens`, and the share of P that remains.
        """
        if self.rule.traits.joint or self.q is None:
            return [], [], []
        tried = self.visited.tried
        rejected = tried - (self.visited.accepted >= 0)
        children = torch.tensor([self.children], dtype=torch.int64)
        compared, left, shares = [], [], []
        contests = self.rule.compared(self.p.unsqueeze(0), self.q.unsqueeze(0), children, self.visited.decision)
        for number, contest in enumerate(islice(contests, rejected + 1)):
            if number < tried:
                token = self.children[number]
                compared.append((contest.target[0, token].item(), contest.draft[0, token].item()))
            if number:
                left.append(contest.target[0, tokens].tolist())
                shares.append(None if contest.share is None else float(contest.share))
        return compared, left, shares

    def tries(self, compared: Sequence[tuple[float, float]], shares: Column) -> list[Try]:
        """The children tried, with what was compared at each and what each rejected one left (`contests`)."""
        count, decision = self.visited.tried, self.visited.decision
        if decision.share is not None and self.visited.accepted < 0:
            shares = decision.share.tolist()
        tokens, nothing = self.children[:count], [None] * count
        columns = [_at(values, tokens) for values in (self.p, self.q)]
        coins = [nothing if each is None else each[0, :count].tolist() for each in (decision.ratios, decision.coins)]
        times = [self._times(self.racing_q, tokens), self._times(self.p, tokens)]
        sides = zip(*compared, strict=True) if compared else (nothing, nothing)
        accepted = [number == self.visited.accepted for number in range(count)]
        tries = [Try(*one) for one in zip(self.visited.children[:count], accepted, *columns, *coins, *times, *sides, strict=True)]
        tries = [replace(one, share=share) for one, share in zip_longest(tries, shares)]
        if decision.weights is None or decision.turns is None:
            return tries
        turned = zip(tries, decision.weights[0].tolist(), decision.turns[0].tolist(), strict=True)
        return [replace(one, weight=weight, turn=turn or None, coin=one.coin if turn else None) for one, weight, turn in turned]

    def left(self, tokens: list[int], after_rejection: Sequence[list[float]]) -> list[list[float]]:
        """The remaining target probability of these tokens after each rejection, at most MAX_LEFT numbers for each."""
        residual, columns = self.visited.decision.residual, list(after_rejection)
        if residual is not None and self.visited.accepted < 0:
            columns = [residual[0].cpu()[tokens].tolist()]
        if len(columns) > MAX_LEFT:
            columns = [*columns[: MAX_LEFT - 1], columns[-1]]
        return [list(column) for column in zip(*columns, strict=True)] or [[] for _ in tokens]

    def figures(self) -> dict[str, Any]:
        """Distances of the two distributions, the acceptance predicted for this rule, and the most it can be."""
        if self.q is None:
            return {}
        k, decision, with_replacement = len(self.children), self.visited.decision, self.rule.traits.with_replacement
        tokens = compress(self.p, self.q) if with_replacement is False else None
        figures: dict[str, Any] = {
            "tv": total_variation(self.p, self.q).item(),
            "kl": _finite(kl(self.p, self.q).item()),
            "d_hm": harmonic_distance(self.p, self.q).item(),
            **self.rule.figures(self.p, self.q, k, tokens),
        }
        if has_optimum(self.settings):
            figures["optimum"] = optimal_acceptance(self.p, self.q, k, bool(with_replacement), tokens)
        if laps := self.scored.tree.laps.get(self.visited.node):
            figures["predicted"] = laps_acceptance(self.p, self.q, len(laps))
        if decision.predicted is not None:
            figures["predicted"] = decision.predicted.item()
        return figures

    def margin(self) -> float | None:
        """How far two logits would have to move for another token to win; None unless the target alone chooses."""
        if not isinstance(self.rule, ArgmaxRule):
            return None
        return _finite(near_ties.margin(self.logits, self.settings, None if self.clocks is None else self.clocks.log()))

    def other_temperatures(self, tokens: list[int], token_text: Callable[[int], str]) -> OtherTemperatures | None:
        """What the race needs at other temperatures, beside the rows of these tokens; None where it is not recorded."""
        if self.clocks is None or not is_recorded_for(self.settings):
            return None
        tree, depth = self.scored.tree, self.scored.tree.depth(self.visited.node)
        most = max((len(children) for node, children in tree.tries.items() if tree.depth(node) == depth), default=1)
        return other_temperatures(self.p, self.q, self.clocks, self.settings.temperature, tokens, most, token_text)

    def _times(self, distribution: Tensor | None, tokens: list[int]) -> Column:
        """Arrival times E / p; None for a token that never arrives, or later than a float can hold."""
        if distribution is None or self.clocks is None:
            return [None] * len(tokens)
        return [_finite(time) for time in (self.clocks[tokens] / distribution[tokens]).tolist()]


def _at(values: Tensor | None, tokens: list[int]) -> Column:
    """The values of these tokens; None where there are none."""
    return [None] * len(tokens) if values is None else values[tokens].tolist()


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value
