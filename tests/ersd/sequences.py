"""Whole sequences by a rule's own code, a million at a time: what the engine does along the path it walks, over tabulated distributions.

At every depth the children of the current node are drawn and decided about; where the walk has ended the target continues alone. So the
joint distribution of the tokens must be the target's, and whatever a decision gets wrong, at any depth, shows in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from ersd.randomness import Noise, uniforms
from ersd.rules.base import Rule
from ersd.sampling import sample
from ersd.walk import Decision

from .statistical import pooled_pvalue

OTHER = 9
"""A stream no rule uses: for what the target writes by itself."""

P = (0.12, 0.53, 0.07, 0.28)
Q = (0.48, 0.42, 0.1, 0.0)
"""With these the rarest branch of every rule is frequent (the second of two tries is accepted with .11 to .25) and the distribution of the
tokens in every branch is far from P: of 400 random pairs the one that shows most of a fault in the branch that shows least."""


@dataclass(frozen=True)
class Tables:
    """Target and draft distribution after every prefix: by its length, float64 [vocab ** length, vocab]."""

    p: list[Tensor]
    q: list[Tensor]

    @property
    def vocab(self) -> int:
        return self.p[0].shape[-1]

    def joint(self, length: int) -> Tensor:
        """The target's joint distribution of the first `length` tokens, [vocab ** length]."""
        joint = torch.ones(1, dtype=torch.float64)
        for table in self.p[:length]:
            joint = (joint[:, None] * table).flatten()
        return joint


def random_tables(vocab: int, length: int, seed: int, spread: float = 1.3) -> Tables:
    """Unrelated target and draft after every prefix of up to `length` - 1 tokens."""
    generator = torch.Generator().manual_seed(seed)
    p, q = (
        [(spread * torch.randn(vocab**depth, vocab, generator=generator, dtype=torch.float64)).softmax(-1) for depth in range(length)]
        for _ in range(2)
    )
    return Tables(p, q)


def rotated_tables(length: int) -> Tables:
    """P and Q, their tokens renamed after every prefix in another way."""
    tables = Tables([], [])
    for depth in range(length):
        turns = [(7 * prefix + prefix // 4) % 4 for prefix in range(4**depth)]
        for values, found in ((P, tables.p), (Q, tables.q)):
            found.append(torch.stack([torch.tensor(values, dtype=torch.float64).roll(turn) for turn in turns]))
    return tables


@dataclass(frozen=True)
class Stage:
    """The decisions at one depth of every sequence, where its walk came so far."""

    p: Tensor
    children: Tensor
    """int64 [n, k]"""
    decision: Decision
    position: Tensor


def stages(rule: Rule, tables: Tables, branching: tuple[int, ...], trials: int, seed: int = 1) -> list[Stage]:
    """The decisions at every depth, and at the leaf. Where a walk has ended, what follows has no meaning."""
    positions = torch.arange(trials) * (len(branching) + 1)
    if rule.traits.joint:
        p, children, decisions = chains(rule, tables, len(branching), Noise(seed, positions))
        drafted = [*children.split(1, dim=1), torch.empty(trials, 0, dtype=torch.int64)]
        return [Stage(p[:, i], drafted[i], decision, positions + i) for i, decision in enumerate(decisions)]
    prefix, found = torch.zeros(trials, dtype=torch.int64), []
    for depth, k in enumerate((*branching, 0)):
        noise, p, q = Noise(seed, positions + depth), tables.p[depth][prefix], None
        children = torch.empty(trials, 0, dtype=torch.int64)
        if k:
            q = tables.q[depth][prefix]
            children = rule.draft(q, k, noise, [depth])
            children = children[:, (children >= 0).all(0)]  # Q has as many tokens after every prefix
        found.append(Stage(p, children, rule.verify(p, q, children, noise), positions + depth))
        prefix = prefix * tables.vocab + found[-1].decision.tokens
    return found


def chains(rule: Rule, tables: Tables, k: int, noise: Noise) -> tuple[Tensor, Tensor, list[Decision]]:
    """Chains of k drafted tokens: target distributions [n, k + 1, vocab], tokens [n, k], and the k + 1 decisions of the rule."""
    prefix = torch.zeros(len(noise.position), dtype=torch.int64)
    p, q, children = [tables.p[0][prefix]], [], []
    for i in range(k):
        q.append(tables.q[i][prefix])
        children.append(rule.draft(q[-1], 1, noise, [i]))
        prefix = prefix * tables.vocab + children[-1].squeeze(-1)
        p.append(tables.p[i + 1][prefix])
    every_p, drafted = torch.stack(p, 1), torch.cat(children, 1)
    return every_p, drafted, rule.verify_chain(every_p, torch.stack(q, 1), drafted, noise)


Fault = Callable[[Stage, Tensor], tuple[Tensor, Tensor]]
"""From a stage and which sequences it may strike [n]: where it does, and the tokens written there instead; the walk then ends."""


def written(tables: Tables, stages: list[Stage], faults: dict[int, Fault] | None = None) -> Tensor:
    """The tokens int64 [trials, depths], with faults at some depths; after the end of a walk they are the target's own."""
    walking = torch.ones(len(stages[0].p), dtype=torch.bool)
    prefix, text = torch.zeros(len(walking), dtype=torch.int64), []
    for depth, stage in enumerate(stages):
        tokens, accepted = stage.decision.tokens.clone(), stage.decision.accepted >= 0
        if faults and depth in faults:
            struck, instead = faults[depth](stage, walking)
            tokens[struck], accepted = instead, accepted & ~struck
        # the table's own distribution, not the stage's: where a walk has ended that of the stage is of another prefix
        ended = ~walking
        tokens[ended] = _drawn(tables.p[depth][prefix[ended]], stage.position[ended], OTHER)
        text.append(tokens)
        walking = walking & accepted
        prefix = prefix * tables.vocab + text[-1]
    return torch.stack(text, dim=1)


def _drawn(p: Tensor, positions: Tensor, stream: int) -> Tensor:
    return sample(p, uniforms(1, positions, stream, 0)[:, None]).squeeze(-1)


def joint_pvalue(tables: Tables, text: Tensor) -> float:
    """Of the hypothesis that the texts [trials, depths] follow the target's joint distribution: chi-square tests of the first token, of the
    first two and so on, corrected for being several."""
    prefix, values = torch.zeros(len(text), dtype=torch.int64), []
    for depth in range(text.shape[1]):
        prefix = prefix * tables.vocab + text[:, depth]
        joint = tables.joint(depth + 1)
        counts = torch.bincount(prefix, minlength=len(joint)).double()
        values.append(0.0 if counts[joint == 0].any() else pooled_pvalue(counts, joint * len(text)))
    return min(1.0, len(values) * min(values))


# --- faults -------------------------------------------------------------------------------------------------------------------------


def dropped(j: int, share: float) -> Fault:
    """Of the sequences that accept try j (from 0), a share throw it away for a token of P's."""
    return lambda stage, walking: _some(stage, walking & (stage.decision.accepted == j), share, None)


def kept(j: int, share: float) -> Fault:
    """Of those that try j in vain, a share accept it."""
    return lambda stage, walking: _some(
        stage, walking & (stage.decision.tried > j) & (stage.decision.accepted != j), share, stage.children[:, j]
    )


def from_whole_target(share: float) -> Fault:
    """Of those that accept none of their children, a share draw from P and not from the residual."""
    return lambda stage, walking: _some(stage, walking & (stage.decision.accepted < 0), share, None)


def likeliest(share: float) -> Fault:
    """At a leaf a share take the most likely token."""
    return lambda stage, walking: _some(stage, walking, share, stage.p.argmax(-1))


def _some(stage: Stage, where: Tensor, share: float, instead: Tensor | None) -> tuple[Tensor, Tensor]:
    struck = where.clone()
    struck[where] = uniforms(1, stage.position[where], OTHER + 1, 0) < share
    return struck, _drawn(stage.p[struck], stage.position[struck], OTHER + 2) if instead is None else instead[struck]
