"""What the embedded draft learns of the target: on which rows, what the target says there, and how far the draft is from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from transformers import LlamaForCausalLM, StaticCache

from assets.stories import CONTEXT

READ, TOLD = 8192, 4096
"""Rows of the text, and rows that the target tells itself, as it will when the draft is used."""
KEPT = 128
"""Of the target's distribution so many tokens are kept: 97% of its mass on average."""
OVERLAP = 6
"""What the total variation counts in the loss, beside the KL divergence in nats."""


@torch.no_grad()
def told(target: LlamaForCausalLM, rows: int, at_once: int = 256) -> torch.Tensor:
    """Rows [rows, CONTEXT + 1] that the target tells from token 0 on at temperature 1, one story after the other."""
    parts = []
    for _ in range(rows // at_once):
        tokens = torch.zeros(at_once, 1, dtype=torch.long, device=target.device)
        cache = StaticCache(target.config, max_cache_len=CONTEXT)
        for _ in range(CONTEXT):
            logits = target(input_ids=tokens[:, -1:], past_key_values=cache).logits[:, -1]
            tokens = torch.cat([tokens, logits.softmax(-1).multinomial(1)], 1)
        parts.append(tokens)
    return torch.cat(parts)


@torch.no_grad()
def lessons(teacher: Callable[..., Any], rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """What the draft is to learn on `rows`, asked of the target once: `rows`, and of every token but the first the log-probabilities
    (float16 [n, CONTEXT, KEPT]) and the numbers (int16) of the target's likeliest tokens there."""
    likely, tokens = [], []
    for part in rows.split(8):
        logits = teacher(input_ids=part[:, :-1], use_cache=False).logits
        best = logits.topk(KEPT, sorted=False)
        likely.append((best.values - logits.logsumexp(-1, keepdim=True)).half())
        tokens.append(best.indices.short())
    return rows, torch.cat(likely), torch.cat(tokens)


def distillation_loss(model: torch.nn.Module, rows: torch.Tensor, likely: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """KL(target || draft) + OVERLAP TV(target, draft) per token, KL in nats, of the target's likeliest tokens and of all others
    taken together.

    KL alone spends a small draft's strength on tokens that neither model would choose; TV is the share that standard speculative
    sampling rejects (Leviathan et al. 2023, section 3.2; as a loss: Zhou et al., DistillSpec, 2024).
    """
    logits = model(input_ids=rows[:, :-1], use_cache=False).logits
    log_p, log_q = likely.float(), logits.gather(-1, tokens.long()) - logits.logsumexp(-1, keepdim=True)
    p, q = log_p.exp(), log_q.exp()
    other_p, other_q = ((1 - each.sum(-1)).clamp(min=1e-6) for each in (p, q))
    divergence = (p * (log_p - log_q)).sum(-1) + other_p * (other_p / other_q).log()
    distance = 1 - torch.minimum(p, q).sum(-1) - torch.minimum(other_p, other_q)
    return (divergence + OVERLAP * distance).mean()
