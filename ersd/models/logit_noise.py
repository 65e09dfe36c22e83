"""How far rounding moves the logits of one text, depending on the shapes of the calls it is scored in."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from transformers import PreTrainedTokenizerBase

from .tree_cache import ROOT, DecoderCache

_SAMPLE = (
    "One day a little boy named Tom went to the park with his mom. He saw a big dog near the old tree, and the dog was sad. "
    'Tom said, "I will help you find your ball." They looked under the bench and behind the house, but it was not there.'
)
"""Words that every vocabulary has: the step of half precision grows with the logits, and these with how sure the model is."""

_TOKENS = 24
"""Tokens of the sample that are scored."""
_BLOCK, _BESIDE = 4, 13
"""A tree's entries: the next tokens of the sample, and others beside them."""
_SAFETY = 2.5
"""The largest move over the mean one: 1.9 in a thousand tokens of the embedded pair, in float32, bfloat16 and float16 alike; 2.24 in
bfloat16, 2.03 in float16 on a processor with matrix units of its own for them (Intel AMX)."""


@torch.inference_mode()
def logit_noise(opened: Callable[[], DecoderCache], tokenizer: PreTrainedTokenizerBase, vocab_size: int, context: int) -> float:
    """How far rounding moves a logit between scoring a text token by token and scoring it along the paths of trees.

    Args:
        opened: a fresh cache of the model, for every text.
        tokenizer: the model's; writes the text that is scored.
        vocab_size: tokens that are looked at.
        context: longest text the model takes, tokens; at least 2.

    Returns:
        A bound for the move of every logit beside one shift common to all, so the difference of two moves by at most twice as much. It
        is taken from the mean over a short text, which varies less from text to text than the largest move does.
    """
    text = _sample(tokenizer, vocab_size)[: min(1 + _TOKENS, context)]
    moved = _scored(opened(), text, vocab_size, _BLOCK, _BESIDE) - _scored(opened(), text, vocab_size, block=1, beside=0)
    moved = moved.where(moved.isfinite(), 0.0)  # a logit of -inf stays one
    differences = moved.amax(-1) - moved.amin(-1)
    return max(_SAFETY * differences.mean().item(), differences.max().item()) / 2


def _sample(tokenizer: PreTrainedTokenizerBase, vocab_size: int) -> list[int]:
    """Token ids of the sample; random ones where the tokenizer cannot write it."""
    try:
        ids = [i for i in tokenizer(_SAMPLE)["input_ids"] if i < vocab_size]
    except Exception:  # a tokenizer of anything but text
        ids = []
    others = torch.randint(vocab_size, (1 + _TOKENS,), generator=torch.Generator().manual_seed(0)).tolist()
    return [*ids, *others[len(ids) :]]


def _scored(cache: DecoderCache, text: list[int], vocab_size: int, block: int, beside: int) -> Tensor:
    """Logits behind text[1:], float64 [len(text) - 1, vocab_size], from trees of the next `block` tokens and `beside` random others."""
    cache.prefill(text[:1])
    generator = torch.Generator().manual_seed(0)
    found = []
    for start in range(1, len(text), block):
        chain = text[start : start + block]
        others = torch.randint(vocab_size, (beside,), generator=generator).tolist()
        # siblings of the chain's tokens, so that no position lies behind the text
        parents = torch.randint(ROOT, len(chain) - 1, (beside,), generator=generator).tolist()
        logits, entries = cache.extend([*chain, *others], [*range(ROOT, len(chain) - 1), *parents])
        cache.commit(entries[: len(chain)])
        found.append(logits[: len(chain), :vocab_size].double())
    return torch.cat(found)
