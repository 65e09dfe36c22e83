"""What happened, written down: tensors and verdicts become the plain data of trace.py."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain, islice, zip_longest

import torch
from torch import Tensor

from .distributions import entropy, harmonic_distance, kl, total_variation
from .models import ModelPair
from .randomness import Noise
from .rules import Rule, Verdict
from .rules.block import BlockVerdict
from .rules.gsd import RecursiveRejection
from .rules.kseq import KSequential
from .rules.lossy import Lenient
from .settings import Settings
from .theory import kseq_rho, length_bound, optimal_acceptance, race_match
from .topologies import RankLaw
from .trace import Emitted, Joint, Row, Step, Try, Visit
from .trees import DraftTree

MOST_ROWS = 20
MOST_LEFT = 16
"""Residuals written down per vertex: of more the first ones and the last."""


def visit_of(
    pair: ModelPair, tree: DraftTree, vertex: int, rule: Rule, p: Tensor, q: Tensor | None, verdict: Verdict, noise: Noise
) -> Visit:
    """The record of one visited vertex.

    Args:
        p, q: float64 [1, vocab]; q is None where nothing was drafted.
        verdict: of this one vertex.
    """
    p, q = p.cpu(), None if q is None else q.cpu()  # many small reads follow
    tries = tree.tries.get(vertex, [])
    token, accepted = int(verdict.tokens), int(verdict.accepted)
    tried = int(verdict.tried)
    table = _Table(rule, p, q, noise)
    children = [tree.tokens[child] for child in tries]
    gap = None
    if table.target_log is not None:
        first, second = table.target_log.topk(2, largest=False).values.tolist() if p.shape[-1] > 1 else (0.0, math.inf)
        gap = _finite(second - first)
    contests = _contests(rule, p, q, children, tried + (accepted < 0))
    return Visit(
        vertex=vertex,
        tries=[_try(table, contests, child, tree.tokens[child], i, verdict, i == accepted) for i, child in enumerate(tries[:tried])],
        token=token,
        text=pair.token_text(token),
        accepted=accepted >= 0,
        rank=_rank(table, token, accepted),
        rows=_rows(pair, table, [p for p, _ in contests[1:]], [token, *children]),
        entropy=entropy(p[0]).item(),
        gap=gap,
        **_distances(rule, p[0], None if q is None else q[0], len(tries), verdict),
    )  # fmt: skip


def _distances(rule: Rule, p: Tensor, q: Tensor | None, k: int, verdict: Verdict) -> dict[str, float | None]:
    if q is None:
        return {}
    match = race_match(p, q)
    # for a race with one child the same number; not worked out twice, it costs as much as all the rest here
    predicted = match if rule.race and k == 1 else rule.acceptance(p, q, k)
    return {
        "tv": total_variation(p, q).item(),
        "kl": _finite(kl(p, q).item()),
        "d_hm": harmonic_distance(p, q).item(),
        "match": match,
        "predicted": predicted if verdict.predicted is None else verdict.predicted.item(),
        "optimum": optimal_acceptance(p, q, k),
        "rho": kseq_rho(p, q, k) if isinstance(rule, KSequential) else None,
        "bias": rule.bias(p, q) if isinstance(rule, Lenient) else None,
    }


def _contests(rule: Rule, p: Tensor, q: Tensor | None, children: list[int], count: int) -> list[tuple[Tensor, Tensor]]:
    """What met at the first `count` tries of a rejection rule (one more than the children: what is left at the end); else nothing."""
    if q is None or rule.joint or not isinstance(rule, RecursiveRejection):
        return []
    met = rule.contests(p, q, torch.tensor([children], dtype=torch.int64, device=p.device))
    return [(left[0], drawn_from[0]) for left, drawn_from in islice(met, count)]


def _rows(pair: ModelPair, table: _Table, left: list[Tensor], always: list[int]) -> list[Row]:
    """The table of a vertex; `left` is what each rejection left of P."""
    if len(left) > MOST_LEFT:
        left = [*left[: MOST_LEFT - 1], left[-1]]
    tokens = table.leaders(always)
    remaining = torch.stack(left)[:, tokens].T.tolist() if left else [[] for _ in tokens]
    return [replace(table.row(pair, token), left=rest) for token, rest in zip(tokens, remaining, strict=True)]


class _Table:
    """Probabilities and arrival times at one vertex."""

    def __init__(self, rule: Rule, p: Tensor, q: Tensor | None, noise: Noise) -> None:
        self.p = p[0]
        self.q = None if q is None else q[0]
        clocks = noise.log_clocks(p)[0] if rule.race else None
        self.clocks = clocks
        self.target_log = None if clocks is None else clocks - self.p.log()
        self.draft_log = None if clocks is None or self.q is None else clocks - self.q.log()
        self.order = None if q is None or not rule.ordered else rule.order(q, noise)[0]

    def row(self, pair: ModelPair, token: int) -> Row:
        return Row(
            token=token,
            text=pair.token_text(token),
            p=self.p[token].item(),
            q=None if self.q is None else self.q[token].item(),
            clock=None if self.clocks is None else math.exp(self.clocks[token]),
            draft_time=_time(self.draft_log, token),
            target_time=_time(self.target_log, token),
        )

    def leaders(self, always: list[int]) -> list[int]:
        """The tokens that matter, at most MOST_ROWS, in the draft's order; without a draft in the target's."""
        by_target = -self.p if self.target_log is None else self.target_log
        by_draft = self.order if self.order is not None else None if self.q is None else -self.q
        orders = [each for each in (by_draft, by_target) if each is not None]
        count = min(MOST_ROWS // 2, self.p.shape[-1])
        # a token that never arrives, or has no probability, does not lead
        firsts = [
            [i for i, value in zip(best.indices.tolist(), best.values.tolist(), strict=True) if value not in (math.inf, 0.0)]
            for best in (each.topk(count, largest=False) for each in orders)
        ]
        mixed = (token for token in chain.from_iterable(zip_longest(*firsts)) if token is not None)
        kept = list(dict.fromkeys([*always, *mixed]))[:MOST_ROWS]
        values = [each[torch.tensor(kept, device=each.device)].tolist() for each in orders]
        # tokens the draft never reaches come last, in the target's order
        return [token for _, token in sorted(zip(zip(*values, strict=True), kept, strict=True))]


def _try(
    table: _Table, contests: list[tuple[Tensor, Tensor]], vertex: int, token: int, number: int, verdict: Verdict, accepted: bool
) -> Try:
    assert table.q is not None, "a child has a draft distribution"
    left, drawn = (one[token].item() for one in contests[number]) if contests else (None, None)
    return Try(
        vertex=vertex,
        accepted=accepted,
        p=table.p[token].item(),
        q=table.q[token].item(),
        ratio=None if verdict.ratios is None else verdict.ratios[0, number].item(),
        coin=None if verdict.coins is None else verdict.coins[0, number].item(),
        draft_time=_time(table.draft_log, token),
        target_time=_time(table.target_log, token),
        left=left,
        drawn=drawn,
    )


def _rank(table: _Table, token: int, accepted: int) -> int | None:
    if table.order is None:
        return accepted + 1 if accepted >= 0 else None
    if table.order[token].isinf():
        return None
    return int((table.order < table.order[token]).sum()) + 1


def _time(log_times: Tensor | None, token: int) -> float | None:
    if log_times is None:
        return None
    exponent = log_times[token].item()
    return _finite(math.exp(exponent) if exponent < 700 else math.inf)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


class Scribe:
    """Writes the Steps of one run, and turns its tokens into text as they come."""

    def __init__(self, pair: ModelPair, prompt: list[int], settings: Settings) -> None:
        self.pair = pair
        self.k = settings.vertices
        self.law = RankLaw()
        self.count = 0
        self.ids = list(prompt)
        self.start, self.read = max(0, len(prompt) - 4), len(prompt)

    def step(self, position: int, tree: DraftTree, walk: list[Visit], block: BlockVerdict | None, times: dict[str, float]) -> Step:
        """The next Step."""
        for visit in walk:
            if visit.tries:
                self.law.observe(visit.rank, len(visit.tries))
        rank_entropy = self.law.entropy()
        emitted = [
            Emitted(
                token=visit.token,
                text=self._piece(visit.token),
                source="draft" if visit.accepted else "target",
                near_tie=visit.gap is not None and visit.gap < self.pair.logit_noise,
            )
            for visit in walk
        ]
        self.count += 1
        return Step(
            index=self.count - 1,
            position=position,
            tokens=tree.tokens,
            parents=tree.parents,
            depths=tree.depths,
            draft_probs=tree.draft_probs,
            ranks=tree.ranks,
            texts=[self.pair.token_text(token) for token in tree.tokens],
            walk=walk,
            emitted=emitted,
            expected=tree.expected,
            block=_joint(tree, block),
            rank_entropy=rank_entropy,
            bound=_finite(length_bound(self.pair.vocab_size, self.k, rank_entropy)) if rank_entropy and self.k else None,
            **times,
        )

    def _piece(self, token: int) -> str:
        """What the token adds to the text. A character of several tokens appears with its last one."""
        self.ids.append(token)
        before = self.pair.text(self.ids[self.start : self.read])
        after = self.pair.text(self.ids[self.start :])
        if len(after) <= len(before) or after.endswith("�"):
            return ""
        self.start, self.read = self.read, len(self.ids)
        return after[len(before) :]


def _joint(tree: DraftTree, block: BlockVerdict | None) -> list[Joint]:
    """The whole drafted sequence as a block rule saw it."""
    if block is None:
        return []
    joint, keep, coins = (values[0].tolist() for values in (block.joint, block.keep, block.coins))
    ratios = block.ratios[0].tolist()
    return [Joint(i, ratios[i], joint[i], keep[i], coins[i]) for i in range(len(tree.tokens))]
