"""Two models joined into one of twice the width."""

from __future__ import annotations

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from assets.joining import side_by_side


def small(seed: int) -> LlamaForCausalLM:
    torch.manual_seed(seed)
    shape = {"hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2}
    return LlamaForCausalLM(LlamaConfig(vocab_size=40, max_position_embeddings=32, tie_word_embeddings=True, **shape)).eval()


ROWS = torch.arange(60).reshape(3, 20) % 40


@torch.inference_mode()
def test_a_model_joined_with_itself_gives_its_own_logits() -> None:
    model = small(0)
    wide = side_by_side(model, model, ROWS).eval()
    assert (wide.config.hidden_size, wide.config.num_attention_heads) == (32, 4)
    torch.testing.assert_close(wide(ROWS).logits, model(ROWS).logits, atol=1e-5, rtol=1e-4)


@torch.inference_mode()
def test_two_models_give_about_the_mean_of_their_logits() -> None:
    """Exact where both residual streams are of one size in every token; a random model's nearly are."""
    first, second = small(1), small(2)
    mean = (first(ROWS).logits + second(ROWS).logits) / 2
    apart = (side_by_side(first, second, ROWS).eval()(ROWS).logits - mean).norm() / mean.norm()
    assert apart < 0.3
