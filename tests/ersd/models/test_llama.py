"""Which models run through the Llama decoder, and why others do not."""

import pytest
import torch

from ersd.models.layers import PACKED_ROWS
from ersd.models.llama import LlamaCache, LlamaDecoder, UnsupportedModelError
from ersd.models.pair import make_pair
from ersd.models.selfcheck import checked_llama_decoder

from ..tiny import LLAMA_FAMILY, gpt2, letters, llama, mistral, phi3, qwen2


@pytest.mark.parametrize("family", LLAMA_FAMILY)
def test_the_family_agrees_with_transformers_and_shares_its_weights(family):
    model = LLAMA_FAMILY[family]()
    before = {name: weight.clone() for name, weight in model.named_parameters()}
    decoder = checked_llama_decoder(model, 64)
    assert all(torch.equal(weight, before[name]) for name, weight in model.named_parameters())
    with torch.no_grad():  # the projections are views of the joined weights
        model.model.layers[1].self_attn.k_proj.weight.fill_(7)
        model.model.layers[0].mlp.up_proj.weight.fill_(5)
    assert (decoder.layers[1].qkv.weight == 7).any()
    assert (decoder.layers[0].gate_up.weight == 5).any()


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (lambda: gpt2(), "gpt2 is not one of llama, mistral, qwen2, qwen3"),
        (lambda: phi3(), "phi3 is not one of"),
        (lambda: mistral(), "its layers see only a window of the text"),
        (lambda: llama(64, hidden_act="gelu"), "its feed-forward part is not a plain SwiGLU"),
        (lambda: llama(64, mlp_bias=True), "its feed-forward part is not a plain SwiGLU"),
        (lambda: llama(64, rope_parameters={"rope_type": "dynamic", "rope_theta": 1e4, "factor": 2.0}), "rotary positions depend on"),
        (lambda: llama(64).bfloat16(), "it runs in half precision on a CPU"),
    ],
)
def test_other_models_are_refused_with_the_reason_and_left_alone(model, reason):
    model = model()
    before = [weight.data_ptr() for weight in model.parameters()]
    with pytest.raises(UnsupportedModelError, match=reason):
        LlamaDecoder(model)
    assert [weight.data_ptr() for weight in model.parameters()] == before


def test_projections_of_another_kind_are_refused():
    class Scaled(torch.nn.Linear):
        def forward(self, x):
            return 2 * super().forward(x)

    model = llama(64)
    model.model.layers[1].mlp.down_proj = Scaled(32, 16, bias=False)
    with pytest.raises(UnsupportedModelError, match="its projections are not plain linear layers"):
        LlamaDecoder(model)


def test_a_llama_decoder_that_disagrees_is_not_used():
    """A model that does something else with the same layers."""
    model = qwen2()
    forward = model.forward
    model.forward = lambda *args, **more: _louder(forward(*args, **more))
    with pytest.raises(UnsupportedModelError, match="the Llama decoder differs from it by"):
        checked_llama_decoder(model, 64)
    pair = make_pair(model, llama(64), letters(26))
    assert (pair.target.decoder, pair.draft.decoder is None) == (None, False)
    assert pair.decoding.startswith("target: through transformers (the Llama decoder differs")
    assert pair.decoding.endswith("draft: Llama decoder")


def test_large_models_keep_no_copies_and_score_the_same(monkeypatch):
    model = LLAMA_FAMILY["qwen2"]()
    copied = LlamaDecoder(model)
    linears = [layer.qkv for layer in copied.layers] + [copied.head]
    assert all(linear._transposed is not None and linear._packed is not None for linear in linears)
    monkeypatch.setattr("ersd.models.llama.MAX_COPIED_BYTES", sum(weight.nbytes for weight in model.parameters()) - 1)
    plain = LlamaDecoder(model)
    assert all(linear._transposed is None and linear._packed is None for linear in [layer.qkv for layer in plain.layers])
    stored = {each.untyped_storage().data_ptr() for linear in linears for each in (linear.weight, linear._transposed)}
    assert len(stored) == len(linears)  # beside the packed copy there is one form of every weight
    generator = torch.Generator().manual_seed(1)
    for rows in (1, 2, 5, 6, 17, PACKED_ROWS[-1], PACKED_ROWS[-1] + 1):
        tokens = torch.randint(26, (rows,), generator=generator).tolist()
        found, expected = (LlamaCache(each).extend(tokens, range(-1, rows - 1))[0] for each in (copied, plain))
        assert found.shape == expected.shape
        torch.testing.assert_close(found, expected, atol=1e-4, rtol=1e-4)


def _louder(output):
    output.logits = 1.01 * output.logits
    return output
