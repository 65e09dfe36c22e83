"""Record a run: every decoded step becomes the plain data of `step`. Nothing that is generated depends on it."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any

import torch

from ..draft_tree import NO_TOKEN, ROOT, DraftTree
from ..drafts.rank_distribution import RankDistribution
from ..drafts.shapes import expected_tokens
from ..drafts.source import rank_after
from ..isolation import isolated
from ..randomness import Noise
from ..rules.base import Rule
from ..rules.registry import TRAITS
from ..settings import Settings
from ..text.detokenizer import TextStream
from ..theory import length_bound
from ..walk import Decoded, ScoredTree, Walk
from .bounds import has_length_bound
from .step import Emitted, Joint, Step, Visit
from .visits import record_visit

if TYPE_CHECKING:
    from ..models.pair import ModelPair


class Recorder:
    """Records the steps of one run, and turns its tokens into text as they come."""

    def __init__(
        self, pair: ModelPair, rule: Rule, prompt: Sequence[int], settings: Settings, learned: RankDistribution | None = None
    ) -> None:
        """`rule`: the run's. `prompt`: the token ids that the text continues. `learned`: `Drafter.ranks`; None: learned here."""
        self.pair, self.rule, self.settings = pair, rule, settings
        self.ranks = learned or RankDistribution(pair.prior(settings))
        self._learns = learned is None
        self._frequency_ranks = (
            {token: rank for rank, token in enumerate(pair.by_frequency, start=1)} if settings.source == "frequent" else {}
        )
        self.stream = TextStream(pair.texts, list(prompt))
        self.count = 0
        self.last_token = prompt[-1]
        self.last_noise: Noise | None = None
        """the randomness that the last token of the steps so far was chosen with"""

    @isolated
    @torch.inference_mode()
    def step(self, decoded: Decoded) -> Step:
        """The next Step; the last one ends the text."""
        scored, walk = decoded.scored, decoded.walk
        expected, leaf_rank = self._expected(scored.tree), self._leaf_rank(scored.tree)
        visits = [record_visit(visited, self.rule, self.pair.token_text) for visited in walk.visited]
        for visit in visits if self._learns else ():
            if visit.tries and visit.token != NO_TOKEN:
                self.ranks.observe(visit.rank, len(visit.tries))
        rank_entropy = self.ranks.entropy()
        self.count += 1
        self.last_token, self.last_noise = walk.tokens[-1], scored.noise([ROOT, *walk.path][-1])
        return step_of(
            decoded,
            visits,
            self._emitted(scored, walk, visits, decoded.is_last),
            self.pair.token_text,
            index=self.count - 1,
            expected=expected,
            rank_entropy=rank_entropy,
            bound=self._bound(rank_entropy),
            leaf_rank=leaf_rank,
        )

    def _expected(self, tree: DraftTree) -> float | None:
        """Expected tokens per call of a tree, by what was measured before it."""
        return tree.expected if tree.shape is None or not tree.tokens else expected_tokens(tree.shape, self.ranks)

    def _leaf_rank(self, tree: DraftTree) -> int | None:
        """The rank of the text's last token among what the draft predicts there."""
        is_ranked = TRAITS[self.settings.algorithm].shares_clocks and self.settings.source != "routed"
        if tree.leaf is None or self.last_noise is None or not is_ranked:
            return None
        return rank_after(self.rule, tree.leaf, self.settings, self.last_noise, self.last_token)

    def _bound(self, rank_entropy: float | None) -> float | None:
        """The bound on tokens per call by the measured entropy; None where it does not apply."""
        if not rank_entropy or not has_length_bound(self.settings):
            return None
        bound = length_bound(self.pair.vocab_size, self.settings.vertices, rank_entropy)
        return bound if math.isfinite(bound) else None

    def _emitted(self, scored: ScoredTree, walk: Walk, visits: Sequence[Visit], is_last: bool) -> list[Emitted]:
        margins = {visit.vertex: visit.margin for visit in visits}
        found = []
        for token, node, above in zip_longest(walk.tokens, walk.path, [ROOT, *walk.path][: len(walk.tokens)]):
            margin = margins.get(above)
            # each of two logits may be off by the noise
            near_tie = margin is not None and margin < 2 * self.pair.logit_noise
            is_repeated = self.settings.keys == "context" and scored.noise(above).key is None
            source = "target" if node is None else "draft"
            found.append(Emitted(token, self.stream.push(token), source, near_tie, self._frequency_ranks.get(token), is_repeated))
        if is_last and (rest := self.stream.flush()):
            found[-1] = dataclasses.replace(found[-1], text=found[-1].text + rest)
        return found


def step_of(decoded: Decoded, visits: list[Visit], emitted: list[Emitted], token_text: Callable[[int], str], **more: Any) -> Step:
    """The Step of a decoded one. `more`: its other fields."""
    tree = decoded.scored.tree
    start, drafted, called, decided = decoded.times
    return Step(
        position=decoded.position,
        tokens=tree.tokens,
        parents=tree.parents,
        depths=tree.depths,
        draft_probs=_draft_probs(tree),
        ranks=tree.ranks,
        texts=[token_text(token) for token in tree.tokens],
        walk=visits,
        emitted=emitted,
        block=_joints(decoded.scored, decoded.walk),
        draws=_draws(tree),
        draft_calls=tree.calls,
        call_of=tree.call_of,
        draft_ms=drafted - start,
        target_ms=called - drafted,
        verify_ms=decided - called,
        draft_calls_ms=[[begun - start, ended - start] for begun, ended in tree.spans],
        target_call_ms=[drafted - start, called - start],
        routing=tree.routing,
        **more,
    )


def _draft_probs(tree: DraftTree) -> list[float]:
    """The draft probability of every node at its parent."""
    if not tree.tokens:
        return []
    at = torch.stack([tree.q[parent][token] for parent, token in zip(tree.parents, tree.tokens, strict=True)])
    return at.tolist()


def _draws(tree: DraftTree) -> list[int]:
    """How often each node was drawn, or arrived in a race in laps; empty where all draws differ."""
    if max(tree.places, default=1) > 1:
        return tree.places
    if sum(map(len, tree.tries.values())) == len(tree.tokens):
        return []
    counts = Counter(chain.from_iterable(tree.tries.values()))
    return [counts[node] for node in range(len(tree.tokens))]


def _joints(scored: ScoredTree, walk: Walk) -> list[Joint]:
    """The whole drafted sequence as block verification saw it; empty for other rules."""
    found = []
    for node, (token, decision) in enumerate(zip(scored.tree.tokens, walk.sequence, strict=False)):
        joint, keep, coin = (values.item() for values in (decision.joint, decision.ratios, decision.coins) if values is not None)
        ratio = scored.p(node - 1)[0, token] / scored.tree.q[node - 1][token]
        found.append(Joint(node, ratio.item(), joint, keep, coin))
    return found
