"""What happened, written down: the outcome of a step becomes the plain data of trace.py. Nothing that is generated depends on it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ..drafts.rank_distribution import RankDistribution
from ..drafts.topologies import Shape, expected_of
from ..models.detokenizer import Detokenizer
from ..randomness import Noise
from ..rules.base import place_or_all_before
from ..rules.builtin import RULES
from ..rules.registry import TRAITS
from ..settings import Settings
from ..theory import length_bound
from ..trace.bounds import has_length_bound
from .model import Emitted, Joint, Row, Step, Try, Visit
from .outcome import Outcome, Visited, Words
from .teller import Seen, Teller, Written
from .vertex_record import Facts, VertexLaws, vertex_record

if TYPE_CHECKING:
    from ..models.pair import ModelPair


class Recorder:
    """Writes the Steps of one run, and turns its tokens into text as they come. It can be pickled, for another process to write them."""

    def __init__(
        self,
        texts: Detokenizer,
        prompt: Sequence[int],
        settings: Settings,
        vocab_size: int,
        logit_noise: float = 0.0,
        hazards: Mapping[str, Sequence[float]] | None = None,
        teller: Teller | None = None,
    ) -> None:
        """`vocab_size`, `logit_noise` and `hazards` as in ModelPair; `teller`: what makes something of every Step, if anything does."""
        self.texts, self.settings, self.vocab_size, self.logit_noise = texts, settings, vocab_size, logit_noise
        self.rule = RULES[settings.algorithm].with_settings(settings)
        self.law = RankDistribution((hazards or {}).get(settings.algorithm, ()))
        self.teller = teller
        self.count = 0
        self.ids = list(prompt)
        self.start, self.read = max(0, len(prompt) - 4), len(prompt)

    @classmethod
    def of(cls, pair: ModelPair, prompt: Sequence[int], settings: Settings, teller: Teller | None = None) -> Recorder:
        """For a run of this pair."""
        return cls(pair.texts, prompt, settings, pair.vocab_size, pair.logit_noise, pair.hazards, teller)

    def write(self, outcome: Outcome, alone_ms: float | None = None) -> Written:
        """The next Step, or what the teller makes of it, who hears `alone_ms`."""
        step = self.step(outcome)
        visits = [seen(visit) for visit in step.walk]
        if not self.teller:
            return Written(step, visits)
        newest, self.teller.alone_ms = self.teller.alone_ms, alone_ms
        made = self.teller.step(step)
        self.teller.alone_ms = newest  # what it has heard since, where it is the one that hears it
        return Written(made, visits, self.teller.state)

    @torch.inference_mode()
    def step(self, outcome: Outcome) -> Step:
        """The next Step."""
        words, visited = outcome.words, outcome.visits
        drafts = self._drafts(outcome)
        facts = vertex_record(self.settings, visited, self._laws(outcome, drafts))
        expected, leaf_rank = self._expected(words), self._leaf_rank(outcome.law("leaf"), words["position"] - 1)
        visits = [self._visit(*each) for each in zip(visited, facts, strict=True)]
        self._learn(map(seen, visits))
        rank_entropy = self.law.entropy()
        return Step(
            index=self.count - 1,
            position=words["position"],
            texts=[self.texts.token_text(token) for token in words["tree"]["tokens"]],
            walk=visits,
            emitted=[self._emitted(visit) for visit in visits],
            expected=expected,
            block=[Joint(vertex, *figures) for vertex, figures in enumerate(words["block"])],
            rank_entropy=rank_entropy,
            bound=self._bound(rank_entropy),
            leaf_rank=leaf_rank,
            **{**words["tree"], "draft_probs": _draft_probs(words["tree"], drafts), **words["milliseconds"]},
        )

    def skip(self, visits: Iterable[Seen]) -> None:
        """The next step was written down by someone else."""
        visits = list(visits)
        self._learn(visits)
        for _, _, token in visits:
            self._piece(token)

    def _learn(self, visits: Iterable[Seen]) -> None:
        self.count += 1
        for rank, children, _ in visits:
            if children:
                self.law.observe(rank, children)

    def _drafts(self, outcome: Outcome) -> dict[int, Tensor]:
        """What was drawn from behind every vertex of which it came along, float64 [vocab]."""
        logits = outcome.law("draft_logits")
        return {} if logits is None else dict(zip(outcome.words["drafted"], self.rule.distributions(logits, self.settings), strict=True))

    def _laws(self, outcome: Outcome, drafts: Mapping[int, Tensor]) -> list[VertexLaws]:
        """Those of every visit."""
        logits, left = outcome.law("logits"), outcome.law("left")
        assert logits is not None
        visits = zip(outcome.visits, self.rule.distributions(logits, self.settings), logits, strict=True)
        return [
            VertexLaws(p, of_target, drafts.get(each.vertex), left[0] if left is not None and visit == outcome.words["cut"] else None)
            for visit, (each, p, of_target) in enumerate(visits)
        ]

    def _expected(self, words: Words) -> float | None:
        """Tokens per call expected of a tree, by what was seen before it."""
        return words["expected"] if words["shape"] is None else expected_of(Shape(*words["shape"]), self.law)

    def _leaf_rank(self, logits: Tensor | None, position: int) -> int | None:
        """The rank of the text's last token, at this position, in what the draft says there."""
        if logits is None:
            return None
        leads = self.rule.leads(self.rule.distributions(logits, self.settings).log(), Noise(self.settings.seed, position))
        return None if leads is None else place_or_all_before(leads[0], self.ids[-1])

    def _visit(self, visited: Visited, facts: Facts) -> Visit:
        """The record of one visited vertex."""
        text = self.texts.token_text
        tokens, *columns = facts["rows"]
        rows = [Row(*row) for row in zip(tokens, map(text, tokens), *columns, strict=True)]
        tries = [Try(*tried) for tried in zip(visited.tries, *facts["tries"], strict=False)] if facts["tries"] else []
        return Visit(
            kind=TRAITS[self.settings.algorithm].kind,
            vertex=visited.vertex,
            token=visited.token,
            text=text(visited.token),
            accepted=visited.accepted >= 0,
            **{**facts, "rows": rows, "tries": tries},
        )

    def _bound(self, rank_entropy: float | None) -> float | None:
        """The bound on tokens per call by the entropy measured; None where it limits nothing."""
        if not rank_entropy or not has_length_bound(self.settings):
            return None
        bound = length_bound(self.vocab_size, self.settings.vertices, rank_entropy)
        return bound if math.isfinite(bound) else None

    def _emitted(self, visit: Visit) -> Emitted:
        return Emitted(
            token=visit.token,
            text=self._piece(visit.token),
            source="draft" if visit.accepted else "target",
            # each of two logits may be off by the noise
            near_tie=visit.margin is not None and visit.margin < 2 * self.logit_noise,
        )

    def _piece(self, token: int) -> str:
        """What the token adds to the text. A character of several tokens appears with its last one."""
        self.ids.append(token)
        before = self.texts.decode(self.ids[self.start : self.read], skip_special_tokens=True)
        after = self.texts.decode(self.ids[self.start :], skip_special_tokens=True)
        if len(after) <= len(before) or after.endswith("\ufffd"):
            return ""
        self.start, self.read = self.read, len(self.ids)
        return after[len(before) :]


def _draft_probs(tree: Words, drafts: Mapping[int, Tensor]) -> list[float]:
    """Of all vertices of an outcome's tree."""
    read = {vertex: q.numpy() for vertex, q in drafts.items()}  # which gives single numbers sooner
    drawn = zip(tree["draft_probs"], tree["parents"], tree["tokens"], strict=True)
    return [read[parent].item(token) if prob is None else prob for prob, parent, token in drawn]


def seen(visit: Visit) -> Seen:
    """What later steps need of it."""
    return visit.rank, len(visit.tries), visit.token
