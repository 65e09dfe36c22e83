import math

import pytest
import torch

from ersd.sampling import entropy, harmonic_distance, kl, probabilities, sample, total_variation

LOGITS = torch.tensor([2.0, 1.0, 0.5, -1.0, 2.0])


def test_plain_probabilities_are_the_softmax_in_float64():
    probs = probabilities(LOGITS)
    assert probs.dtype == torch.float64
    assert torch.allclose(probs, LOGITS.double().softmax(-1))


def test_temperature_divides_the_logits_and_zero_keeps_the_likeliest():
    assert torch.allclose(probabilities(LOGITS, temperature=0.5), (LOGITS.double() * 2).softmax(-1))
    assert probabilities(LOGITS, temperature=0).tolist() == [1, 0, 0, 0, 0]
    assert torch.isfinite(probabilities(LOGITS * 1000, temperature=1e-6)).all()


@pytest.mark.parametrize("temperature", [5e-324, 1e-310, 5.5e-309, 2.2250738585072014e-308, 1e-300, 1e-40, 1e-9])
@pytest.mark.parametrize("scale", [1.0, 1e30])
def test_a_temperature_near_0_leaves_the_likeliest_tokens(temperature, scale, monkeypatch):
    logits = torch.cat([LOGITS * scale, torch.tensor([-torch.inf])])
    assert probabilities(logits, temperature).tolist() == [0.5, 0, 0, 0, 0.5, 0]
    # a GPU multiplies by the reciprocal
    monkeypatch.setattr(torch.Tensor, "__truediv__", lambda self, other: self * (1 / other))
    assert probabilities(logits, temperature).tolist() == [0.5, 0, 0, 0, 0.5, 0]


@pytest.mark.parametrize("vocab", [2, 5, 40, 300, 5000])
def test_only_the_first_of_equally_likely_tokens_stays_at_temperature_0_top_k_1_and_the_least_top_p(vocab):
    logits = torch.randn(20, vocab, generator=torch.Generator().manual_seed(2)).round()
    first = torch.nn.functional.one_hot(logits.argmax(-1), vocab).double()
    for sampling in ({"temperature": 0}, {"top_k": 1}, {"top_k": 1, "temperature": 5, "top_p": 0.1}, {"top_p": 5e-324}):
        assert torch.equal(probabilities(logits, **sampling), first), sampling


def test_at_the_greatest_temperature_logits_are_divided_by_5():
    assert torch.allclose(probabilities(LOGITS, temperature=5), (LOGITS.double() / 5).softmax(-1), rtol=1e-14)


def test_top_k_keeps_exactly_k():
    probs = probabilities(LOGITS, top_k=3)
    assert (probs > 0).tolist() == [True, True, False, False, True]
    assert probs.sum() == pytest.approx(1)
    assert torch.equal(probabilities(LOGITS, top_k=5), probabilities(LOGITS))


def test_top_p_keeps_the_token_that_reaches_the_mass():
    logits = torch.tensor([0.5, 0.3, 0.15, 0.05], dtype=torch.float64).log()
    assert probabilities(logits, top_p=0.5).tolist() == pytest.approx([1, 0, 0, 0])
    assert probabilities(logits, top_p=0.51).tolist() == pytest.approx([0.625, 0.375, 0, 0])
    assert probabilities(logits, top_p=1e-9).tolist() == pytest.approx([1, 0, 0, 0])


@pytest.mark.parametrize("spread", [0.0, 0.5, 6.0])
@pytest.mark.parametrize("top_p", [0.05, 0.5, 0.9, 0.999999])
def test_top_p_of_a_large_vocabulary_is_what_sorting_all_of_it_gives(spread, top_p):
    # rounded, so that many tokens are equally likely; spread 0: all are
    logits = (torch.randn(3, 3000, generator=torch.Generator().manual_seed(1), dtype=torch.float64) * spread * 4).round() / 4
    for whole, cut in zip(probabilities(logits), probabilities(logits, top_p=top_p), strict=True):
        shares = whole.tolist()
        order = sorted(range(3000), key=lambda token: (-shares[token], token))
        mass = torch.cat([torch.zeros(1), whole[order].cumsum(-1)[:-1]])
        kept = [token for token, before in zip(order, mass, strict=True) if before < top_p]
        assert (cut > 0).nonzero().flatten().tolist() == sorted(kept)
        assert torch.allclose(cut[kept], whole[kept] / whole[kept].sum(), rtol=1e-12)


def test_top_k_comes_before_top_p():
    logits = torch.tensor([0.4, 0.3, 0.2, 0.1], dtype=torch.float64).log()
    # of the two kept, the first has 4/7 > 0.5; of all four it would have 0.4 < 0.5
    assert probabilities(logits, top_k=2, top_p=0.5).tolist() == pytest.approx([1, 0, 0, 0])


def test_sample_inverts_the_cumulative_distribution_and_never_hits_zero_probability():
    probs = torch.tensor([[0.0, 0.25, 0.0, 0.75, 0.0]], dtype=torch.float64)
    uniform = torch.tensor([[0.0, 0.2499, 0.25, 0.9999, 1 - 2**-53]], dtype=torch.float64)
    assert sample(probs, uniform).tolist() == [[1, 1, 3, 3, 3]]
    # a share of a sum this small is rounded to all of it
    assert sample(torch.tensor([[0.0, 5e-324, 0.0]], dtype=torch.float64), uniform).tolist() == [[1, 1, 1, 1, 1]]


def test_distances_of_a_pair_worked_by_hand():
    p, q = torch.tensor([0.5, 0.5, 0.0], dtype=torch.float64), torch.tensor([0.25, 0.25, 0.5], dtype=torch.float64)
    assert total_variation(p, q).item() == pytest.approx(0.5)
    assert kl(p, q).item() == pytest.approx(math.log(2))
    assert kl(q, p).item() == math.inf
    assert harmonic_distance(p, q).item() == pytest.approx(1 - 2 * (2 * 0.125 / 0.75))
    assert entropy(p).item() == pytest.approx(math.log(2))
