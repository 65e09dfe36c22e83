"""What the forward passes of a pair cost, and of which larger pairs that can be reckoned. Plain data, no torch."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..trace.statistics import Statistics


@dataclass(frozen=True)
class Costs:
    """What one machine takes for a pair, milliseconds: medians of a few calls behind a short text, measured when the models were loaded
    (`stopwatch.measure`)."""

    target_1_ms: float
    """a call of the target on one token, on 5 and on 17: the text's last one and 4 or 16 drafted ones"""
    target_5_ms: float
    target_17_ms: float
    choice_ms: float
    """choosing the next token from the logits of a call, as one by one does"""
    draft_ms: float | None = None
    """a level of the draft: a call of it on one token; None without a draft model. It and calls on drafted tokens are measured in turns"""

    @property
    def one_by_one_ms(self) -> float:
        """A token of the target alone: a call on one token, and its choice."""
        return self.target_1_ms + self.choice_ms

    def target_ms(self, tokens: float) -> float:
        """A target call that scores so many tokens, milliseconds: on a straight line between the measured sizes, and beyond them."""
        measured = ((1, self.target_1_ms), (5, self.target_5_ms), (17, self.target_17_ms))
        (few, less), (many, more) = next((two for two in pairwise(measured) if tokens <= two[1][0]), measured[-2:])
        return max(self.target_1_ms, less + (more - less) * (tokens - few) / (many - few))

    def baseline_ms(self, run: Statistics) -> float:
        """Milliseconds a token of this run would take without a draft.

        The cost measured at load, scaled by how much longer (or shorter) than expected the target calls of this run took: the machine may
        be busier now. The first step is left out, since it also reads the prompt.
        """
        expected = sum(count * self.target_ms(size) for size, count in run.call_sizes.items())
        return self.one_by_one_ms * (run.steady_target_ms / expected if expected else 1.0)


@dataclass(frozen=True)
class LargePair:
    """Two models that anyone can look up. Decoding one sequence on a GPU waits for memory, and every call reads every weight once: so a
    target call costs as many draft levels as the target has times the draft's parameters."""

    label: str
    target: str
    draft: str
    target_parameters: int
    draft_parameters: int

    @property
    def ratio(self) -> float:
        """What a target call costs, in draft levels."""
        return self.target_parameters / self.draft_parameters

    @property
    def source(self) -> str:
        """Where the ratio comes from."""
        sizes = [(self.target, self.target_parameters), (self.draft, self.draft_parameters)]
        return "weights read a call: " + ", ".join(f"{name} {parameters / 1e9:.3f}B" for name, parameters in sizes)


# from the published shapes: vocabulary 128,256 and (layers, width, feed-forward, heads, key heads) of
# (16, 2048, 8192, 32, 8) with tied embeddings, (32, 4096, 14336, 32, 8) and (80, 8192, 28672, 64, 8)
LLAMA_1B, LLAMA_8B, LLAMA_70B = 1_235_814_400, 8_030_261_248, 70_553_706_496
LARGE_PAIRS = (
    LargePair("1B → 8B", "Llama 3.1 8B", "Llama 3.2 1B", LLAMA_8B, LLAMA_1B),
    LargePair("1B → 70B", "Llama 3.1 70B", "Llama 3.2 1B", LLAMA_70B, LLAMA_1B),
)
"""Pairs whose costs are known without running them."""

SLOWER = "this target is too small to wait for"
"""What a speed-up below 1 means."""


@dataclass(frozen=True)
class Place:
    """A pair on a machine, by what a target call costs there, in draft levels. To three digits: who divides the figures of the source, or
    goes on with them as they are written, comes to what is told."""

    label: str
    calls: tuple[tuple[int, float], ...]
    """tokens that a call scores, and what it costs; of one alone: as much for any, as where all wait for memory"""
    source: str

    @property
    def ratio(self) -> float:
        """Of a call on one token."""
        return self.calls[0][1]

    def call(self, tokens: float) -> float:
        """Of a call that scores so many, the text's last one and those drafted: on a straight line between those measured, and beyond."""
        if len(self.calls) == 1:
            return self.ratio
        (few, less), (many, more) = next((two for two in pairwise(self.calls) if tokens <= two[1][0]), self.calls[-2:])
        return three_digits(max(self.ratio, less + (more - less) * (tokens - few) / (many - few)))


def places(costs: Costs | None) -> list[Place]:
    """Several pairs; the one measured here comes first, where there is one."""
    here = []
    if costs and costs.draft_ms:
        drafted = three_digits(costs.draft_ms)
        milliseconds = {1: costs.target_1_ms, 5: costs.target_5_ms, 17: costs.target_17_ms}
        called = {tokens: three_digits(ms) for tokens, ms in milliseconds.items()}
        trees = f"{called[5]:g} with 4 drafted, {called[17]:g} with 16"
        source = f"at load: call {called[1]:g} ms, {trees}; draft level {drafted:g} ms"
        here = [Place("this machine", tuple((tokens, three_digits(ms / drafted)) for tokens, ms in called.items()), source)]
    return here + [Place(pair.label, ((1, three_digits(pair.ratio)),), pair.source) for pair in LARGE_PAIRS]


def three_digits(value: float) -> float:
    """As it is told."""
    return float(f"{value:.3g}")
