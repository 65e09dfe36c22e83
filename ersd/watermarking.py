"""Whose clocks wrote this text? A test for the seed that needs no model (the idea behind keyed, watermarked sampling).

The winner of a race has a small clock: p times an Exp(1) number where its probability is p. Any other text has clocks of Exp(1), so the
sum of n of them follows Gamma(n, 1). A sum far below n shows the seed; where the model was sure (p near 1) a token shows nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from . import contexts
from .formatting import quoted
from .randomness import CLOCK, CONTEXT_CLOCK, context_key, uniforms
from .settings import KEYS, RANGES, TEXT_START, one_of
from .theory.clock_sums import CLEAR, clock_sum_pvalue, corrected_pvalue

MAX_TOKENS = 100_000
"""Tokens of a text: more take longer than a reader waits."""


@dataclass(frozen=True)
class Watermark:
    """The clocks of a text under one seed."""

    clocks: list[float | None]
    """per token, Exp(1) in any text that this seed did not write; None: not tested (context seen before, or too short)"""
    sum: float
    """of the clocks tested"""
    count: int
    """how many"""
    pvalue: float
    """probability that another text's sum is at most this: P(Gamma(count, 1) <= sum); 1 where nothing was tested"""

    @property
    def is_recognised(self) -> bool:
        """Clear enough to say that the seed wrote the text, if it is the only one tried."""
        return self.pvalue <= CLEAR

    def corrected(self, tests: int) -> float:
        """The probability that at least one of so many seeds and starts tried gives so small a sum by chance."""
        return corrected_pvalue(self.pvalue, tests)


def watermark(tokens: Sequence[int], seed: int, start: int = 0, keys: str = "position") -> Watermark:
    """Test whether the clocks of a seed wrote a text.

    Args:
        tokens: token ids of the text, in its order.
        seed: of the run that may have written it.
        start: index of the first one in the whole sequence of that run, prompt and BOS counted; plays no part for `context`.
        keys: `position` or `context`, as in `Settings.keys` of that run. By context the first tokens have no context, and one that was
            seen before is skipped.

    Raises:
        ValueError: naming the argument, what it must be and what it is.
    """
    if isinstance(tokens, (str, bytes)) or not isinstance(tokens, Sequence):
        raise ValueError(f"tokens must be a list of token ids, got {quoted(tokens)}")
    if not 1 <= len(tokens) <= MAX_TOKENS:
        raise ValueError(f"tokens must be a list of 1 to {MAX_TOKENS:,} token ids, got {len(tokens):,}")
    wrong = next((one for one in tokens if isinstance(one, bool) or not isinstance(one, int) or not 0 <= one < 2**31), None)
    if wrong is not None:
        raise ValueError(f"tokens must be token ids, whole numbers from 0, got {quoted(wrong)}")
    seed, start = int(RANGES["seed"].check("seed", seed)), int(TEXT_START.check("start", start))
    ids = torch.tensor(tokens)
    if one_of("keys", keys, KEYS) == "position":
        places = torch.arange(len(tokens)) + start
        found: list[float | None] = list(uniforms(seed, places, CLOCK, ids).log_().neg_().tolist())
    else:
        found = _by_context(list(tokens), seed)
    tested = [one for one in found if one is not None]
    total = float(sum(tested))
    count = len(tested)
    return Watermark(found, total, count, clock_sum_pvalue(total, count) if count else 1.0)


def _by_context(tokens: list[int], seed: int) -> list[float | None]:
    """The clocks keyed by the tokens before each; None for those without a context of their own."""
    length, seen, keyed = contexts.CONTEXT, set[tuple[int, ...]](), dict[int, int]()
    for place in range(length, len(tokens)):
        context = tuple(tokens[place - length : place])
        if context not in seen:
            keyed[place] = context_key(context)
        seen.add(context)
    found: list[float | None] = [None] * len(tokens)
    if keyed:
        drawn = uniforms(seed, torch.tensor(list(keyed.values())), CONTEXT_CLOCK, torch.tensor([tokens[place] for place in keyed]))
        for place, clock in zip(keyed, drawn.log_().neg_().tolist(), strict=True):
            found[place] = clock
    return found
