"""A recorded run against a pair of models: does it write the same text here? And for ERSD the rank of every token, also after leaves."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field

import torch

from .contexts import Contexts
from .decoding import generate
from .drafts.rank_distribution import RankDistribution
from .drafts.source import rank_after, split_root
from .drafts.sources import make_source
from .isolation import isolated
from .models.pair import ModelPair
from .randomness import Noise
from .rules.builtin import RULES
from .settings import SOURCES, Settings
from .trace.model import RankSequence, Trace
from .trace.rank_sequence import STEPWISE, completed, is_known_for, recorded_ranks


@dataclass(frozen=True)
class Replay:
    """A run done again with the settings of a trace."""

    recorded: list[int]
    """tokens of the trace"""
    here: list[int]
    """tokens of the run on this machine"""
    changed: list[str] = field(default_factory=list)
    """what of `Trace.made_with` is different here; empty where the trace does not say"""

    @property
    def differs_at(self) -> int | None:
        """Index of the first token that differs, or that only one of the two has; None where they are the same."""
        if self.recorded == self.here:
            return None
        pairs = enumerate(zip(self.recorded, self.here, strict=False))
        return next((index for index, (one, other) in pairs if one != other), min(len(self.recorded), len(self.here)))

    def __str__(self) -> str:
        if self.differs_at is None:
            return f"the same text: all {len(self.recorded)} tokens"
        why = f"; different here: {', '.join(self.changed)}" if self.changed else ""
        return f"the texts differ from token {self.differs_at + 1} on, of {len(self.recorded)} recorded and {len(self.here)} here{why}"


def replay(trace: Trace, pair: ModelPair) -> Replay:
    """Run the settings of a trace again. Where rounding is the same so is the text; elsewhere it may differ at near ties.

    Raises:
        ValueError: as `generate`, if the prompt or the settings do not fit this pair.
    """
    with closing(generate(pair, trace.prompt, trace.settings, record=False)) as steps:
        here = [token for tokens in steps for token in tokens]
    return Replay(trace.token_ids, here, [name for name, value in trace.made_with.items() if pair.made_with.get(name) != value])


def ranks_of(pair: ModelPair, trace: Trace) -> RankSequence:
    """The rank sequence of a whole run. Raises as `RankRecorder`."""
    ranks = RankRecorder(pair, trace.prompt, trace.settings)
    ranks.add(recorded_ranks(trace.steps))
    return ranks.sequence()


class RankRecorder:
    """Completes what a run records (`recorded_ranks`): where a rank is missing the draft is asked once more, as at a root."""

    def __init__(self, pair: ModelPair, prompt: str, settings: Settings) -> None:
        """Raises ValueError if the run is not one of ERSD: other trees would not write the same text;
        or if its guesses depend on where steps begin."""
        if not is_known_for(settings):
            if settings.algorithm == "ersd":
                possible = ", ".join(name for name in SOURCES if name not in STEPWISE)
                raise ValueError(
                    f"source must be one of {possible} for other trees to have the same ranks, got {settings.source!r}: "
                    f"{STEPWISE[settings.source]}"
                )
            raise ValueError(f"algorithm must be ersd for other trees to write the same text, got {settings.algorithm!r}")
        self.pair, self.settings = pair, settings
        self._rule, self._source = RULES[settings.algorithm].with_settings(settings), make_source(pair, settings)
        self._text = pair.encode(prompt, settings.chat)
        self._room = min(settings.max_new_tokens, pair.context - len(self._text))
        self._contexts = Contexts(settings.seed) if settings.keys == "context" else None
        self._ranks: list[int] = []
        self._recorded: list[tuple[int, int | None]] = []
        """(token, rank) pairs; missing ranks are computed in `sequence`"""

    def add(self, recorded: Sequence[tuple[int, int | None]], leaf_rank: int | None = None) -> None:
        """The next steps of the run, by their `recorded_ranks` and the first one's `leaf_rank`."""
        if self._recorded:
            self._recorded[-1] = completed(self._recorded[-1], leaf_rank)
        self._recorded += recorded

    def sequence(self) -> RankSequence:
        """Of all that was added."""
        for token, rank in self._recorded[len(self._ranks) :]:
            self._ranks.append(self._missing(token) if rank is None else rank)
            self._text.append(token)
        prior, visits = RankDistribution(self.pair.prior(self.settings)).prior()
        return RankSequence(self._ranks, self._room, prior, visits)

    @isolated
    @torch.inference_mode()
    def _missing(self, token: int) -> int:
        logits, _ = split_root(self._source.root(self._text), self.pair.vocab_size)
        self._source.commit([])
        if self._contexts:
            self._contexts.follow(self._text)
        noise = self._contexts.noise() if self._contexts else Noise(self.settings.seed, len(self._text))
        rank = rank_after(self._rule, logits[0], self.settings, noise, token)
        assert rank is not None, "ERSD has an order of all tokens"
        return rank
