"""Join two trained models into one of twice the width, which gives the mean of their logits.

    python -m assets.joining A B --text a.txt --out pair/target

Two small models train several times as fast as one of twice the width, and two that were trained apart are wrong in different places, so
their mean has a lower loss than either. The channels, heads and units of both stand side by side, and nothing leads from one to the other
until training goes on (bert2BERT, Chen et al. 2022, widens one model in this way; here the second half is another model).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from transformers.models.llama.modeling_llama import LlamaRMSNorm

from assets.stories import encode, read_stories, shuffled

NORM_ROWS = 64
"""Rows of text on which the size of the residual stream is measured."""


def side_by_side(a: LlamaForCausalLM, b: LlamaForCausalLM, rows: torch.Tensor) -> LlamaForCausalLM:
    """One model whose first half is `a` and whose second half is `b`.

    Args:
        a, b: models of one shape, without grouped queries.
        rows: token ids of text that both know [n, length].

    A joint RMSNorm divides both halves by one number. So `b` is first scaled to be as large as `a`, and what is left on average goes into
    the norms' weights, by the rows; what differs from token to token remains, for training to mend. Joining a model with itself is exact.
    """
    config = LlamaConfig(**a.config.to_dict())
    config.hidden_size, config.intermediate_size = 2 * config.hidden_size, 2 * config.intermediate_size
    config.num_attention_heads = config.num_key_value_heads = 2 * config.num_attention_heads
    b = as_large(b, a, rows)
    wide, parts = LlamaForCausalLM(config), (a.state_dict(), b.state_dict())
    squares = [_squares(model, rows) for model in (a, b)]
    weights = {}
    for name in parts[0]:
        both = [part[name] for part in parts]
        if "norm" in name:
            joint = (squares[0][name] + squares[1][name]) / 2
            scales = [(joint / own[name]).sqrt().median() for own in squares]
            weights[name] = torch.cat([scale * part for scale, part in zip(scales, both, strict=True)])
        elif "embed" in name or "lm_head" in name:
            weights[name] = torch.cat(both, 1)
        else:
            weights[name] = torch.block_diag(*both)
    weights["model.norm.weight"] /= 2  # the tied embedding adds the logits of both halves: their mean is wanted
    wide.load_state_dict(weights)
    return wide


def as_large(model: LlamaForCausalLM, other: LlamaForCausalLM, rows: torch.Tensor) -> LlamaForCausalLM:
    """The same function with a residual stream about as large as the other's: what writes into it is scaled, and the last norm back."""
    own, theirs = (torch.cat([each.flatten() for each in _squares(one, rows).values()]) for one in (model, other))
    scale = (theirs / own).sqrt().median()
    scaled = LlamaForCausalLM(model.config)
    weights = {}
    for name, weight in model.state_dict().items():
        writes = any(part in name for part in ("embed_tokens", "lm_head", "o_proj", "down_proj"))
        weights[name] = weight * scale if writes else weight / scale if name == "model.norm.weight" else weight
    scaled.load_state_dict(weights)
    return scaled.eval()


@torch.inference_mode()
def _squares(model: LlamaForCausalLM, rows: torch.Tensor) -> dict[str, torch.Tensor]:
    """The mean square of what enters every norm, by the name of its weight, for every token."""
    found: dict[str, torch.Tensor] = {}
    hooks = [
        module.register_forward_pre_hook(lambda _, inputs, name=name: found.update({f"{name}.weight": inputs[0].square().mean(-1)}))
        for name, module in model.named_modules()
        if isinstance(module, LlamaRMSNorm)
    ]
    model(input_ids=rows, use_cache=False)
    for hook in hooks:
        hook.remove()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("halves", nargs=2, type=Path, help="folders of the two models")
    parser.add_argument("--text", nargs="+", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    a, b = (LlamaForCausalLM.from_pretrained(folder, dtype=torch.float32).eval() for folder in args.halves)
    tokenizer = PreTrainedTokenizerFast.from_pretrained(args.halves[0])
    rows = shuffled(encode(tokenizer, read_stories(args.text)), torch.Generator().manual_seed(0))[:NORM_ROWS, :-1]
    side_by_side(a, b, rows).save_pretrained(args.out)
    tokenizer.save_pretrained(args.out)


if __name__ == "__main__":
    main()
