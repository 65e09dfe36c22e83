import math
import threading
import weakref

import numpy as np
import pytest
import torch

from ersd import randomness
from ersd.randomness import COIN, DRAW, Noise, clocks, uniforms


def test_clocks_are_a_pure_function_of_seed_position_and_token():
    first = clocks(7, 12, 100)
    torch.manual_seed(3)
    clocks(8, 12, 100)
    assert torch.equal(first, clocks(7, 12, 100))
    assert torch.equal(first[:40], clocks(7, 12, 40))
    assert first.dtype == torch.float64
    assert first.shape == (100,)


@pytest.mark.parametrize(("seed", "position"), [(8, 12), (7, 13), (7 + 2**32, 12), (12, 7), (7 + 2**64, 12), (-7, 12)])
def test_another_seed_or_position_gives_other_clocks(seed, position):
    assert not torch.isclose(clocks(7, 12, 50), clocks(seed, position, 50)).any()


def test_many_positions_at_once_are_the_same_clocks():
    assert torch.equal(clocks(7, torch.tensor([3, 9]), 20), torch.stack([clocks(7, 3, 20), clocks(7, 9, 20)]))


def test_clocks_follow_the_exponential_law():
    # Kolmogorov-Smirnov on 10^6 values at a false-alarm rate of 1e-4, and no correlation between neighbours
    sample = torch.cat([clocks(1, position, 10_000) for position in range(100)])
    uniform = torch.sort(-torch.expm1(-sample)).values
    grid = torch.arange(1, len(uniform) + 1) / len(uniform)
    assert (uniform - grid).abs().max() < math.sqrt(-math.log(1e-4 / 2) / 2 / len(uniform))
    assert torch.corrcoef(torch.stack([sample[:-1], sample[1:]]))[0, 1].abs() < 4 / math.sqrt(len(sample))
    shifted = torch.stack([clocks(1, 5, 100_000), clocks(1, 6, 100_000)])
    assert torch.corrcoef(shifted)[0, 1].abs() < 4 / math.sqrt(100_000)


def test_no_clock_is_zero_or_infinite_even_at_the_ends_of_the_bits(monkeypatch):
    for bits in (0, 2**64 - 1):
        monkeypatch.setattr(randomness, "_mix", lambda x, bits=bits: bits if isinstance(x, int) else np.full_like(x, bits))
        extreme = clocks(0, 0, 4)
        assert torch.isfinite(extreme).all()
        assert (extreme > 0).all()
        assert torch.isfinite(extreme.log()).all()


def test_streams_and_slots_do_not_share_numbers():
    noise = Noise(3, 20)
    draws = noise.draws([0, 1, 2], 5)
    numbers = torch.cat([draws.flatten(), noise.coins(5).flatten(), noise.residual(), uniforms(3, 20, COIN, torch.arange(5, 9))])
    assert len(numbers.unique()) == len(numbers)
    assert torch.equal(draws[1], Noise(3, 20).draws([1], 5)[0])
    assert uniforms(3, 20, DRAW, 1 << 20) == draws[1, 0]


@pytest.mark.parametrize("vocab_size", [30, 2000])
def test_the_next_clocks_of_many_tokens_are_worked_out_beside_and_are_the_same(vocab_size, monkeypatch):
    monkeypatch.setattr(randomness, "TOGETHER", 90)
    monkeypatch.setattr(randomness, "MANY", 30)
    worked_out: list[str] = []

    def watched(*asked):
        worked_out.append(threading.current_thread().name)
        return clocks(*asked)

    monkeypatch.setattr(randomness, "clocks", watched)
    for position in range(5, 15):
        found = Noise(11, position).clocks(torch.zeros(1, vocab_size))[0]
        randomness._BESIDE.submit(int).result()  # when that is done, so is the next block
        assert torch.equal(found, clocks(11, position, vocab_size))
    assert worked_out.count(threading.current_thread().name) == 1
    assert len(worked_out) > 3


def test_what_is_kept_of_large_vocabularies_is_bounded():
    like = torch.zeros(1, randomness.TOGETHER + 1)
    kept = weakref.ref(Noise(8, 0).clocks(like))
    for position in range(1, 70):
        assert Noise(8, position).clocks(like).shape == like.shape
    assert kept() is None


@pytest.mark.parametrize("position", [0, 7, 8, 1001])
def test_clocks_of_a_block_are_those_of_each_position(position):
    assert torch.equal(Noise(3, position).clocks(torch.zeros(1, 50))[0], clocks(3, position, 50))


def test_the_first_coins_are_the_same_however_many_are_asked_for():
    for count in (1, 7, 256, 300):
        assert torch.equal(Noise(11, 6).coins(count)[0], uniforms(11, 6, COIN, torch.arange(count)))


def test_many_numbers_are_the_same_bits_one_by_one_and_in_the_arithmetic_of_a_gpu():
    index = torch.arange(1000)
    for seed, position in ((5, 9), (-7, 2**40), (2**70 + 3, 0)):
        numbers = uniforms(seed, position, COIN, index)
        assert torch.equal(numbers, torch.stack([uniforms(seed, position, COIN, one) for one in index.tolist()]))
        assert torch.equal(numbers, randomness._inside(randomness._state(seed, COIN, position, index)))


def test_a_gpu_winds_the_same_clocks():
    if not torch.cuda.is_available():
        pytest.skip("this machine has no CUDA GPU")
    bits = [uniforms(5, 9, COIN, torch.arange(10_000, device=device)).cpu() for device in ("cpu", "cuda")]
    assert torch.equal(*bits)
    here, there = clocks(5, 9, 10_000), clocks(5, 9, 10_000, "cuda").cpu()
    assert ((here - there).abs() <= 2 * torch.finfo(torch.float64).eps * here).all()
