"""Record a run: every decoded step becomes the plain data of `model`. Nothing that is generated depends on it."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import torch

from ..drafts.rank_distribution import RankDistribution
from ..drafts.topologies import expected_tokens
from ..drafts.tree import DraftTree
from ..isolation import isolated
from ..randomness import Noise
from ..rules.base import rank_or_reach
from ..rules.builtin import RULES
from ..settings import Settings
from ..text.detokenizer import TextStream
from ..theory import length_bound
from ..walk import ScoredTree, Walk
from .bounds import has_length_bound
from .model import Emitted, Joint, Step, Visit
from .rank_sequence import is_known_for
from .visits import record_visit

if TYPE_CHECKING:
    from ..models.pair import ModelPair


class Recorder:
    """Records the steps of one run, and turns its tokens into text as they come."""

    def __init__(self, pair: ModelPair, prompt: Sequence[int], settings: Settings) -> None:
        """`prompt`: the token ids that the text continues."""
        self.pair, self.settings = pair, settings
        self.rule = RULES[settings.algorithm].with_settings(settings)
        self.ranks = RankDistribution(pair.hazards.get(settings.algorithm, ()))
        self.stream = TextStream(pair.texts, list(prompt))
        self.count = 0
        self.last_token = prompt[-1]

    @isolated
    @torch.inference_mode()
    def step(self, scored: ScoredTree, walk: Walk, milliseconds: Mapping[str, float], is_last: bool = False) -> Step:
        """The next Step. `milliseconds` are those of its fields whose names end in _ms; the last step ends the text."""
        tree = scored.tree
        expected, leaf_rank = self._expected(tree), self._leaf_rank(tree, scored.position - 1)
        visits = [record_visit(visited, self.pair.token_text) for visited in walk.visited]
        for visit in visits:
            if visit.tries:
                self.ranks.observe(visit.rank, len(visit.tries))
        rank_entropy = self.ranks.entropy()
        self.count += 1
        self.last_token = walk.tokens[-1]
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
            emitted=self._emitted(visits, is_last),
            expected=expected,
            block=record_block(scored, walk),
            rank_entropy=rank_entropy,
            draws=_draws(tree),
            draft_calls=tree.calls,
            call_of=tree.call_of,
            bound=self._bound(rank_entropy),
            leaf_rank=leaf_rank,
            **milliseconds,
        )

    def _expected(self, tree: DraftTree) -> float | None:
        """Expected tokens per call of a tree, by what was measured before it."""
        return tree.expected if tree.shape is None else expected_tokens(tree.shape, self.ranks)

    def _leaf_rank(self, tree: DraftTree, position: int) -> int | None:
        """The rank of the text's last token, at this position, among what the draft predicts there."""
        if tree.leaf is None or not is_known_for(self.settings):
            return None
        scores = self.rule.scores(self.rule.distributions(tree.leaf.unsqueeze(0), self.settings), Noise(self.settings.seed, position))
        return None if scores is None else rank_or_reach(scores[0], self.last_token)

    def _bound(self, rank_entropy: float | None) -> float | None:
        """The bound on tokens per call by the measured entropy; None where it does not apply."""
        if not rank_entropy or not has_length_bound(self.settings):
            return None
        bound = length_bound(self.pair.vocab_size, self.settings.vertices, rank_entropy)
        return bound if math.isfinite(bound) else None

    def _emitted(self, visits: Sequence[Visit], is_last: bool) -> list[Emitted]:
        found = [
            Emitted(
                token=visit.token,
                text=self.stream.push(visit.token),
                source="draft" if visit.accepted else "target",
                # each of two logits may be off by the noise
                near_tie=visit.margin is not None and visit.margin < 2 * self.pair.logit_noise,
            )
            for visit in visits
        ]
        if is_last and (rest := self.stream.flush()):
            found[-1] = dataclasses.replace(found[-1], text=found[-1].text + rest)
        return found


def _draft_probs(tree: DraftTree) -> list[float]:
    """The draft probability of every node at its parent."""
    if not tree.tokens:
        return []
    at = torch.stack([tree.q[parent][token] for parent, token in zip(tree.parents, tree.tokens, strict=True)])
    return at.tolist()


def _draws(tree: DraftTree) -> list[int]:
    """How often each node was drawn; empty where all draws differ."""
    if sum(map(len, tree.tries.values())) == len(tree.tokens):
        return []
    counts = Counter(chain.from_iterable(tree.tries.values()))
    return [counts[node] for node in range(len(tree.tokens))]


def record_block(scored: ScoredTree, walk: Walk) -> list[Joint]:
    """The whole drafted sequence as block verification saw it; empty for other rules."""
    found = []
    for node, (token, decision) in enumerate(zip(scored.tree.tokens, walk.chain, strict=False)):
        joint, keep, coin = (values.item() for values in (decision.joint, decision.ratios, decision.coins) if values is not None)
        ratio = scored.p(node - 1)[0, token] / scored.tree.q[node - 1][token]
        found.append(Joint(node, ratio.item(), joint, keep, coin))
    return found
