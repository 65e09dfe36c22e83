"""The rank of every token of an ERSD text, also where the run did not ask the draft: behind the leaves of its trees."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from .drafting import SOURCES
from .models import ModelPair
from .randomness import Noise
from .rank_law import RankLaw
from .rank_sequence import RankSequence, is_known_for, recorded_ranks
from .rules import RULES
from .settings import Settings
from .trace import Trace


def ranks_of(pair: ModelPair, trace: Trace) -> RankSequence:
    """The rank sequence of a whole run. Raises as `Ranks`."""
    ranks = Ranks(pair, trace.prompt, trace.settings)
    ranks.add(recorded_ranks(trace.steps))
    return ranks.sequence()


class Ranks:
    """Completes what a run records (`recorded_ranks`): where a rank is missing the draft is asked once more, as at a root."""

    def __init__(self, pair: ModelPair, prompt: str, settings: Settings) -> None:
        """Raises ValueError if the run is not one of ERSD: other trees would not write the same text."""
        if not is_known_for(settings):
            raise ValueError(f"algorithm must be ersd for other trees to write the same text, got {settings.algorithm!r}")
        self.pair, self.settings = pair, settings
        self._rule, self._source = RULES[settings.algorithm].with_settings(settings), SOURCES[pair.draft_source](pair)
        self._text = pair.encode(prompt, settings.chat)
        self._room = min(settings.max_new_tokens, pair.context - len(self._text))
        self._ranks: list[int] = []
        self._recorded: list[tuple[int, int | None]] = []
        """that are not yet complete"""

    def add(self, recorded: Sequence[tuple[int, int | None]]) -> None:
        """The next steps of the run, by their `recorded_ranks`. They are completed at once, so that little is left to do when the run is
        over; on a GPU, where the draft would stand in one queue with the run, when all are asked for."""
        self._recorded += recorded
        if self.pair.target.device.type == "cpu":
            self._complete()

    def sequence(self) -> RankSequence:
        """Of all that was added."""
        self._complete()
        prior, visits = RankLaw(self.pair.hazards.get(self._rule.name, ())).prior()
        return RankSequence(self._ranks, self._room, prior, visits)

    def _complete(self) -> None:
        for token, rank in self._recorded:
            self._ranks.append(self._missing(token) if rank is None else rank)
            self._text.append(token)
        self._recorded = []

    @torch.inference_mode()
    def _missing(self, token: int) -> int:
        logits = self._source.root(self._text)
        self._source.commit([])
        law = self._rule.distributions(logits[..., : self.pair.vocab_size], self.settings)
        speeds = self._rule.speeds(law, Noise(self.settings.seed, len(self._text)))
        assert speeds is not None, "ERSD has an order of all tokens"
        rank = int((speeds[0] > speeds[0, token]).sum())  # of one that never arrives: all that do
        return -rank if speeds[0, token] == 0 else rank + 1
