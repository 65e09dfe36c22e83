"""Pairs of distributions to test rules with, and the statistical tests. False-alarm rate of every single test: 1e-5, seeds fixed."""

from __future__ import annotations

from itertools import chain

import torch
from scipy.stats import binomtest, chisquare
from torch import Tensor

from ersd import ModelPair, Settings, generate
from ersd.drafts.topologies import TREES, is_allowed
from ersd.rules.registry import TRAITS
from ersd.sampling import probabilities

FALSE_ALARM = 1e-5


def lossless() -> list[str]:
    """Every rule of the registry that claims to follow the target's distribution, also one registered from outside the package."""
    return [name for name, traits in TRAITS.items() if traits.lossless and traits.uses_sampling]


def drafting() -> list[str]:
    """Those of them that draft."""
    return [name for name in lossless() if TRAITS[name].drafts]


def combinations() -> list[tuple[str, str]]:
    """Every rule of the registry on every topology it allows."""
    return [(name, topology) for name in TRAITS for topology in TREES if is_allowed(name, topology)]


LOSSLESS, DRAFTING, COMBINATIONS = lossless(), drafting(), combinations()
"""What the tests are parametrised by, as they are collected."""


def dist(*values: float) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


def random_pairs(size: int, count: int = 10, spread: float = 1.5, seed: int = 5) -> list[tuple[Tensor, Tensor]]:
    """Random target and draft distributions."""
    generator = torch.Generator().manual_seed(seed)
    return [tuple((spread * torch.randn(2, size, generator=generator, dtype=torch.float64)).softmax(-1)) for _ in range(count)]


ADVERSARIAL = {
    "zeros": (dist(0.5, 0.3, 0.2, 0.0), dist(0.0, 0.2, 0.3, 0.5)),
    "equal": (dist(0.5, 0.3, 0.2, 0.0), dist(0.5, 0.3, 0.2, 0.0)),
    "disjoint": (dist(0.5, 0.5, 0.0, 0.0), dist(0.0, 0.0, 0.4, 0.6)),
    "one point": (dist(0.0, 1.0, 0.0, 0.0), dist(0.5, 0.3, 0.2, 0.0)),
    "one point draft": (dist(0.5, 0.3, 0.2, 0.0), dist(0.0, 1.0, 0.0, 0.0)),
}

UNEQUAL = {
    "target beyond draft": (dist(0.17, 0.53, 0.04, 0.25, 0.0, 0.01), dist(0.17, 0.47, 0.03, 0.33, 0.0, 0.0)),
    "target a little beyond draft": (dist(0.04, 0.85, 0.08, 0.02, 0.0, 0.01), dist(0.04, 0.85, 0.09, 0.02, 0.0, 0.0)),
    "draft beyond target": (dist(0.5, 0.45, 0.05, 0.0, 0.0), dist(0.4, 0.3, 0.1, 0.15, 0.05)),
    "each beyond the other": (dist(0.3, 0.3, 0.38, 0.02, 0.0), dist(0.25, 0.35, 0.0, 0.1, 0.3)),
    "one in common": (dist(0.6, 0.4, 0.0, 0.0), dist(0.0, 0.01, 0.5, 0.49)),
    "all but one point of the draft": (dist(0.2, 0.3, 0.49, 0.01), dist(0.0, 0.0, 1.0, 0.0)),
}
"""Supports that differ, as top-k and top-p of two models make them; the first two were drawn from a model by top-k 4."""

SAMPLINGS = (
    {"temperature": 0.7, "top_k": 4},
    {"temperature": 1.0, "top_p": 0.8},
    {"temperature": 0.7, "top_k": 4, "top_p": 0.8},
    {"temperature": 1.4, "top_k": 30, "top_p": 0.9},
)
CONTEXTS = (
    "Once upon a time", "The dog ran", "Lily saw a big", "\"Look!\" said the", "They went to the", "Ben was sad because he had", "Mom said",
    "One day, Tom and his",
)  # fmt: skip


def of_models(pair: ModelPair, contexts: tuple[str, ...] = CONTEXTS) -> dict[str, tuple[Tensor, Tensor]]:
    """Distributions of a pair's two models after some texts, sampled in several ways, cut to the tokens that either reaches."""
    found = {}
    for place, context in enumerate(contexts):
        sampling = SAMPLINGS[place % len(SAMPLINGS)]
        ids = torch.tensor([pair.encode(context)])
        with torch.inference_mode():
            logits = [model(ids).logits[0, -1, : pair.vocab_size] for model in (pair.target.model, pair.draft.model)]
        p, q = (probabilities(row, **sampling).clone() for row in logits)
        reached = (p > 0) | (q > 0)
        found[f"{context} {sampling}"] = p[reached], q[reached]
    return found


def pvalue(tokens: Tensor, p: Tensor) -> float:
    """Of the hypothesis that the tokens [trials] are drawn from p; 0 if one of probability 0 occurs. Rare tokens count as one."""
    counts = torch.bincount(tokens, minlength=len(p)).double()
    if counts[p == 0].any():
        return 0.0
    return pooled_pvalue(counts, p * len(tokens))


def pooled_pvalue(seen: Tensor, expected: Tensor) -> float:
    """Chi-square test of counts; cells that expect fewer than 5 are pooled, so that the approximation holds."""
    rare = expected < 5
    seen = torch.cat([seen[~rare], seen[rare].sum()[None]])
    expected = torch.cat([expected[~rare], expected[rare].sum()[None]])
    kept = expected > 0
    return 1.0 if kept.sum() == 1 else float(chisquare(seen[kept].numpy(), expected[kept].numpy(), sum_check=False).pvalue)


def follows(tokens: Tensor, p: Tensor) -> bool:
    return pvalue(tokens, p) > FALSE_ALARM


def occurs(events: Tensor, probability: float) -> bool:
    """Is the number of true events what this probability lets expect? Rounding at 0 and 1 is forgiven, an event of probability 0 is not."""
    if probability < 1e-9 or probability > 1 - 1e-9:
        return bool((events == (probability > 0.5)).all())
    return binomtest(int(events.sum()), len(events), probability).pvalue > FALSE_ALARM


def tokens_of(pair: ModelPair, prompt: str, settings: Settings) -> list[int]:
    """The token ids of an unrecorded run: those of `ersd.run`, in a third of the time."""
    return list(chain.from_iterable(generate(pair, prompt, settings, record=False)))
