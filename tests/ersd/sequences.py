"""Whole sequences by a rule's own code, a million at once: what the engine does along the path it walks, over laws that are tables.

At every depth the children of the vertex walked to are drawn and decided about; where the walk has ended the target writes on alone. So the
joint law of the tokens must be the target's, and whatever a decision gets wrong, at any depth, shows in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from ersd.randomness import Noise, uniforms
from ersd.rules.block import BlockVerdict
from ersd.rules.builtin import Rule, Decision
from ersd.sampling import sample

from .laws import pooled_pvalue

OTHER = 9
"""A stream no rule uses: for what the target writes by itself."""

P = (0.12, 0.53, 0.07, 0.28)
Q = (0.48, 0.42, 0.1, 0.0)
"""With these the rarest branch of every rule is frequent (the second of two tries is accepted with .11 to .25) and the law of the tokens
in every branch is far from P: of 400 random pairs of laws the one that shows most of a fault in the branch that shows least."""


@dataclass(frozen=True)
class Tables:
    """Target and draft law behind every prefix: by its length, float64 [vocab ** length, vocab]."""

    p: list[Tensor]
    q: list[Tensor]

    @property
    def vocab(self) -> int:
        return self.p[0].shape[-1]

    def joint(self, length: int) -> Tensor:
        """The target's law of the first `length` tokens, [vocab ** length]."""
        law = torch.ones(1, dtype=torch.float64)
        for table in self.p[:length]:
            law = (law[:, None] * table).flatten()
        return law


def random_tables(vocab: int, length: int, seed: int, spread: float = 1.3) -> Tables:
    """Target and draft that have nothing to do with one another, behind every prefix of up to `length` - 1 tokens."""
    generator = torch.Generator().manual_seed(seed)
    p, q = (
        [(spread * torch.randn(vocab**depth, vocab, generator=generator, dtype=torch.float64)).softmax(-1) for depth in range(length)]
        for _ in range(2)
    )
    return Tables(p, q)


def turned(length: int) -> Tables:
    """P and Q, their tokens renamed behind every prefix in another way."""
    tables = Tables([], [])
    for depth in range(length):
        turns = [(7 * prefix + prefix // 4) % 4 for prefix in range(4**depth)]
        for law, found in ((torch.tensor(P, dtype=torch.float64), tables.p), (torch.tensor(Q, dtype=torch.float64), tables.q)):
            found.append(torch.stack([law.roll(turn) for turn in turns]))
    return tables


@dataclass(frozen=True)
class Stage:
    """What was decided at one depth of every sequence, where its walk came so far."""

    p: Tensor
    children: Tensor
    """int64 [n, k]"""
    verdict: Decision
    position: Tensor


def stages(rule: Rule, tables: Tables, branching: tuple[int, ...], trials: int, seed: int = 1) -> list[Stage]:
    """The decisions at every depth, and at the leaf behind them. Where a walk has ended what follows is of no meaning."""
    positions = torch.arange(trials) * (len(branching) + 1)
    if rule.traits.joint:
        return _sequence(rule, tables, len(branching), positions, seed)
    prefix, found = torch.zeros(trials, dtype=torch.int64), []
    for depth, k in enumerate((*branching, 0)):
        noise, p, q = Noise(seed, positions + depth), tables.p[depth][prefix], None
        children = torch.empty(trials, 0, dtype=torch.int64)
        if k:
            q = tables.q[depth][prefix]
            children = rule.draft(q, k, noise, [depth])
            children = children[:, (children >= 0).all(0)]  # Q has as many tokens behind every prefix
        found.append(Stage(p, children, rule.verify(p, q, children, noise), positions + depth))
        prefix = prefix * tables.vocab + found[-1].verdict.tokens
    return found


def _sequence(rule: Rule, tables: Tables, k: int, positions: Tensor, seed: int) -> list[Stage]:
    """The same for a rule that decides about a drafted sequence as a whole."""
    p, block = blocks(rule, tables, k, Noise(seed, positions))
    children = [*block.tokens.split(1, dim=1), torch.empty(len(positions), 0, dtype=torch.int64)]
    return [Stage(p[:, place], children[place], block.at(place), positions + place) for place in range(k + 1)]


def blocks(rule: Rule, tables: Tables, k: int, noise: Noise) -> tuple[Tensor, BlockVerdict]:
    """Sequences of k drafted tokens: the target's laws along them [n, k + 1, vocab], and what the rule decided about them as wholes."""
    prefix = torch.zeros(len(noise.position), dtype=torch.int64)
    p, q, children = [tables.p[0][prefix]], [], []
    for place in range(k):
        q.append(tables.q[place][prefix])
        children.append(rule.draft(q[-1], 1, noise, [place]))
        prefix = prefix * tables.vocab + children[-1].squeeze(-1)
        p.append(tables.p[place + 1][prefix])
    return torch.stack(p, 1), rule.verify_sequence(torch.stack(p, 1), torch.stack(q, 1), torch.cat(children, 1), noise)


Fault = Callable[[Stage, Tensor], tuple[Tensor, Tensor]]
"""Of a stage and of which sequences it may strike [n]: where it does, and the tokens it writes there instead; the walk then ends."""


def written(tables: Tables, stages: list[Stage], faults: dict[int, Fault] | None = None) -> Tensor:
    """The tokens int64 [trials, depths], with faults at some depths; behind the end of a walk they are the target's own."""
    walking = torch.ones(len(stages[0].p), dtype=torch.bool)
    prefix, text = torch.zeros(len(walking), dtype=torch.int64), []
    for depth, stage in enumerate(stages):
        tokens, accepted = stage.verdict.tokens.clone(), stage.verdict.accepted >= 0
        if faults and depth in faults:
            struck, instead = faults[depth](stage, walking)
            tokens[struck], accepted = instead, accepted & ~struck
        # the table's own law, not the stage's: where a walk has ended that of the stage is of another prefix
        ended = ~walking
        tokens[ended] = _drawn(tables.p[depth][prefix[ended]], stage.position[ended], OTHER)
        text.append(tokens)
        walking = walking & accepted
        prefix = prefix * tables.vocab + text[-1]
    return torch.stack(text, dim=1)


def _drawn(p: Tensor, positions: Tensor, stream: int) -> Tensor:
    return sample(p, uniforms(1, positions, stream, 0)[:, None]).squeeze(-1)


def joint_pvalue(tables: Tables, text: Tensor) -> float:
    """Of the hypothesis that the texts [trials, depths] follow the target's joint law: a chi-square test of the first token, of the first
    two and so on, corrected for being several."""
    prefix, values = torch.zeros(len(text), dtype=torch.int64), []
    for depth in range(text.shape[1]):
        prefix = prefix * tables.vocab + text[:, depth]
        law = tables.joint(depth + 1)
        counts = torch.bincount(prefix, minlength=len(law)).double()
        values.append(0.0 if counts[law == 0].any() else pooled_pvalue(counts, law * len(text)))
    return min(1.0, len(values) * min(values))


# --- faults -------------------------------------------------------------------------------------------------------------------------


def dropped(j: int, share: float) -> Fault:
    """Of the sequences that accept try j (from 0), a share throw it away for a token of P's."""
    return lambda stage, walking: _some(stage, walking & (stage.verdict.accepted == j), share, None)


def kept(j: int, share: float) -> Fault:
    """Of those that try j in vain, a share accept it."""
    return lambda stage, walking: _some(
        stage, walking & (stage.verdict.tried > j) & (stage.verdict.accepted != j), share, stage.children[:, j]
    )


def from_the_whole(share: float) -> Fault:
    """Of those that accept none of their children, a share draw from P and not from what is left of it."""
    return lambda stage, walking: _some(stage, walking & (stage.verdict.accepted < 0), share, None)


def likeliest(share: float) -> Fault:
    """At a leaf a share take the likeliest token."""
    return lambda stage, walking: _some(stage, walking, share, stage.p.argmax(-1))


def _some(stage: Stage, where: Tensor, share: float, instead: Tensor | None) -> tuple[Tensor, Tensor]:
    struck = where.clone()
    struck[where] = uniforms(1, stage.position[where], OTHER + 1, 0) < share
    return struck, _drawn(stage.p[struck], stage.position[struck], OTHER + 2) if instead is None else instead[struck]
