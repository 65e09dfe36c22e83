"""Tiny random models and a tokenizer of single letters, so that whole distributions can be enumerated."""

from __future__ import annotations

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    Gemma3ForCausalLM,
    Gemma3TextConfig,
    GenerationConfig,
    GPT2Config,
    GPT2LMHeadModel,
    GPTNeoConfig,
    GPTNeoForCausalLM,
    Llama4ForCausalLM,
    Llama4TextConfig,
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    Phi3Config,
    Phi3ForCausalLM,
    PretrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)
from transformers.modeling_outputs import CausalLMOutput

from ersd.models.cuda_graphs import StaticCache
from ersd.models.llama import LlamaCache, LlamaDecoder
from ersd.models.pair import ModelPair, make_pair
from ersd.models.transformers_cache import TransformersCache
from ersd.models.tree_cache import DecoderCache


def letters(count: int) -> PreTrainedTokenizerFast:
    """A tokenizer whose token i is the i-th letter."""
    return characters({chr(ord("a") + i): i for i in range(count)})


def characters(vocab: dict[str, int], **more) -> PreTrainedTokenizerFast:
    """A tokenizer of single characters with any ids, "a" among them."""
    tokenizer = Tokenizer(models.WordLevel(vocab, unk_token="a"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **more)


def _common(vocab: int, layers: int, width: int) -> dict:
    return {"vocab_size": vocab, "hidden_size": width, "num_hidden_layers": layers, "eos_token_id": None, "bos_token_id": None}


def llama(vocab: int = 8, layers: int = 2, width: int = 16, seed: int = 0, **extra) -> PreTrainedModel:
    config = LlamaConfig(
        **_common(vocab, layers, width), intermediate_size=32, num_attention_heads=2, num_key_value_heads=2, pad_token_id=None, **extra
    )
    return _random(LlamaForCausalLM, config, seed)


def qwen2(vocab: int = 64, seed: int = 0) -> PreTrainedModel:
    """Biases on q, k and v."""
    config = Qwen2Config(
        **_common(vocab, 2, 32), intermediate_size=48, num_attention_heads=4, num_key_value_heads=2, tie_word_embeddings=True,
        pad_token_id=None,
    )  # fmt: skip
    return _random(Qwen2ForCausalLM, config, seed)


def qwen3(vocab: int = 64, seed: int = 0) -> PreTrainedModel:
    config = Qwen3Config(
        **_common(vocab, 2, 32), intermediate_size=48, num_attention_heads=4, num_key_value_heads=2, head_dim=8, pad_token_id=None
    )
    return _random(Qwen3ForCausalLM, config, seed)


def gpt2(vocab: int = 64, seed: int = 0) -> PreTrainedModel:
    config = GPT2Config(vocab_size=vocab, n_embd=32, n_layer=2, n_head=4, n_positions=128, eos_token_id=None, bos_token_id=None)
    return _random(GPT2LMHeadModel, config, seed)


def gemma3(vocab: int = 64, seed: int = 0) -> PreTrainedModel:
    config = Gemma3TextConfig(
        **_common(vocab, 3, 32), intermediate_size=48, num_attention_heads=4, num_key_value_heads=2, head_dim=8, sliding_window=6,
        layer_types=["sliding_attention", "full_attention", "sliding_attention"], pad_token_id=None,
    )  # fmt: skip
    return _random(Gemma3ForCausalLM, config, seed)


def mistral(vocab: int = 64, seed: int = 0, window: int | None = 6) -> PreTrainedModel:
    """Every layer has a sliding window."""
    config = MistralConfig(
        **_common(vocab, 2, 32),
        intermediate_size=48,
        num_attention_heads=4,
        num_key_value_heads=2,
        sliding_window=window,
        pad_token_id=None,
    )
    return _random(MistralForCausalLM, config, seed)


def llama4(vocab: int = 64, seed: int = 0, chunk: int = 8, **more) -> PreTrainedModel:
    """Layers that see only their own chunk of the text, and one that sees all of it."""
    config = Llama4TextConfig(
        **_common(vocab, 4, 32), intermediate_size=32, intermediate_size_mlp=48, num_attention_heads=4, num_key_value_heads=2, head_dim=8,
        num_local_experts=2, attention_chunk_size=chunk, pad_token_id=None, **more,
    )  # fmt: skip
    return _random(Llama4ForCausalLM, config, seed)


def gpt_neo(vocab: int = 64, seed: int = 0, window: int = 256) -> PreTrainedModel:
    """Its local layers count entries of the cache."""
    config = GPTNeoConfig(
        vocab_size=vocab, hidden_size=32, num_layers=2, num_heads=4, attention_types=[[["global", "local"], 1]], window_size=window,
        max_position_embeddings=512, eos_token_id=None, bos_token_id=None,
    )  # fmt: skip
    return _random(GPTNeoForCausalLM, config, seed)


def phi3(vocab: int = 64, seed: int = 0, original: int = 24) -> PreTrainedModel:
    """Positions are turned by other factors in texts of more than `original` tokens."""
    rope = {"rope_type": "longrope", "short_factor": [1.0] * 4, "long_factor": [4.0] * 4, "rope_theta": 10000.0}
    config = Phi3Config(
        **_common(vocab, 2, 32), intermediate_size=48, num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=128,
        original_max_position_embeddings=original, rope_parameters=rope, pad_token_id=None,
    )  # fmt: skip
    return _random(Phi3ForCausalLM, config, seed)


def uneven(model: PreTrainedModel) -> PreTrainedModel:
    """Norms and biases begin as ones and zeros; here they matter."""
    generator = torch.Generator().manual_seed(3)
    for parameter in model.parameters():
        if parameter.ndim == 1:
            parameter.data += torch.empty_like(parameter).uniform_(-0.4, 0.4, generator=generator)
    return model


THROUGH_TRANSFORMERS = {
    "llama": lambda: llama(64, width=32),
    "qwen3": qwen3,
    "gpt2": gpt2,
    "gemma3": gemma3,
    "mistral": mistral,
    "llama4": llama4,
}
LLAMA_FAMILY = {
    "llama": lambda: uneven(llama(64, width=32)),
    "llama tied": lambda: uneven(llama(64, width=32, tie_word_embeddings=True)),
    "llama 3.1": lambda: uneven(llama(64, width=32, rope_parameters=dict(STRETCHED))),
    "mistral without windows": lambda: uneven(mistral(window=None)),
    "qwen2": lambda: uneven(qwen2()),
    "qwen3": lambda: uneven(qwen3()),
}
"""Models that the LlamaDecoder runs."""

STRETCHED = {
    "rope_type": "llama3", "rope_theta": 10000.0, "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 16,
}  # fmt: skip


def llama_cache(model: PreTrainedModel) -> LlamaCache:
    """A fresh cache of its LlamaDecoder."""
    return LlamaCache(LlamaDecoder(model))


def static_cache(model: PreTrainedModel) -> StaticCache:
    """A fresh cache as on a GPU."""
    return StaticCache(LlamaDecoder(model))


WAYS = {
    **{f"{name} through transformers": (family, TransformersCache) for name, family in THROUGH_TRANSFORMERS.items()},
    **{f"{name} by LlamaDecoder": (family, llama_cache) for name, family in LLAMA_FAMILY.items()},
    **{f"{name} static": (family, static_cache) for name, family in LLAMA_FAMILY.items()},
}


def opened(way: str) -> tuple[PreTrainedModel, DecoderCache]:
    """A model of `WAYS` and a fresh cache of it."""
    family, cache = WAYS[way]
    model = family()
    return model, cache(model)


def _random(kind: type, config, seed: int) -> PreTrainedModel:
    """Weights large enough that the next token depends clearly on the whole context."""
    torch.manual_seed(seed)
    model = kind(config).eval()
    for parameter in model.parameters():
        if parameter.ndim > 1:
            torch.nn.init.normal_(parameter, std=0.35)
    model.generation_config.eos_token_id = None
    return model


class OneLayer(PreTrainedModel):
    """One attention layer over transformers' key/value cache: the least that can go wrong in all the same ways, and fast."""

    config_class = PretrainedConfig

    def __init__(self, vocab: int, seed: int, width: int = 12, context: int = 64) -> None:
        config = PretrainedConfig(
            vocab_size=vocab, max_position_embeddings=context, eos_token_id=None, bos_token_id=None, pad_token_id=None
        )
        super().__init__(config)
        torch.manual_seed(seed)
        self.tokens, self.places = torch.nn.Embedding(vocab, width), torch.nn.Embedding(context, width)
        self.attention, self.head = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, vocab)
        self.generation_config = GenerationConfig(eos_token_id=None)

    def get_output_embeddings(self):
        return self.head

    def forward(self, input_ids, position_ids=None, attention_mask=None, past_key_values=None, use_cache=None, logits_to_keep=0):
        n = input_ids.shape[1]
        hidden = self.tokens(input_ids) + self.places(torch.arange(n)[None] if position_ids is None else position_ids)
        query, key, value = self.attention(hidden).unsqueeze(1).chunk(3, dim=-1)
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, 0)
        mixed = torch.nn.functional.scaled_dot_product_attention(query, key, value, attention_mask, is_causal=attention_mask is None)
        logits = self.head((hidden + 2 * mixed.squeeze(1)).tanh()) * 1.5
        return CausalLMOutput(logits=logits[:, -logits_to_keep:])


def tiny_pair(vocab: int = 8) -> ModelPair:
    """A target and a draft that disagree, with a vocabulary small enough to enumerate."""
    return make_pair(OneLayer(vocab, seed=1).eval(), OneLayer(vocab, seed=2).eval(), letters(vocab))


def tiny_llama_pair(vocab: int = 8) -> ModelPair:
    """Another such pair, run by the LlamaDecoder."""
    pair = make_pair(llama(vocab, layers=1, seed=1), llama(vocab, layers=1, seed=2), letters(vocab))
    assert pair.target.decoder
    assert pair.draft.decoder
    return pair


TINY_PAIRS = {"through transformers": tiny_pair, "by LlamaDecoder": tiny_llama_pair}
