"""Methods beside one another: each with the same number of drafted tokens, measured on the same texts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from .. import randomness
from ..decoding import generate
from ..drafts.rank_distribution import RankDistribution
from ..drafts.topologies import shape_of
from ..formatting import decimal
from ..models.pair import ModelPair
from ..settings import CHILDREN, LEVELS, RANGES, Settings
from ..theory import length_bound
from ..trace.bounds import has_length_bound, limit_words, most_per_call

HEADINGS = ("method", "k", "tokens per target call", "predicted", "at most", "ms per token")
"""What `Measured.cells` holds."""


@dataclass(frozen=True)
class Measured:
    """What a method gave."""

    method: str
    drafted: str
    """how many tokens a tree has, and its branching or its chains where it has some"""
    tokens_per_call: float
    error: float
    """standard error of that over the runs"""
    predicted: float
    """tokens per call that the rank law measured so far let expect, step by step"""
    limit: float | None
    """the smaller limit of the tokens per call (`limits.most_per_call`), by the H[R] measured and the deepest of all trees"""
    limit_name: str
    ms_per_token: float
    """without writing steps down"""

    def cells(self) -> list[str]:
        """A row of a table, below HEADINGS."""
        rate = f"{decimal(self.tokens_per_call)} ± {decimal(self.error)}"
        return [
            self.method,
            self.drafted,
            rate,
            decimal(self.predicted),
            limit_words(self.limit, self.limit_name),
            decimal(self.ms_per_token, 1),
        ]


def settings_of(pair: ModelPair, usual: Settings) -> Settings:
    """The same settings with exactly `draft_tokens` tokens drafted; where that leaves a choice (branching, sequences), the one that the
    rank law of the pair rates best."""
    k = usual.draft_tokens
    choices = [usual]
    if usual.topology == "multi_sequence":
        counts = [count for count in range(2, min(k, int(RANGES["sequences"].high)) + 1) if k % count == 0]
        choices = [replace(usual, sequences=count) for count in counts or [1]]
    elif usual.topology == "specinfer":
        choices = [replace(usual, branching=branching) for branching in _branchings(k)]
    law = RankDistribution(pair.hazards.get(usual.algorithm, ()))
    return max(choices, key=lambda settings: shape_of(settings, law).expected)


def _branchings(k: int, width: int = 1, levels: int = int(LEVELS.high)) -> list[tuple[int, ...]]:
    """The regular trees of k vertices below `width` vertices, not deeper or wider than Settings allows. One vertex at the top has several
    children, unless there is no such tree."""
    if k == 0:
        return [()]
    if k % width or not levels:
        return []  # every level is a multiple of the one before
    most = min(k // width, int(CHILDREN.high))
    least = 1 if width > 1 or k == 1 else 2
    found = [
        (children, *rest) for children in range(least, most + 1) for rest in _branchings(k - children * width, children * width, levels - 1)
    ]
    return found or [(1, *rest) for rest in _branchings(k - width, width, levels - 1)]


def measure(
    pair: ModelPair, method: str, settings: Settings, prompts: Sequence[str], done: Callable[[], object] = lambda: None
) -> Measured:
    """What a method gives on these prompts, with seeds that count up from the settings' own.

    Args:
        done: called after every run.
    """
    runs, law, expected = [], RankDistribution(), []
    seconds, levels = 0.0, 0
    for place, prompt in enumerate(prompts):
        chosen = replace(settings, seed=settings.seed + place)
        steps = list(generate(pair, prompt, chosen))
        randomness.forget()  # the first run has paid for the clocks
        start = time.perf_counter()
        list(generate(pair, prompt, chosen, record=False))
        seconds += time.perf_counter() - start
        runs.append((sum(len(step.emitted) for step in steps), len(steps)))
        expected += [step.expected or 1.0 for step in steps]
        levels = max([levels, *(depth for step in steps for depth in step.depths)])
        for visit in (visit for step in steps for visit in step.walk if visit.tries):
            law.observe(visit.rank, len(visit.tries))
        done()
    tokens, calls = (sum(column) for column in zip(*runs, strict=True))
    rate = tokens / calls
    entropy, predicted = law.entropy(), sum(expected) / len(expected)
    bound = length_bound(pair.vocab_size, settings.vertices, entropy) if entropy and has_length_bound(settings) else None
    limit, limit_name = most_per_call(levels, bound, predicted)
    return Measured(
        method=method,
        drafted=_drafted(settings),
        tokens_per_call=rate,
        error=math.sqrt(len(runs) / (len(runs) - 1) * sum((t - rate * c) ** 2 for t, c in runs)) / calls,
        predicted=predicted,
        limit=limit,
        limit_name=limit_name,
        ms_per_token=1000 * seconds / tokens,
    )


def _drafted(settings: Settings) -> str:
    if not settings.vertices:
        return "–"
    detail = {"specinfer": f" ({'·'.join(map(str, settings.branching))})", "multi_sequence": f" ({settings.sequences} chains)"}
    return f"{settings.vertices}{detail.get(settings.topology, '')}"
