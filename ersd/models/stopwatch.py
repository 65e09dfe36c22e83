"""What a pair's forward passes cost here: a few short calls through the caches that the engine uses, when it is loaded and beside runs."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from itertools import count
from random import random
from time import perf_counter, sleep
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ..drafts.tree import DraftTree
from ..rules.builtin import RULES
from ..settings import Settings
from ..walk import ScoredTree, walk
from .costs import Costs
from .tree_cache import ROOT, DecoderCache

if TYPE_CHECKING:
    from .pair import ModelPair

PREFIX = 32
"""Tokens of the text behind which the calls are made."""
ROUNDS = 5
"""Every kind of call is timed so often, the kinds in turn, and its least median counts: what else the machine does only adds."""
CALLS, COUNTED = 6, 3
"""Calls of a kind in a round, and of them the last ones, whose median counts: the first ones find weights gone from the caches."""
REST = 0.06
"""Seconds between two rounds: a page that is being started keeps the machine busy for a while."""
LEVELS = 4
"""Levels that are drafted before a call on drafted tokens is timed, and timed behind one: in a run the two take turns, and each finds less
of its weights near the processor than behind itself. A target call on 17 tokens takes 4.1 to 4.7 ms so, 3.5 to 4.2 behind another one."""
PATIENCE = 0.15
"""Seconds after which a round makes no more calls of a kind: of a very large model one must do."""
IN_A_ROW_MS = 10.0
"""Milliseconds for which tokens one by one are timed in a row beside runs, by what one took at load; at least one. Behind a step of the
run the first finds what the target reads gone from the processor's caches, the next ones find more and more of it; in a run one by one
some of it stays, as telling a step needs them too. Measured on the page: 2.5 to 2.8 ms in runs one by one; in a row 3.6, 3.1, 2.6, 2.1
and 2.1."""
UNKNOWN_SHARE, SHARE = 0.2, 0.015
"""Of a run's time, what timing one by one beside it takes, by what it took at load: until it is known, and then."""
FEWEST, KEPT = 16, 32
"""Tokens one by one that must have been timed beside runs to be sure, and the last ones that are kept, whose median counts: now and then
a browser holds one up for as long as ten, and a page's first run is drawn by a browser that is busy with much else. With four tokens first
runs were told to be up to twice as fast as they were."""


class OneByOne:
    """What a token one by one takes beside a run: now and then, between two of its steps, a few are timed in the run's own thread.

    What a run shares the machine with, as a browser that draws it on the same cores, takes as much from one by one. Beside what was
    measured at rest a run would seem slower than it is.
    """

    def __init__(self, pair: ModelPair) -> None:
        """`pair`: what was timed beside its runs before counts too."""
        self.pair = pair
        # who waits for a GPU is not held up by what the processor does, and runs are decoded in another thread there
        self._cache = pair.open_target() if pair.costs and pair.target.device.type == "cpu" else None
        one_ms = pair.costs.one_by_one_ms if pair.costs else IN_A_ROW_MS
        self._in_a_row = max(1, round(IN_A_ROW_MS / one_ms))
        self._row_s = self._in_a_row * one_ms / 1000
        # a browser is busier at a run's begin than later on; the first of all cannot wait
        self._due = self._later(random()) if pair.singles else 0.0

    @torch.inference_mode()
    def look(self) -> float | None:
        """Milliseconds of a token one by one, as far as it is known; None for a pair of which it was never measured."""
        costs, seen = self.pair.costs, self.pair.singles
        if self._cache and perf_counter() >= self._due:
            if not self._cache.committed:
                self._cache.prefill([0])  # and a first time takes longer
            end = perf_counter()
            for _ in range(self._in_a_row):
                _choose(_score(self._cache, 1)[:, : self.pair.vocab_size], position=0)
                begun, end = end, perf_counter()
                seen.append(1e3 * (end - begun))
            self._due = self._later()
        if seen:
            return statistics.median(seen.copy())
        return costs.one_by_one_ms if costs else None

    def _later(self, part: float = 1) -> float:
        """When it is time again, or after such a part of that."""
        return perf_counter() + part * self._row_s / (UNKNOWN_SHARE if len(self.pair.singles) < FEWEST else SHARE)


def measure(pair: ModelPair) -> Costs:
    """The pair's costs on this machine; takes less than a second for a small pair."""
    target = pair.open_target()
    target.prefill([0] * PREFIX)
    logits = _score(target, 1)[:, : pair.vocab_size]
    positions = count(PREFIX)  # the clocks of a position are kept: each choice is at one of its own
    kinds: dict[str, Callable[[], object]] = {
        "target_1_ms": lambda: _score(target, 1),
        "target_5_ms": lambda: _score(target, 5),
        "target_17_ms": lambda: _score(target, 17),
        "choice_ms": lambda: _choose(logits, next(positions)),
    }
    before: dict[str, Callable[[], object]] = {}
    if pair.draft:
        draft = pair.open_draft()
        draft.prefill([0] * PREFIX)
        kinds["draft_ms"] = lambda: [_score(draft, 1) for _ in range(LEVELS)]
        before = {"target_5_ms": kinds["draft_ms"], "target_17_ms": kinds["draft_ms"], "draft_ms": kinds["target_5_ms"]}
    synchronise = _synchroniser(pair)
    for work in kinds.values():
        work()  # a first time takes longer
    rounds = []
    for _ in range(ROUNDS):
        sleep(REST)
        rounds.append({name: _median(work, synchronise, before.get(name)) for name, work in kinds.items()})
    least = {name: min(medians[name] for medians in rounds) for name in kinds}
    return Costs(**{name: ms / LEVELS if name == "draft_ms" else ms for name, ms in least.items()})


def _score(cache: DecoderCache, tokens: int) -> Tensor:
    """One call on a chain of so many tokens, which are forgotten again."""
    logits, _ = cache.extend([0] * tokens, range(ROOT, tokens - 1))
    cache.commit([])
    return logits


def _choose(logits: Tensor, position: int) -> None:
    """What one by one does after a call."""
    settings = Settings(algorithm="autoregressive")
    rule = RULES[settings.algorithm].with_settings(settings)
    walk(ScoredTree(DraftTree(), logits, rule, settings, position), ())


def _median(work: Callable[[], object], synchronise: Callable[[], None], before: Callable[[], object] | None = None) -> float:
    """Milliseconds that it takes, behind what is done `before` each time."""
    taken: list[float] = []
    synchronise()
    begun = perf_counter()
    while len(taken) < CALLS and (not taken or perf_counter() - begun < PATIENCE):
        if before:
            before()
            synchronise()
        start = perf_counter()
        work()
        synchronise()
        taken.append(1e3 * (perf_counter() - start))
    return statistics.median(taken[-COUNTED:])


def _synchroniser(pair: ModelPair) -> Callable[[], None]:
    """Waits until all work handed to the GPU is done."""
    device = pair.target.device
    return (lambda: torch.cuda.synchronize(device)) if device.type == "cuda" else lambda: None
