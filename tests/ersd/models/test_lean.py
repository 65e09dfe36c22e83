"""Which models run through the lean decoder, and what is said of the others."""

import pytest
import torch

from ersd.models.llama import LeanCache, LeanDecoder, UnknownLayersError
from ersd.models.pair import make_pair
from ersd.models.selfcheck import lean_decoder
from ersd.models.soonest import ROWS

from ..tiny import LEAN, gpt2, letters, llama, mistral, phi3, qwen2


@pytest.mark.parametrize("family", LEAN)
def test_the_family_agrees_with_transformers_and_shares_its_weights(family):
    model = LEAN[family]()
    before = {name: weight.clone() for name, weight in model.named_parameters()}
    decoder = lean_decoder(model, 64)
    assert all(torch.equal(weight, before[name]) for name, weight in model.named_parameters())
    with torch.no_grad():  # the projections are views of the joined weights: packed ones are the only copy
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
    with pytest.raises(UnknownLayersError, match=reason):
        LeanDecoder(model)
    assert [weight.data_ptr() for weight in model.parameters()] == before


def test_products_of_another_kind_are_refused():
    class Scaled(torch.nn.Linear):
        def forward(self, x):
            return 2 * super().forward(x)

    model = llama(64)
    model.model.layers[1].mlp.down_proj = Scaled(32, 16, bias=False)
    with pytest.raises(UnknownLayersError, match="its products are not plain ones"):
        LeanDecoder(model)


def test_a_lean_decoder_that_disagrees_is_not_used():
    """A model that does something else with the same layers."""
    model = qwen2()
    forward = model.forward
    model.forward = lambda *args, **more: _louder(forward(*args, **more))
    with pytest.raises(UnknownLayersError, match="the lean decoder differs from it by"):
        lean_decoder(model, 64)
    pair = make_pair(model, llama(64), letters(26))
    assert sorted(pair.lean) == ["draft"]
    assert pair.decoding.startswith("target: through transformers (the lean decoder differs")
    assert pair.decoding.endswith("draft: lean decoder")


def _as_from_bfloat16(model):
    """float32 weights with the bits of bfloat16, as most models come."""
    return model.bfloat16().float()


@pytest.mark.parametrize("family", LEAN)
def test_a_draft_reads_weights_that_came_in_bfloat16_in_half_precision_and_scores_the_same(family):
    model = _as_from_bfloat16(LEAN[family]())
    pair = make_pair(_as_from_bfloat16(LEAN[family]()), model, letters(26))
    assert pair.decoding == "target: lean decoder, draft: lean decoder (weights in half precision)"
    assert not pair.lean["target"].is_halved
    whole, generator = LeanDecoder(model), torch.Generator().manual_seed(1)
    for rows in (1, 2, 5, 17):
        tokens = torch.randint(26, (rows,), generator=generator).tolist()
        (half, _), (full, _) = (LeanCache(each).extend(tokens, range(-1, rows - 1)) for each in (pair.lean["draft"], whole))
        torch.testing.assert_close(half, full, atol=1e-4, rtol=1e-4)


def test_the_embedded_draft_does(pair):
    assert pair.lean["draft"].is_halved
    assert not pair.lean["target"].is_halved


@pytest.mark.parametrize("weight", [1 + 2**-12, 1e6, float("nan")], ids=["a bit more", "too large", "no number"])
def test_weights_that_half_precision_does_not_hold_are_read_as_they_are(weight):
    model = _as_from_bfloat16(llama(64))
    with torch.no_grad():
        model.model.layers[1].mlp.down_proj.weight[3, 5] = weight
    decoder = LeanDecoder(model)
    decoder.halve()
    assert not decoder.is_halved


@pytest.mark.parametrize("problem", [AttributeError, RuntimeError])
def test_where_there_are_no_such_products_all_are_as_before(monkeypatch, problem):
    decoder, packed = LeanDecoder(_as_from_bfloat16(llama(64))), []

    def pack(weight):
        if packed:  # the first one goes well
            raise problem("no FBGEMM")
        packed.append(weight)
        return torch.ops.aten.fbgemm_pack_gemm_matrix_fp16(0 * weight)  # so that it would be seen

    before, _ = LeanCache(decoder).extend([1, 2, 3], [-1, 0, 1])
    monkeypatch.setattr(torch, "fbgemm_pack_gemm_matrix_fp16", pack)
    decoder.halve()
    after, _ = LeanCache(decoder).extend([1, 2, 3], [-1, 0, 1])
    assert not decoder.is_halved
    assert torch.equal(before, after)


def test_a_large_draft_is_not_halved(monkeypatch):
    decoder = LeanDecoder(_as_from_bfloat16(llama(64)))
    weights = sum(product.weight.numel() for product in decoder.products)
    monkeypatch.setattr("ersd.models.llama.MOST_COPIED", 2 * weights - 1)
    decoder.halve()
    assert not decoder.is_halved
    monkeypatch.setattr("ersd.models.llama.MOST_COPIED", 2 * weights)
    decoder.halve()
    assert decoder.is_halved


@pytest.mark.parametrize("family", LEAN)
@pytest.mark.parametrize("way", ["turned", "transposed", "packed"])
def test_entries_score_the_same_whichever_way_is_soonest(family, way, monkeypatch):
    plain, other = LeanDecoder(LEAN[family]()), LeanDecoder(LEAN[family]())
    monkeypatch.setattr("ersd.models.soonest._soonest", lambda ways, inputs: way)
    other.take_soonest()
    assert set(other.ways.values()) == {way}
    generator = torch.Generator().manual_seed(1)
    for rows in (1, 2, 5, 6, 7, 8, 17, 18, 65, 66):
        tokens = torch.randint(26, (rows,), generator=generator).tolist()
        found, expected = (LeanCache(each).extend(tokens, range(-1, rows - 1))[0] for each in (other, plain))
        assert found.shape == expected.shape
        torch.testing.assert_close(found, expected, atol=1e-4, rtol=1e-4)


def test_the_embedded_target_is_taken_as_is_soonest_here(pair):
    assert tuple(pair.lean["target"].ways) == ROWS
    assert not pair.lean["draft"].ways


def _louder(output):
    output.logits = 1.01 * output.logits
    return output
