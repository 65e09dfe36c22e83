import pytest
import torch
from transformers import AutoModelForCausalLM, Qwen3NextConfig, Qwen3NextForCausalLM

import ersd
from ersd.models.pair import MOST_CHARACTERS, PairError, make_pair, probe
from ersd.models.transformers_cache import TransformersCache

from ..tiny import characters, gemma3, gpt2, letters, llama, qwen3, tiny_pair


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


def test_ids_behind_a_hole_of_the_tokenizer_are_tokens_too():
    """Nine tokens, the last one with id 11: as many tokens as the largest id + 1, and those in the hole have no text."""
    tokenizer = characters({**{chr(ord("a") + i): i for i in range(8)}, "z": 11})
    target = llama(16, seed=1)
    target.generation_config.eos_token_id = 11
    pair = make_pair(target, llama(12, seed=2), tokenizer)
    assert (pair.vocab_size, pair.nameless) == (12, {8, 9, 10})
    assert pair.encode("az") == [0, 11]
    assert [pair.token_text(i) for i in (0, 8, 9, 10, 11)] == ["a", "", "", "", "z"]
    assert pair.text([0, 9, 11]) == "az"
    ended = [ersd.run(pair, "abc", ersd.Settings(draft_tokens=4, max_new_tokens=200, seed=seed)) for seed in range(4)]
    assert [trace.stopped for trace in ended] == ["end of text"] * 4
    assert {trace.token_ids[-1] for trace in ended} == {11}
    assert {8, 9, 10} & {token for trace in ended for token in trace.token_ids}


def test_a_tokenizer_that_does_not_know_ids_of_a_hole_is_never_asked(monkeypatch):
    pair = make_pair(llama(12), llama(12), characters({"a": 0, "z": 11}))

    def decode(ids, **_):
        return "".join({0: "a", 11: "z"}[i] for i in ids)

    monkeypatch.setattr(pair.tokenizer, "decode", decode)
    assert pair.text([0, 5, 11]) == "az"
    assert pair.token_text(5) == ""


def test_holes_count_when_tokenizers_are_compared():
    letters_and = {chr(ord("a") + i): i for i in range(8)}
    holed = characters({**letters_and, "z": 11})
    make_pair(llama(12), llama(12), holed, characters({**letters_and, "z": 11}))
    with pytest.raises(PairError, match=r"2 of 12 tokens differ: token 9 is no token for the target and 'z' for the draft"):
        make_pair(llama(12), llama(12), holed, characters({**letters_and, "z": 9}))


def test_a_message_repeats_no_more_than_the_beginning_of_a_long_value():
    first, second = (characters({"a": 0, sign * 5000: 1}) for sign in "xy")
    for provoke in (
        lambda: make_pair(llama(8), llama(8), first, second),
        lambda: ersd.load_pair(device="x" * 5000),
        lambda: ersd.load_pair(dtype="x" * 5000),
        lambda: ersd.load_pair(device_map="x" * 5000),
        lambda: ersd.load_pair(target="x" * 5000),
        lambda: ersd.load_pair(target="x/" * 2500, draft="x"),
        lambda: tiny_pair().encode(["x" * 5000]),
        lambda: tiny_pair().encode(" " * 5000),
    ):
        with pytest.raises(ValueError, match=r"must .* \.\.\.|must .*\.\.\.") as error:
            provoke()
        assert len(str(error.value)) < 700


def test_a_pair_may_have_no_draft_model():
    pair = make_pair(llama(26, seed=1), None, letters(26))
    assert (pair.draft, pair.draft_name, pair.draft_source) == (None, "none", "model")
    alone = ersd.run(pair, "abc", ersd.Settings(algorithm="autoregressive", max_new_tokens=20)).token_ids
    both = make_pair(llama(26, seed=1), llama(26, seed=2), letters(26))
    assert ersd.run(both, "abc", ersd.Settings(max_new_tokens=20)).token_ids == alone
    assert make_pair(llama(26, max_position_embeddings=64), None, letters(26)).context == 64


@pytest.mark.parametrize("prompt", ["", "   ", None, 5])
def test_an_empty_prompt_is_refused(prompt):
    with pytest.raises(ValueError, match="prompt must be some text"):
        ersd.generate(tiny_pair(), prompt, ersd.Settings())


def test_half_a_character_is_refused():
    with pytest.raises(ValueError, match=r"prompt must be whole characters, got '\\ud83d' at 3"):
        tiny_pair().encode("abc\ud83d")


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


def test_the_prompt_begins_with_one_bos_whoever_writes_it(pair):
    bos = pair.tokenizer.bos_token
    once = pair.encode("Once")
    assert once[0] == pair.tokenizer.bos_token_id
    assert once.count(pair.tokenizer.bos_token_id) == 1
    assert pair.encode(bos + "Once") == pair.encode(bos + bos + "Once") == once
    # a tokenizer that does not add it
    plain = make_pair(llama(8), llama(8), characters({"a": 0, "b": 1, "^": 2}, bos_token="^"))
    assert plain.encode("ab") == plain.encode("^ab") == [2, 0, 1]


def test_a_prompt_of_many_megabytes_is_refused_before_it_is_read(pair, monkeypatch):
    monkeypatch.setattr(type(pair.tokenizer), "__call__", lambda *_, **__: pytest.fail("it was tokenised"))
    with pytest.raises(ValueError, match="prompt must have at most 1,000,000 characters, got 1,000,001"):
        pair.encode("a" * (MOST_CHARACTERS + 1))


def test_only_the_target_is_spread_over_devices(monkeypatch):
    asked, load = [], AutoModelForCausalLM.from_pretrained

    def loaded(place, device_map=None, **more):
        asked.append(device_map)
        return load(place, **more)

    monkeypatch.setattr(AutoModelForCausalLM, "from_pretrained", loaded)
    monkeypatch.setattr("ersd.models.device.find_spec", lambda _: True)  # accelerate, as if it were there
    pair = ersd.load_pair(device="cpu", device_map="auto")
    assert asked == ["auto", None]
    assert pair.target.device == pair.draft.device == torch.device("cpu")
