"""Measures how far rounding moves the logits of one text when it is scored in calls of other shapes."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from transformers import PreTrainedTokenizerBase

from ..draft_tree import ROOT
from .target import Cache

_SAMPLE = (
    "One day a little boy named Tom went to the park with his mom. He saw a big dog near the old tree, and the dog was sad. "
    'Tom said, "I will help you find your ball." They looked under the bench and behind the house, but it was not there.'
)
"""Plain text, because rounding grows with the logits, and the logits with how sure the model is."""

_TOKENS = 24
"""Tokens of the sample that are scored."""
_BLOCK, _SIBLINGS = 4, 13
"""Entries of a tree: the next tokens of the sample, and siblings of them."""
_SAFETY = 2.5
"""Factor from the mean move to the bound. The largest move of a thousand tokens was 1.9 times the mean for the embedded pair in float32,
bfloat16 and float16, and at most 2.24 times on a processor with matrix units for half precision (Intel AMX)."""


@torch.inference_mode()
def logit_noise(open_cache: Callable[[], Cache], tokenizer: PreTrainedTokenizerBase, vocab_size: int, context: int) -> float:
    """How far rounding moves a logit between scoring a text token by token and scoring it along the paths of trees.

    Args:
        open_cache: returns a fresh cache of the model.
        tokenizer: the model's; encodes the text that is scored.
        vocab_size: tokens that are compared.
        context: longest text the model takes, tokens; at least 2.

    Returns:
        A bound for the move of every logit apart from one shift common to all; the difference of two logits moves by at most twice as
        much. It comes from the mean over a short text, which varies less from text to text than the largest move does.
    """
    text = _sample(tokenizer, vocab_size)[: min(1 + _TOKENS, context)]
    in_trees = _scored(open_cache(), text, vocab_size, _BLOCK, _SIBLINGS)
    moved = in_trees - _scored(open_cache(), text, vocab_size, block=1, siblings=0)
    moved = moved.where(moved.isfinite(), 0.0)  # a logit of -inf stays one
    differences = moved.amax(-1) - moved.amin(-1)
    return max(_SAFETY * differences.mean().item(), differences.max().item()) / 2


def _sample(tokenizer: PreTrainedTokenizerBase, vocab_size: int) -> list[int]:
    """Token ids of the sample; random ones if the tokenizer cannot encode it."""
    try:
        ids = [i for i in tokenizer(_SAMPLE)["input_ids"] if i < vocab_size]
    except Exception:  # a tokenizer of something other than text
        ids = []
    others = torch.randint(vocab_size, (1 + _TOKENS,), generator=torch.Generator().manual_seed(0)).tolist()
    return [*ids, *others[len(ids) :]]


def _scored(cache: Cache, text: list[int], vocab_size: int, block: int, siblings: int) -> Tensor:
    """Logits after text[1:], float64 [len(text) - 1, vocab_size], from trees of the next `block` tokens and random siblings."""
    cache.prefill(text[:1])
    generator = torch.Generator().manual_seed(0)
    found = []
    for start in range(1, len(text), block):
        chain = text[start : start + block]
        others = torch.randint(vocab_size, (siblings,), generator=generator).tolist()
        # siblings of the chain's tokens, so that no position is beyond the text
        parents = torch.randint(ROOT, len(chain) - 1, (siblings,), generator=generator).tolist()
        logits, entries = cache.extend([*chain, *others], [*range(ROOT, len(chain) - 1), *parents])
        cache.commit(entries[: len(chain)])
        found.append(logits[: len(chain), :vocab_size].double())
    return torch.cat(found)
