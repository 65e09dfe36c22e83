"""What the forward passes of a pair cost: measured at load, or computed from published sizes. Importing it does not import torch."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count, pairwise
from time import sleep
from typing import TYPE_CHECKING

from ..stopwatch import now_ms

if TYPE_CHECKING:
    from torch import Tensor

    from ..trace.statistics import Statistics
    from .pair import ModelPair
    from .tree_cache import DecoderCache

PREFIX = 32
"""Tokens of the text after which calls are timed."""
ROUNDS = 5
"""Rounds of timing; the smallest median of a kind of call counts, since other load on the machine only adds."""
CALLS, COUNTED = 6, 3
"""Calls of a kind in a round, and how many of the last ones count: the first ones find the weights gone from the processor's caches."""
REST_SECONDS = 0.06
"""Pause between rounds: a page that is just starting keeps the machine busy for a while."""
LEVELS = 4
"""Draft levels between two calls on drafted tokens. The two alternate in a run, and each evicts weights of the other from the caches."""
PATIENCE_SECONDS = 0.15
"""A round makes no further calls of a kind after this time: for a very large model one call must do."""


@dataclass(frozen=True)
class Costs:
    """Milliseconds that the calls of a pair take on this machine after a short text, measured at load (`measure`)."""

    target_1_ms: float
    """a target call for 1, 5 and 17 tokens: the last one of the text with 0, 4 or 16 drafted ones"""
    target_5_ms: float
    target_17_ms: float
    choice_ms: float
    """choosing the next token from the logits of one call"""
    draft_ms: float | None = None
    """a draft call for one token, which is one level of a tree; None without a draft model"""
    device: str = "cpu"
    """type of the device they were measured on, as PyTorch names it: cpu, cuda, …"""

    @property
    def one_by_one_ms(self) -> float:
        """A token without a draft: a target call for one token, and the choice."""
        return self.target_1_ms + self.choice_ms

    def target_ms(self, tokens: float) -> float:
        """Milliseconds of a target call that scores this many tokens: linear between the measured sizes and beyond them."""
        return _interpolated(((1, self.target_1_ms), (5, self.target_5_ms), (17, self.target_17_ms)), tokens)

    def baseline_ms(self, run: Statistics) -> float:
        """Milliseconds a token of this run would take without a draft.

        The cost measured at load, scaled by how much longer (or shorter) than expected the target calls of this run took: the machine may
        be busier now. The first step is left out, since it also reads the prompt.
        """
        expected = sum(count * self.target_ms(size) for size, count in run.call_sizes.items())
        return self.one_by_one_ms * (run.steady_target_ms / expected if expected else 1.0)


def _interpolated(calls: tuple[tuple[int, float], ...], tokens: float) -> float:
    """Cost of a call for this many tokens, linear between the measured (tokens, cost) and beyond them; never below that of the first."""
    (few, less), (many, more) = next((two for two in pairwise(calls) if tokens <= two[1][0]), calls[-2:])
    return max(calls[0][1], less + (more - less) * (tokens - few) / (many - few))


def measure(pair: ModelPair) -> Costs:
    """Time the calls of a pair on this machine; takes less than a second for a small pair."""
    import torch

    from ..randomness import clocks

    device = pair.target.device
    synchronise = torch.cuda.current_stream(device).synchronize if device.type == "cuda" else (lambda: None)
    prefix = [0] * max(1, min(PREFIX, pair.context - 1, pair.draft_context - 1))
    positions = count(len(prefix))

    def choose() -> None:
        """A race by the clocks of a new position, as plain decoding does it."""
        race = clocks(0, next(positions), pair.vocab_size).log().to(device) - logits.double().log_softmax(-1)
        race.argmin().item()

    target = pair.open_target()
    target.prefill(prefix)
    logits = _score(target, 1)[0, : pair.vocab_size]
    kinds: dict[str, Callable[[], object]] = {
        "target_1_ms": lambda: _score(target, 1),
        "target_5_ms": lambda: _score(target, 5),
        "target_17_ms": lambda: _score(target, 17),
        "choice_ms": choose,
    }
    before: dict[str, Callable[[], object]] = {}
    if pair.draft:
        draft = pair.open_draft()
        draft.prefill(prefix)
        kinds["draft_ms"] = lambda: [_score(draft, 1) for _ in range(LEVELS)]
        before = {"target_5_ms": kinds["draft_ms"], "target_17_ms": kinds["draft_ms"], "draft_ms": kinds["target_5_ms"]}
    for work in kinds.values():
        work()  # the first call of a kind takes longer
    rounds = []
    for _ in range(ROUNDS):
        sleep(REST_SECONDS)
        rounds.append({name: _median_ms(work, synchronise, before.get(name)) for name, work in kinds.items()})
    least = {name: min(medians[name] for medians in rounds) for name in kinds}
    return Costs(**{name: ms / LEVELS if name == "draft_ms" else ms for name, ms in least.items()}, device=device.type)


def _score(cache: DecoderCache, tokens: int) -> Tensor:
    """Logits of one call for this many siblings, which are dropped again. Siblings need one position of the context only."""
    from .tree_cache import ROOT

    logits, _ = cache.extend([0] * tokens, [ROOT] * tokens)
    cache.commit([])
    return logits


def _median_ms(work: Callable[[], object], synchronise: Callable[[], None], before: Callable[[], object] | None = None) -> float:
    """Milliseconds that `work` takes when `before` is done each time just before it."""
    taken: list[float] = []
    begun = now_ms()
    while len(taken) < CALLS and (not taken or now_ms() - begun < 1e3 * PATIENCE_SECONDS):
        if before:
            before()
        synchronise()
        start = now_ms()
        work()
        synchronise()
        taken.append(now_ms() - start)
    return statistics.median(taken[-COUNTED:])


@dataclass(frozen=True)
class LargePair:
    """Two models with published sizes.

    Decoding one sequence on a GPU is bound by memory, and every call reads every weight once. So a target call costs as many draft levels
    as the target has times the parameters of the draft.
    """

    label: str
    target: str
    draft: str
    target_parameters: int
    draft_parameters: int

    @property
    def ratio(self) -> float:
        """Cost of a target call, in draft levels."""
        return self.target_parameters / self.draft_parameters

    @property
    def source(self) -> str:
        """Where the ratio comes from, for display."""
        sizes = [(self.target, self.target_parameters), (self.draft, self.draft_parameters)]
        return "weights read a call: " + ", ".join(f"{name} {parameters / 1e9:.3f}B" for name, parameters in sizes)


# from the published shapes: vocabulary 128,256 and (layers, width, feed-forward, heads, key heads) of
# (16, 2048, 8192, 32, 8) with tied embeddings, (32, 4096, 14336, 32, 8) and (80, 8192, 28672, 64, 8)
LLAMA_1B, LLAMA_8B, LLAMA_70B = 1_235_814_400, 8_030_261_248, 70_553_706_496
LARGE_PAIRS = (
    LargePair("1B → 8B", "Llama 3.1 8B", "Llama 3.2 1B", LLAMA_8B, LLAMA_1B),
    LargePair("1B → 70B", "Llama 3.1 70B", "Llama 3.2 1B", LLAMA_70B, LLAMA_1B),
)
"""Pairs whose cost ratios follow from their sizes."""


@dataclass(frozen=True)
class Place:
    """A pair on a machine: what a target call costs there, in draft levels.

    Costs have three digits, so that dividing the displayed figures, or computing on with them, gives the displayed results.
    """

    label: str
    calls: tuple[tuple[int, float], ...]
    """(tokens that a call scores, its cost); a single entry means that every call costs the same, as where all are bound by memory"""
    source: str

    @property
    def ratio(self) -> float:
        """Cost of a call for one token."""
        return self.calls[0][1]

    def call(self, tokens: float) -> float:
        """Cost of a call that scores this many tokens: linear between the measured sizes and beyond them."""
        return self.ratio if len(self.calls) == 1 else three_digits(_interpolated(self.calls, tokens))


H100 = Costs(7.568, 7.978, 8.083, 1.262, 1.996, "cuda")
"""Measured on an NVIDIA H100 (80 GB, torch 2.11) with random weights in the shapes of Llama 3.1 8B and 3.2 1B, bfloat16, CUDA graphs
(`tests/bench/bench_calls.py`)."""

ON_H100 = "1B → 8B, H100"


def places(costs: Costs | None, machine: str = "this machine") -> list[Place]:
    """The pairs to compare speed-ups on; the machine of `costs` comes first, if they were measured with a draft."""
    here = [_measured(machine, "at load", costs)] if costs and costs.draft_ms else []
    there = _measured(ON_H100, "on an H100, random weights", H100)
    return [*here, there, *(Place(pair.label, ((1, three_digits(pair.ratio)),), pair.source) for pair in LARGE_PAIRS)]


def _measured(label: str, where: str, costs: Costs) -> Place:
    """The pair whose calls take these times; it must have a draft."""
    drafted = three_digits(costs.draft_ms or 0.0)
    milliseconds = {1: costs.target_1_ms, 5: costs.target_5_ms, 17: costs.target_17_ms}
    called = {tokens: three_digits(ms) for tokens, ms in milliseconds.items()}
    trees = f"{called[5]:g} with 4 drafted, {called[17]:g} with 16"
    source = f"{where}: call {called[1]:g} ms, {trees}; draft level {drafted:g} ms"
    return Place(label, tuple((tokens, three_digits(ms / drafted)) for tokens, ms in called.items()), source)


def three_digits(value: float) -> float:
    """The value as it is displayed."""
    return float(f"{value:.3g}")
