"""The table of methods: each measured on the same prompts with the same number of drafted tokens."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from ..decoding import generate
from ..drafts.rank_distribution import RankDistribution
from ..drafts.shapes import shape_of
from ..drafts.topologies import TREES
from ..formatting import decimal
from ..machine import now_ms
from ..models.pair import ModelPair
from ..settings import CHILDREN, LEVELS, METHODS, RANGES, Settings
from ..theory import length_bound
from ..trace.bounds import has_length_bound, limit_words, most_per_call

HEADINGS = ("method", "k", "tokens per target call", "predicted", "at most", "ms per token")
"""What `Measured.cells` holds."""
WARM_UP_TOKENS = 16
"""Tokens generated before anything is measured: the first run pays for what is made only once."""


@dataclass(frozen=True)
class Measured:
    """What was measured of one method, averaged over its runs."""

    method: str
    drafted: str
    """drafted tokens per step, with the branching or the number of chains where the tree has one"""
    tokens_per_call: float
    error: float
    """standard error of `tokens_per_call` over the runs"""
    predicted: float
    """tokens per call predicted by the rank distribution measured so far, averaged over the steps"""
    limit: float | None
    """the smaller upper bound of the tokens per call (`trace.bounds.most_per_call`), from the measured H[R] and the deepest tree"""
    limit_name: str
    ms_per_token: float
    """without recording steps"""

    def cells(self) -> list[str]:
        """A row of a table, below HEADINGS."""
        return [
            self.method,
            self.drafted,
            f"{decimal(self.tokens_per_call)} ± {decimal(self.error)}",
            decimal(self.predicted),
            limit_words(self.limit, self.limit_name),
            decimal(self.ms_per_token, 1),
        ]


def measure_all(pair: ModelPair, prompt: str, settings: Settings, runs: int) -> Iterator[Measured]:
    """Measure every named method on `runs` consecutive seeds; a progress bar on standard error, if that is a terminal."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TextColumn("runs"), TimeRemainingColumn())
    screen = Console(stderr=True)
    # drawn between the runs only: a thread that redraws the bar would take time from what is measured
    with Progress(*columns, console=screen, auto_refresh=False, transient=True, disable=not screen.is_terminal) as progress:
        task = progress.add_task("", total=len(METHODS) * runs)
        for _ in generate(pair, prompt, replace(settings, max_new_tokens=min(WARM_UP_TOKENS, settings.max_new_tokens))):
            pass
        for name, (algorithm, topology) in METHODS.items():
            progress.update(task, description=name, refresh=True)
            chosen = with_all_drafted(pair, replace(settings, algorithm=algorithm, topology=topology))
            yield measure(pair, name, chosen, [prompt] * runs, lambda: progress.update(task, advance=1, refresh=True))


def measure(
    pair: ModelPair, method: str, settings: Settings, prompts: Sequence[str], done: Callable[[], object] = lambda: None
) -> Measured:
    """Measure a method on these prompts, at least two, with consecutive seeds from the settings' own.

    Every run is made twice: recorded, for the counts, and not recorded, for the time.

    Args:
        done: called after every run.
    """
    runs, ranks, expected = [], RankDistribution(), []
    seconds, levels = 0.0, 0
    for index, prompt in enumerate(prompts):
        chosen = replace(settings, seed=settings.seed + index)
        steps = list(generate(pair, prompt, chosen))
        start = now_ms()
        list(generate(pair, prompt, chosen, record=False))
        seconds += (now_ms() - start) / 1e3
        runs.append((sum(len(step.emitted) for step in steps), len(steps)))
        expected += [step.expected or 1.0 for step in steps]
        levels = max([levels, *(depth for step in steps for depth in step.depths)])
        for visit in (visit for step in steps for visit in step.walk if visit.tries):
            ranks.observe(visit.rank, len(visit.tries))
        done()
    tokens, calls = (sum(column) for column in zip(*runs, strict=True))
    rate = tokens / calls
    entropy, predicted = ranks.entropy(), sum(expected) / len(expected)
    bound = length_bound(pair.vocab_size, settings.vertices, entropy) if entropy and has_length_bound(settings) else None
    limit, limit_name = most_per_call(levels, bound, predicted)
    return Measured(
        method=method,
        drafted=_drafted(settings),
        tokens_per_call=rate,
        # of a ratio of two sums over the runs
        error=math.sqrt(len(runs) / (len(runs) - 1) * sum((t - rate * c) ** 2 for t, c in runs)) / calls,
        predicted=predicted,
        limit=limit,
        limit_name=limit_name,
        ms_per_token=1000 * seconds / tokens,
    )


def with_all_drafted(pair: ModelPair, settings: Settings) -> Settings:
    """The same settings with exactly `draft_tokens` tokens drafted.

    Where several branchings or numbers of chains have that many, the one with the highest expected yield for this pair.
    """
    k = settings.draft_tokens
    choices = [settings]
    fields = TREES[settings.topology].fields
    if "sequences" in fields and settings.levels:
        counts = [count for count in range(2, min(k, int(RANGES["sequences"].high)) + 1) if k % count == 0]
        choices = [replace(settings, sequences=count) for count in counts or [1]]
    elif "branching" in fields:
        choices = [replace(settings, branching=branching) for branching in _branchings(k)]
    ranks = RankDistribution(pair.prior(settings))
    return max(choices, key=lambda choice: shape_of(choice, ranks).expected)


def _branchings(k: int, width: int = 1, levels: int = int(LEVELS.high)) -> list[tuple[int, ...]]:
    """The regular trees of k nodes below a level of `width` nodes, not deeper or wider than Settings allows.

    A single node at the top has several children, unless there is no such tree.
    """
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


def _drafted(settings: Settings) -> str:
    if not settings.vertices:
        return "–"
    tree, detail = TREES[settings.topology], ""
    if tree.in_laps:
        detail = f" at most ({min(settings.sequences, settings.draft_tokens)} arrivals a level)"
    elif "branching" in tree.fields:
        detail = f" ({'·'.join(map(str, settings.branching))})"
    elif "sequences" in tree.fields:
        detail = f" ({settings.sequences} chains)"
    return f"{settings.vertices}{detail}"


def table(measured: Sequence[Measured]) -> Table:
    """The rows below HEADINGS."""
    shown = Table(box=None, pad_edge=False)
    for heading in HEADINGS:
        # a last column that ends each line leaves no spaces at its end
        shown.add_column(heading, no_wrap=True, justify="right" if heading in ("predicted", HEADINGS[-1]) else "left")
    for row in measured:
        shown.add_row(*row.cells())
    return shown
