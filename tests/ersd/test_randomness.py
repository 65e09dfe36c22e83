import math

import numpy as np
import pytest
import torch

from ersd import randomness
from ersd.randomness import CLOCK, COIN, DRAW, RESIDUAL, Noise, clocks, uniforms

BITS = {
    (0, 0, CLOCK, 0): "0x1.0983a45556404p-3",
    (7, 12, CLOCK, 99): "0x1.bfe6d41a91a74p-3",
    (7, 12, DRAW, 1 << 20): "0x1.6fce229036ef1p-1",
    (-7, 12, COIN, 3): "0x1.80c89f81fe832p-2",
    (2**70 + 3, 2**40, RESIDUAL, 0): "0x1.02b7854987326p-2",
}
"""(seed, position, stream, index) -> the uniform number."""


def test_these_bits_never_change():
    """Links, recorded runs and the browser's own race depend on them."""
    assert {key: uniforms(*key).item().hex() for key in BITS} == BITS


def test_clocks_are_a_pure_function_of_seed_position_and_token():
    first = clocks(7, 12, 100)
    torch.manual_seed(3)
    clocks(8, 12, 100)
    assert torch.equal(first, clocks(7, 12, 100))
    assert torch.equal(first[:40], clocks(7, 12, 40))
    assert torch.equal(torch.stack([clocks(7, 3, 20), clocks(7, 9, 20)]), clocks(7, torch.tensor([3, 9]), 20))
    assert torch.equal(first, -uniforms(7, 12, CLOCK, torch.arange(100)).log())
    assert (first.dtype, first.shape) == (torch.float64, (100,))


@pytest.mark.parametrize(("seed", "position"), [(8, 12), (7, 13), (7 + 2**32, 12), (12, 7), (7 + 2**64, 12), (-7, 12)])
def test_another_seed_or_position_gives_other_clocks(seed, position):
    assert not torch.isclose(clocks(7, 12, 50), clocks(seed, position, 50)).any()


def test_clocks_follow_the_exponential_distribution():
    # Kolmogorov-Smirnov on 10^6 values at a false-alarm rate of 1e-4, and no correlation between neighbours or positions
    sample = torch.cat([clocks(1, position, 10_000) for position in range(100)])
    uniform = torch.sort(-torch.expm1(-sample)).values
    grid = torch.arange(1, len(uniform) + 1) / len(uniform)
    assert (uniform - grid).abs().max() < math.sqrt(-math.log(1e-4 / 2) / 2 / len(uniform))
    assert torch.corrcoef(torch.stack([sample[:-1], sample[1:]]))[0, 1].abs() < 4 / math.sqrt(len(sample))
    assert torch.corrcoef(torch.stack([clocks(1, 5, 100_000), clocks(1, 6, 100_000)]))[0, 1].abs() < 4 / math.sqrt(100_000)


@pytest.mark.parametrize("bits", [0, -1])
def test_no_clock_is_zero_or_infinite_even_at_the_ends_of_the_bits(bits, monkeypatch):
    monkeypatch.setattr(randomness, "_state", lambda *_: np.full(4, bits, np.int64))
    extreme = clocks(0, 0, 4)
    assert ((extreme > 0) & extreme.isfinite() & extreme.log().isfinite()).all()


def test_streams_and_slots_do_not_share_numbers():
    noise = Noise(3, 20)
    draws = noise.draws([0, 1, 2], 5)
    numbers = torch.cat([draws.flatten(), noise.coins(5).flatten(), noise.residual(), uniforms(3, 20, COIN, torch.arange(5, 9))])
    assert len(numbers.unique()) == len(numbers)
    assert torch.equal(draws[1], Noise(3, 20).draws([1], 5)[0])
    assert uniforms(3, 20, DRAW, 1 << 20) == draws[1, 0]
    assert uniforms(3, 20, RESIDUAL, 0) == noise.residual()


def test_the_first_coins_are_the_same_however_many_are_drawn():
    for count in (1, 7, 300):
        assert torch.equal(Noise(11, 6).coins(count)[0], uniforms(11, 6, COIN, torch.arange(count)))


def test_single_numbers_arrays_and_tensors_have_the_same_bits(monkeypatch):
    """Python's integers, numpy on the CPU, torch as on a GPU."""
    index, cases = torch.arange(1000), ((5, 9), (-7, 2**40), (2**70 + 3, 0))
    arrays = [uniforms(seed, position, COIN, index) for seed, position in cases]
    for (seed, position), numbers in zip(cases, arrays, strict=True):
        assert torch.equal(numbers, torch.stack([uniforms(seed, position, COIN, one) for one in index.tolist()]))
    monkeypatch.setattr(randomness, "_counter", lambda number: number)
    assert all(torch.equal(uniforms(*case, COIN, index), numbers) for case, numbers in zip(cases, arrays, strict=True))


def test_a_gpu_computes_the_same_clocks():
    if not torch.cuda.is_available():
        pytest.skip("this machine has no CUDA GPU")
    assert torch.equal(*(uniforms(5, 9, COIN, torch.arange(10_000, device=device)).cpu() for device in ("cpu", "cuda")))
    here, there = clocks(5, 9, 10_000), clocks(5, 9, 10_000, "cuda").cpu()
    assert ((here - there).abs() <= 2 * torch.finfo(torch.float64).eps * here).all()
