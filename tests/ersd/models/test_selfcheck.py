"""The probe accepts models that score trees like their paths, and refuses the others with the reason."""

import pytest
import torch
from transformers import Qwen3NextConfig, Qwen3NextForCausalLM

from ersd.models.pair import make_pair
from ersd.models.selfcheck import PairError, probe
from ersd.models.transformers_cache import TransformersCache

from ..tiny import gemma3, gpt2, letters, llama, qwen3


@pytest.mark.parametrize("family", [llama, qwen3, gpt2, gemma3])
def test_decoders_with_tree_masks_pass_the_probe(family):
    assert probe(family(64), "target", 64) < 1e-4


def test_a_model_with_linear_attention_is_refused_with_the_reason():
    torch.manual_seed(0)
    config = Qwen3NextConfig(
        vocab_size=32, hidden_size=32, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=2, head_dim=16,
        layer_types=["linear_attention", "full_attention"], linear_num_key_heads=2, linear_num_value_heads=2, linear_key_head_dim=8,
        linear_value_head_dim=8, num_experts=0, mlp_only_layers=[0, 1], pad_token_id=None, bos_token_id=None, eos_token_id=None,
    )  # fmt: skip
    model = Qwen3NextForCausalLM(config).eval()
    with pytest.raises(PairError, match=r"the target .qwen3_next.*(tree|cache)"):
        make_pair(model, llama(32), letters(26))


def test_a_model_that_ignores_the_tree_is_refused(monkeypatch):
    monkeypatch.setattr("ersd.models.llama.FAMILY", ())
    monkeypatch.setattr(TransformersCache, "_masks", lambda self, before: None)
    with pytest.raises(PairError, match=r"the target .llama. scores a draft tree differently from its separate paths"):
        make_pair(llama(32), llama(32), letters(26))
