"""Distillation of the embedded draft: the rows it trains on, the target's distributions there, and the loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from transformers import LlamaForCausalLM, StaticCache

from assets.stories import CONTEXT

TEXT_ROWS, SAMPLED_ROWS = 8192, 4096
"""Rows of the text, and rows sampled from the target, as when the draft is used."""
KEPT = 128
"""Tokens kept of each target distribution: 97% of its mass on average."""
OVERLAP = 6
"""Weight of the total variation in the loss; the KL divergence, in nats, has weight 1."""
ROWS_AT_ONCE = 256
"""Rows that are sampled in one batch."""


@torch.no_grad()
def sample_rows(target: LlamaForCausalLM, rows: int) -> torch.Tensor:
    """Rows [rows, CONTEXT + 1] sampled from the target at temperature 1, one story after the other, from token 0 on."""
    parts = []
    for _ in range(rows // ROWS_AT_ONCE):
        tokens = torch.zeros(ROWS_AT_ONCE, 1, dtype=torch.long, device=target.device)
        cache = StaticCache(target.config, max_cache_len=CONTEXT)
        for _ in range(CONTEXT):
            with torch.autocast(tokens.device.type, torch.bfloat16):
                logits = target(input_ids=tokens[:, -1:], past_key_values=cache).logits[:, -1].float()
            tokens = torch.cat([tokens, logits.softmax(-1).multinomial(1)], 1)
        parts.append(tokens)
    return torch.cat(parts)


@torch.no_grad()
def soft_labels(teacher: Callable[..., Any], rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The target's distributions on `rows`, computed once: `rows`, and for every token but the first the log-probabilities
    (float16 [n, CONTEXT, KEPT]) and ids (int16) of the target's likeliest tokens."""
    likely, tokens = [], []
    for part in rows.split(8):
        with torch.autocast(part.device.type, torch.bfloat16):
            logits = teacher(input_ids=part[:, :-1], use_cache=False).logits.float()
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
