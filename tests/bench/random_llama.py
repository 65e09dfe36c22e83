"""Pairs of random weights in the shapes of well-known models, to measure where no weights are at hand."""

from __future__ import annotations

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedTokenizerFast

from ersd.models.pair import ModelPair, make_pair

SHAPES = {
    "tiny": {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2},
    # config.json of meta-llama/Llama-3.2-1B and of meta-llama/Llama-3.1-8B
    "1B": {"hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8},
    "8B": {"hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8},
}


def random_pair(
    target: str, draft: str, device: str = "cpu", dtype: torch.dtype = torch.float32, vocab: int = 128_256, context: int = 8192
) -> ModelPair:
    """A target and a draft of these shapes."""
    made = []
    for shape in (target, draft):
        config = LlamaConfig(
            **SHAPES[shape], vocab_size=vocab, max_position_embeddings=context, tie_word_embeddings=shape == "1B", bos_token_id=None,
            eos_token_id=None, pad_token_id=None,
        )  # fmt: skip
        torch.manual_seed(len(made))
        with torch.device(device):
            model = AutoModelForCausalLM.from_config(config, dtype=dtype).eval()
        model.generation_config.eos_token_id = None
        made.append(model)
    return make_pair(made[0], made[1], words(vocab), names=(f"random {target}", f"random {draft}", f"random {target} ← {draft}"))


def words(vocab: int) -> PreTrainedTokenizerFast:
    """A tokenizer with a vocabulary of this size; unknown words become w1."""
    tokenizer = Tokenizer(models.WordLevel({f"w{i}": i for i in range(vocab)}, unk_token="w1"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer)
