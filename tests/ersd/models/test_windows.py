"""Models whose layers see only part of a long text, or rotate it by other factors: scored exactly, cut in time, or refused."""

import pytest
import torch
from transformers import (
    DogeConfig,
    DogeForCausalLM,
    Gemma3TextConfig,
    GPT2Config,
    GPTNeoConfig,
    Llama4TextConfig,
    LlamaConfig,
    MistralConfig,
    Qwen2Config,
    Qwen3Config,
)  # fmt: skip

import ersd
from ersd.models import selfcheck as probing
from ersd.models.pair import make_pair
from ersd.models.selfcheck import PairError, probe
from ersd.models.windows import Window, context_of, lengths, windows_of

from ..tiny import gpt_neo, letters, llama, llama4, mistral, phi3

LONG = "the quick brown fox jumps over the lazy dog and runs away".replace(" ", "")


def texts(pair, prompt=LONG, **more):
    """The text without a draft and those of ERSD, over trees with siblings."""
    common = {"seed": 3, "max_new_tokens": 40, **more}
    for algorithm, topology in (("autoregressive", "batch"), ("ersd", "tau_star"), ("ersd", "batch")):
        yield ersd.run(pair, prompt, ersd.Settings(algorithm=algorithm, topology=topology, draft_tokens=12, **common)).token_ids


def test_a_window_slides_and_a_chunk_does_not():
    keys = torch.arange(10)
    assert keys[Window(3).near(torch.tensor(7), keys) & (keys <= 7)].tolist() == [5, 6, 7]
    assert keys[Window(3, chunked=True).near(torch.tensor(7), keys) & (keys <= 7)].tolist() == [6, 7]


def test_windows_are_found_in_every_kind_of_configuration():
    assert windows_of(LlamaConfig()) is None
    assert windows_of(GPT2Config()) is None
    assert windows_of(MistralConfig(sliding_window=77)) == Window(77)
    assert windows_of(MistralConfig(sliding_window=None)) is None
    assert windows_of(Qwen2Config(sliding_window=77)) is None  # needs use_sliding_window
    by_layer = Qwen3Config(sliding_window=77, use_sliding_window=True, num_hidden_layers=3, max_window_layers=1)
    assert windows_of(by_layer) == {"full_attention": None, "sliding_attention": Window(77)}
    assert windows_of(Gemma3TextConfig(sliding_window=77)) == {"full_attention": None, "sliding_attention": Window(77)}
    chunks = windows_of(Llama4TextConfig(attention_chunk_size=77))
    assert chunks == {"full_attention": None, "chunked_attention": Window(77, chunked=True)}


def test_every_number_that_may_be_a_reach_is_named():
    assert lengths(GPTNeoConfig()) == {"window_size": 256}
    assert lengths(DogeConfig()) == {"keep_window_size": 2048}
    assert lengths(Llama4TextConfig()) == {"attention_chunk_size": 8192}
    assert lengths(Qwen3Config()) == lengths(LlamaConfig()) == {}


@pytest.mark.parametrize("make", [llama4, mistral])
@pytest.mark.parametrize("attention", ["sdpa", "eager"])
def test_ersd_writes_the_text_of_plain_decoding_far_beyond_the_window(make, attention):
    target = make(26, seed=1)
    target.set_attn_implementation(attention)
    pair = make_pair(target, llama(26, seed=2), letters(26))
    first, *others = texts(pair)
    assert others == [first, first]


@pytest.mark.parametrize("make", [lambda: llama4(chunk=600), lambda: mistral(window=4096)])
def test_windows_longer_than_the_probe_are_tried_on_a_copy(make, monkeypatch):
    model = make()
    assert probe(model, "target", 64) < 1e-4
    # the same model with its windows ignored: short texts are still right, so only the copy shows it
    monkeypatch.setattr("ersd.models.transformers_cache.windows_of", lambda config: None)
    with pytest.raises(PairError, match=r"longer than its layers see \((sliding_window = 4096|attention_chunk_size = 600) tokens; by"):
        probe(model, "target", 64)


def test_a_model_that_cuts_its_window_by_rows_is_refused():
    """GPT-Neo is right on short texts; in longer ones siblings take up its window."""
    far = r"window_size = 256 tokens; by .*cannot be used here"
    with pytest.raises(PairError, match=r"the draft .gpt_neo. scores a draft tree differently.*" + far):
        make_pair(llama(64), gpt_neo(window=256), letters(26))


def test_a_reach_this_package_does_not_know_is_tried_too():
    """Doge's layers keep the 2048 strongest keys, in a mechanism of its own."""
    config = DogeConfig(
        vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        bos_token_id=None, eos_token_id=None, pad_token_id=None, max_position_embeddings=4096,
    )  # fmt: skip
    torch.manual_seed(0)
    with pytest.raises(PairError, match=r"the target .doge. .*keep_window_size = 2048 tokens"):
        probe(DogeForCausalLM(config).eval(), "target", 64)


def test_a_window_longer_than_the_longest_text_does_not_matter(monkeypatch):
    monkeypatch.setattr(probing, "_shortened", lambda model: pytest.fail("no copy is needed"))
    model = mistral(window=4096)
    model.config.max_position_embeddings = 512
    probe(model, "target", 64)


def test_where_no_copy_can_be_made_the_model_itself_is_tried(monkeypatch):
    def fail(model):
        raise TypeError("no copy " + "x" * 1000)

    monkeypatch.setattr(probing, "_shortened", fail)
    assert probe(mistral(window=90), "target", 64) < 1e-4
    with pytest.raises(PairError, match="window_size = 90 tokens"):
        probe(gpt_neo(window=90), "target", 64)
    with pytest.raises(
        PairError, match=r"sliding_window = 4096 tokens., and whether it scores trees .* cannot be tried: no copy x*\.\.\.$"
    ):
        probe(mistral(window=4096), "target", 64)


def test_the_context_ends_where_rotations_change():
    """Phi-3 with 128k: cached keys keep the factors of short texts, and one drafted position beyond them changed the whole call."""
    pair = make_pair(phi3(26, seed=1), llama(26, seed=2), letters(26))
    assert pair.context == 24
    with pytest.raises(
        ValueError, match=r"in the target's context of 24 tokens .beyond them the target .phi3. rotates positions .*, got 30 tokens"
    ):
        pair.encode("a" * 30)
    prompt = "abcdefghijklmn"
    first, *others = texts(pair, prompt, max_new_tokens=100)
    assert len(first) == 10
    assert others == [first, first]
    ids = pair.encode(prompt)
    with torch.inference_mode():
        whole = pair.target.model(torch.tensor([ids + first]), use_cache=False).logits[0, len(ids) - 1 : -1].double()
    clocks = ersd.randomness.clocks(3, torch.arange(len(ids), len(ids) + len(first)), 26)
    assert (clocks.log() - whole.log_softmax(-1)).argmin(-1).tolist() == first


def test_the_context_is_the_targets_and_the_drafts_only_ends_its_drafts():
    pair = make_pair(llama(26, max_position_embeddings=64), phi3(26), letters(26))
    assert (pair.context, pair.context_reason, pair.draft_context) == (64, "", 24)
    assert pair.notices == ("draft: its context is 24 tokens, and nothing is drafted beyond them (the target's is 64)",)
    assert make_pair(llama(26, max_position_embeddings=20), phi3(26), letters(26)).notices == ()


def test_other_reasons_for_a_shorter_context():
    dynamic = {"rope_type": "dynamic", "factor": 4.0, "rope_theta": 10000.0}
    assert context_of(LlamaConfig(max_position_embeddings=99, rope_parameters=dynamic), "target", 9)[0] == 99
    assert "dynamic" in context_of(LlamaConfig(max_position_embeddings=99, rope_parameters=dynamic), "target", 9)[1]
    yarn = {"rope_type": "yarn", "factor": 4.0, "rope_theta": 10000.0, "original_max_position_embeddings": 50}
    assert context_of(LlamaConfig(max_position_embeddings=200, rope_parameters=yarn), "target", 9) == (200, "")
    tuned, reason = context_of(Llama4TextConfig(floor_scale=500), "target", 9)
    assert tuned == 491
    assert "entries of its cache" in reason
    assert context_of(Llama4TextConfig(attn_temperature_tuning=False, max_position_embeddings=700), "target", 9) == (700, "")
