"""Pairs of distributions to test rules with, and the tests themselves. False-alarm rate of every single test: 1e-5, seeds fixed."""

from __future__ import annotations

import torch
from scipy.stats import binomtest, chisquare
from torch import Tensor

FALSE_ALARM = 1e-5


def random_pairs(size: int, count: int = 10, spread: float = 1.5, seed: int = 5) -> list[tuple[Tensor, Tensor]]:
    """Random target and draft laws."""
    generator = torch.Generator().manual_seed(seed)
    return [tuple((spread * torch.randn(2, size, generator=generator, dtype=torch.float64)).softmax(-1)) for _ in range(count)]


def law(*values: float) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


ADVERSARIAL = {
    "zeros": (law(0.5, 0.3, 0.2, 0.0), law(0.0, 0.2, 0.3, 0.5)),
    "equal": (law(0.5, 0.3, 0.2, 0.0), law(0.5, 0.3, 0.2, 0.0)),
    "disjoint": (law(0.5, 0.5, 0.0, 0.0), law(0.0, 0.0, 0.4, 0.6)),
    "one point": (law(0.0, 1.0, 0.0, 0.0), law(0.5, 0.3, 0.2, 0.0)),
    "one point draft": (law(0.5, 0.3, 0.2, 0.0), law(0.0, 1.0, 0.0, 0.0)),
}


def law_pvalue(tokens: Tensor, p: Tensor) -> float:
    """Of the hypothesis that the tokens [trials] are drawn from p; 0 if one of probability 0 occurs."""
    counts = torch.bincount(tokens, minlength=len(p))
    if counts[p == 0].any():
        return 0.0
    kept = p > 0
    return 1.0 if kept.sum() == 1 else float(chisquare(counts[kept].numpy(), (p[kept] * len(tokens)).numpy()).pvalue)


def follows(tokens: Tensor, p: Tensor) -> bool:
    return law_pvalue(tokens, p) > FALSE_ALARM


def occurs(events: Tensor, probability: float) -> bool:
    """Is the number of true events what this probability lets expect? Rounding at 0 and 1 is forgiven, an event of probability 0 is not."""
    if probability < 1e-9 or probability > 1 - 1e-9:
        return bool((events == (probability > 0.5)).all())
    return binomtest(int(events.sum()), len(events), probability).pvalue > FALSE_ALARM
