"""What the forward passes of a pair cost, and of which larger pairs that can be reckoned. Plain data, no torch."""

from __future__ import annotations

from dataclasses import dataclass


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
    """a level of the draft: a call of it on one token; None without a draft model"""

    @property
    def one_by_one_ms(self) -> float:
        """A token of the target alone: a call on one token, and its choice."""
        return self.target_1_ms + self.choice_ms


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


def ratios(costs: Costs | None) -> list[tuple[str, float, str]]:
    """What a target call costs in draft levels, for several pairs: name, ratio, source. The pair measured here comes first, where there is
    one. To three digits: who divides the figures of the source, or goes on with the ratio as it is written, comes to what is told."""
    here = []
    if costs and costs.draft_ms:
        called, drafted = _three_digits(costs.target_1_ms), _three_digits(costs.draft_ms)
        source = f"measured at load: target call {called:g} ms, draft level {drafted:g} ms"
        here = [("this machine", _three_digits(called / drafted), source)]
    return here + [(pair.label, _three_digits(pair.ratio), pair.source) for pair in LARGE_PAIRS]


def _three_digits(value: float) -> float:
    return float(f"{value:.3g}")
