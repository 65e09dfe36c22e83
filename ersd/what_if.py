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
    """The rank sequence of a whole run. Raises as `rank_sequence`."""
    return rank_sequence(pair, trace.prompt, trace.settings, recorded_ranks(trace.steps))


@torch.inference_mode()
def rank_sequence(pair: ModelPair, prompt: str, settings: Settings, recorded: Sequence[tuple[int, int | None]]) -> RankSequence:
    """Completes what a run has recorded (`recorded_ranks`): where a rank is missing the draft is asked once more, as at a root.

    Raises:
        ValueError: the run was not one of ERSD, so other trees would not have written the same text.
    """
    if not is_known_for(settings):
        raise ValueError(f"algorithm must be ersd for other trees to write the same text, got {settings.algorithm!r}")
    rule, source = RULES[settings.algorithm].with_settings(settings), SOURCES[pair.draft_source](pair)
    sequence = pair.encode(prompt, settings.chat)
    room = min(settings.max_new_tokens, pair.context - len(sequence))
    ranks: list[int] = []
    for token, rank in recorded:
        if rank is None:
            logits = source.root(sequence)
            source.commit([])
            speeds = rule.speeds(rule.distributions(logits[..., : pair.vocab_size], settings), Noise(settings.seed, len(sequence)))
            assert speeds is not None, "ERSD has an order of all tokens"
            rank = int((speeds[0] > speeds[0, token]).sum())  # of one that never arrives: all that do
            rank = -rank if speeds[0, token] == 0 else rank + 1
        ranks.append(rank)
        sequence.append(token)
    prior, visits = RankLaw(pair.hazards.get(rule.name, ())).prior()
    return RankSequence(ranks, room, prior, visits)
