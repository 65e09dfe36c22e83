import pytest
import torch
from transformers import Qwen3NextConfig, Qwen3NextForCausalLM

import ersd
from ersd.models import PairError, make_pair, probe

from .tiny import gemma3, gpt2, letters, llama, qwen3, tiny_pair


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
    from ersd.cache import TreeCache

    monkeypatch.setattr(TreeCache, "_masks", lambda self, before: None)
    with pytest.raises(PairError, match=r"the target .llama. scores a draft tree differently from its separate paths"):
        make_pair(llama(32), llama(32), letters(26))


def test_different_tokenizers_are_refused_with_the_first_difference():
    other = letters(8)
    other._tokenizer = letters(8)._tokenizer.from_str(letters(8)._tokenizer.to_str().replace('"h":7', '"z":7'))
    with pytest.raises(PairError, match=r"share one tokenizer.*1 of 8 tokens differ: token 7 is 'h' for the target and 'z' for the draft"):
        make_pair(llama(8), llama(8), letters(8), other)


def test_padded_and_different_widths_are_cut_to_the_common_tokens():
    pair = make_pair(llama(16, seed=1), llama(12, seed=2), letters(8))
    assert pair.vocab_size == 8
    trace = ersd.run(pair, "abc", ersd.Settings(draft_tokens=4, max_new_tokens=20, seed=3))
    assert max(trace.token_ids) < 8
    assert all(row.token < 8 for step in trace.steps for visit in step.walk for row in visit.rows)
    full = pair.target(torch.tensor([pair.encode("abc")])).logits[0, -1, :8].double().softmax(-1)
    first = trace.steps[0].walk[0]
    assert {row.token: row.p for row in first.rows} == pytest.approx({row.token: full[row.token].item() for row in first.rows}, abs=1e-6)


@pytest.mark.parametrize("prompt", ["", "   ", None, 5])
def test_an_empty_prompt_is_refused(prompt):
    with pytest.raises(ValueError, match="prompt must be some text"):
        ersd.generate(tiny_pair(), prompt, ersd.Settings())


def test_a_prompt_longer_than_the_context_is_refused():
    pair = make_pair(llama(8, max_position_embeddings=32), llama(8), letters(8))
    assert pair.context == 32
    with pytest.raises(ValueError, match="prompt must leave room in the context of 32 tokens, got 40 tokens"):
        ersd.generate(pair, "a" * 40, ersd.Settings())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": "x"}, "target and draft must be given together"),
        ({"device": "tpu"}, "device must be one of auto, cpu, cuda, got 'tpu'"),
        ({"dtype": "int4"}, "dtype must be one of auto, float32, bfloat16, float16, got 'int4'"),
        ({"target": "no/such-folder-here", "draft": "no/such-folder-here"}, "target must be a causal language model.*no/such-folder-here"),
    ],
)
def test_bad_arguments_of_load_pair_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        ersd.load_pair(**arguments)


def test_the_text_of_a_token_keeps_its_space_and_pieces_add_up(pair):
    ids = pair.tokenizer("Once upon a time", add_special_tokens=False)["input_ids"]
    assert "".join(pair.token_text(i) for i in ids) == "Once upon a time"
    assert any(pair.token_text(i).startswith(" ") for i in ids)


def test_the_prompt_begins_with_bos(pair):
    assert pair.encode("Once")[0] == pair.tokenizer.bos_token_id
    assert pair.encode("Once").count(pair.tokenizer.bos_token_id) == 1
