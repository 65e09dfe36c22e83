"""What the steps of a pair cost: measured at load, or computed from published sizes. Importing it does not import torch."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Costs:
    """Milliseconds that the parts of a step take on this machine after a short text, measured at load (`calibration.measure`).

    Together they are all that a step takes: its draft levels, its target call, and a choice for every token that it writes.
    """

    target_1_ms: float
    """a target call for 1, 5 and 17 tokens: the last one of the text with 0, 4 or 16 drafted ones"""
    target_5_ms: float
    target_17_ms: float
    choice_ms: float
    """choosing the next token from the logits of one call"""
    draft_ms: float | None = None
    """a draft level that scores one token: the call, and choosing what is drafted; None without a draft model"""
    device: str = "cpu"
    """type of the device they were measured on, as PyTorch names it: cpu, cuda, …"""
    wider_ms: float | None = None
    """what every further token adds that a draft level scores; None in older records, whose `draft_ms` is a draft call alone"""
    source: str = "model"
    """of the guesses whose draft levels these are, as `Settings.source`"""
    exit: int = 0
    """guesses from the target's first layers: how many layers a draft level computes; else 0"""
    layers: int = 0
    """of how many"""

    @property
    def one_by_one_ms(self) -> float:
        """A token without a draft: a target call for one token, and the choice."""
        return self.target_1_ms + self.choice_ms

    def target_ms(self, tokens: float) -> float:
        """Milliseconds of a target call that scores this many tokens: linear between the measured sizes and beyond them."""
        return _interpolated(((1, self.target_1_ms), (5, self.target_5_ms), (17, self.target_17_ms)), tokens)


def _interpolated(calls: tuple[tuple[int, float], ...], tokens: float) -> float:
    """Cost of a call for this many tokens, linear between the measured (tokens, cost) and beyond them; never below that of the first."""
    (few, less), (many, more) = next((two for two in pairwise(calls) if tokens <= two[1][0]), calls[-2:])
    return max(calls[0][1], less + (more - less) * (tokens - few) / (many - few))


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
# (16, 2048, 8192, 32, 8) with tied embeddings and (80, 8192, 28672, 64, 8)
LLAMA_1B, LLAMA_70B = 1_235_814_400, 70_553_706_496
LARGE_PAIRS = (LargePair("1B → 70B", "Llama 3.1 70B", "Llama 3.2 1B", LLAMA_70B, LLAMA_1B),)
"""Pairs whose cost ratios follow from their sizes."""


@dataclass(frozen=True)
class Place:
    """A pair on a machine: what the parts of a step cost there, in milliseconds or in draft levels.

    Costs have three digits, so that computing with the displayed figures gives the displayed results.
    """

    label: str
    calls: tuple[tuple[int, float], ...]
    """(tokens that a call scores, its cost); a single entry means that every call costs the same, as where all are bound by memory"""
    source: str
    level: float = 1.0
    """cost of a draft level that scores one token"""
    wider: float = 0.0
    """what every further token adds that a draft level scores"""
    choice: float = 0.0
    """cost of choosing one token"""
    unit: str = ""
    """of all costs: `ms`, or nothing for draft levels"""

    @property
    def ratio(self) -> float:
        """Cost of a call for one token, in draft levels."""
        return three_digits(self.calls[0][1] / self.level)

    def call(self, tokens: float) -> float:
        """Cost of a call that scores this many tokens: linear between the measured sizes and beyond them."""
        return self.calls[0][1] if len(self.calls) == 1 else three_digits(self._call(tokens))

    def drafting(self, levels: float, tokens: float) -> float:
        """Cost of drafting for a call that scores this many tokens. Every level but the first scores what a level drafts on average."""
        return three_digits(self._drafting(levels, tokens))

    def step(self, per_call: float, levels: float, tokens: float) -> float:
        """Cost of a whole step, the denominator of `speedup`."""
        return sum(self.parts(per_call, levels, tokens))

    def parts(self, per_call: float, levels: float, tokens: float) -> tuple[float, float, float]:
        """Drafting, verifying and accepting of a step. Not rounded, since the steps that are compared differ by one guess."""
        return self._drafting(levels, tokens), self._call(tokens), per_call * self.choice

    def _call(self, tokens: float) -> float:
        return self.calls[0][1] if len(self.calls) == 1 else _interpolated(self.calls, tokens)

    def _drafting(self, levels: float, tokens: float) -> float:
        further = max(0.0, levels - 1) * max(0.0, (tokens - 1) / levels - 1) if levels else 0.0
        return levels * self.level + further * self.wider

    def speedup(self, per_call: float, levels: float, tokens: float) -> float:
        """Expected speed-up, if a call yields `per_call` tokens, takes this many draft levels and scores this many tokens."""
        from .theory.speed import speedup  # late: it needs numpy, and whoever reads a trace needs this module

        return speedup(per_call, self.calls[0][1], self.drafting(levels, tokens), self.call(tokens), self.choice)

    def formula(self, per_call: float, levels: float, tokens: float) -> str:
        """The printed arithmetic of `speedup`, without its result; `formulaOf` in cost_ratio.js writes the same."""
        unit = f" {self.unit}" if self.unit else ""
        alone, accept = f"{self.calls[0][1]:g}{unit}", ""
        if self.choice:
            alone, accept = f"({self.calls[0][1]:g} + {self.choice:g}){unit}", f" + accept {per_call:.2f} · {self.choice:g}"
        draft, verify = f"draft {self.drafting(levels, tokens):g}", f"verify {self.call(tokens):g}"
        return f"{per_call:.2f} · {alone} / ({draft} + {verify}{accept}){unit}"


H100 = Costs(7.568, 7.978, 8.083, 1.262, 1.996, "cuda")
"""Measured on an NVIDIA H100 (80 GB, torch 2.11) with random weights in the shapes of Llama 3.1 8B and 3.2 1B, bfloat16, CUDA graphs
(`tests/bench/bench_calls.py`)."""

ON_H100 = "1B → 8B on an H100"


def places(costs: Costs | None, machine: str = "this machine") -> list[Place]:
    """The pairs to compare speed-ups on; the machine of `costs` comes first, if they were measured with a draft."""
    here = [_measured(machine, "measured at load, idle", costs)] if costs and costs.draft_ms else []
    if costs and costs.source != "model":
        return here  # the others are pairs of models
    there = _measured(ON_H100, "measured with random weights", H100)
    return [*here, there, *(Place(pair.label, ((1, three_digits(pair.ratio)),), pair.source) for pair in LARGE_PAIRS)]


def _measured(label: str, where: str, costs: Costs) -> Place:
    """The pair whose steps take these times; it must have a draft."""
    calls = tuple((size, three_digits(costs.target_ms(size))) for size in (1, 5, 17))
    level, wider, choice = (three_digits(ms or 0.0) for ms in (costs.draft_ms, costs.wider_ms, costs.choice_ms))
    (_, one), (_, five), (_, seventeen) = calls
    drafted = f"draft call {level:g} ms" + (f", {wider:g} for each further token in it" if costs.wider_ms is not None else " alone")
    source = f"{where}: call {one:g} ms, {five:g} with 4 drafted, {seventeen:g} with 16; {drafted}; choosing a token {choice:g} ms"
    return Place(label, calls, source, level, wider, choice, "ms")


def three_digits(value: float) -> float:
    """The value as it is displayed."""
    return float(f"{value:.3g}")
