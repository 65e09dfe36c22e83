"""The margin of a choice: no smaller move of the logits changes it, by whichever way another token may win."""

import itertools
import math
from dataclasses import dataclass

import pytest
import torch
from hypothesis import given, settings as examples, strategies

import ersd
from ersd.models.logit_noise import _scored
from ersd.sampling import probabilities
from ersd.trace.near_ties import margin

from ..statistical import tokens_of


@dataclass(frozen=True)
class Sampling:
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0


def winner(logits, sampling, log_clocks):
    p = probabilities(logits, sampling.temperature, sampling.top_k, sampling.top_p)
    return int(p.argmax() if log_clocks is None else (log_clocks - p.log()).argmin())


def node(vocab, seed, spread=2.0):
    """Random logits, some of them equal, and log clocks."""
    generator = torch.Generator().manual_seed(seed)
    logits = (spread * torch.randn(vocab, generator=generator)).bfloat16().double()
    return logits, torch.empty(vocab, dtype=torch.float64).exponential_(generator=generator).log()


SAMPLINGS = [Sampling(*each) for each in itertools.product((0, 0.002, 0.1, 1.0, 2.0), (0, 1, 3, 30), (1.0, 0.95, 0.6, 0.1))]


@examples(max_examples=100)
@given(
    strategies.integers(1, 40), strategies.integers(0, 10**6), strategies.sampled_from(SAMPLINGS), strategies.booleans(),
    strategies.sampled_from([0.003, 0.03, 0.1, 0.4]),
)  # fmt: skip
def test_a_choice_that_noise_changes_is_a_near_tie(vocab, seed, sampling, race, noise):
    """If each logit moves by at most `noise`, apart from a common shift, a margin of 2 noise or above means the same token."""
    logits, clocks = node(vocab, seed)
    clocks = clocks if race else None
    if not race:
        sampling = Sampling(0)
    found = margin(logits, sampling, clocks)
    first = winner(logits, sampling, clocks)
    generator = torch.Generator().manual_seed(seed)
    for turn in range(8):
        moved = torch.rand(vocab, generator=generator, dtype=torch.float64) * 2 - 1
        moved = noise * (moved if turn % 2 else moved.sign())
        if winner(logits + moved + 5 * turn, sampling, clocks) != first:
            assert found is not None
            assert found < 2 * noise


@examples(max_examples=40)
@given(
    strategies.integers(1, 400), strategies.integers(0, 10**6), strategies.sampled_from(SAMPLINGS), strategies.sampled_from([0.02, 2, 9])
)
def test_sorting_the_likeliest_tokens_only_gives_the_same(vocab, seed, sampling, spread):
    logits, clocks = node(vocab, seed, spread)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ersd.trace.near_ties._SORTED", 1000)
        whole = margin(logits, sampling, clocks)
        patch.setattr("ersd.trace.near_ties._SORTED", 2)
        assert margin(logits, sampling, clocks) == (None if whole is None else pytest.approx(whole, rel=1e-9, abs=1e-12))


def test_the_race_is_measured_in_logits_so_a_low_temperature_brings_ties_near():
    logits, clocks = torch.tensor([2.0, 1.0, -3.0]).double(), torch.tensor([0.0, -0.5, 0.0]).double()
    assert margin(logits, Sampling(1.0), clocks) == pytest.approx(0.5)  # arrivals -2, -1.5
    assert margin(logits, Sampling(0.1), clocks) == pytest.approx(0.95)  # arrivals -20, -10.5, times 0.1
    assert margin(logits, Sampling(0), clocks) == margin(logits, Sampling(0, top_k=2, top_p=0.5), clocks) == 1.0


def test_greedy_looks_at_the_two_best_logits_whatever_the_settings():
    assert margin(torch.tensor([2.0, 1.75, -3.0]), Sampling(3.0, 1, 0.1), None) == 0.25
    assert margin(torch.tensor([2.0, 2.0, -3.0]), Sampling(1.0), None) == 0


CLOCKS = torch.tensor([0.0, 0.0, -9.0]).double()
"""The third token would be first in any race."""


def test_a_token_just_outside_top_k_that_would_be_first_is_near():
    logits = torch.tensor([2.0, 1.0, 0.9]).double()
    assert margin(logits, Sampling(top_k=2), CLOCKS) == pytest.approx(0.1)
    # were it not the first, the race decides: it would need 1.5 more
    assert margin(logits, Sampling(top_k=2), torch.tensor([0.0, 0.0, 0.4]).double()) == pytest.approx(1.0)


def test_a_winner_about_to_fall_out_of_top_k_is_near():
    assert margin(torch.tensor([2.0, 1.0, 0.9]).double(), Sampling(top_k=2), torch.tensor([0.0, -9.0, 0.0]).double()) == pytest.approx(0.1)


def test_the_mass_before_the_edge_of_top_p_is_uncertain_too():
    """Masses .5, .3, .2 and an edge at .79: the third token is out by the log-odds of .8 less those of .79."""
    logits = torch.tensor([0.5, 0.3, 0.2]).double().log()
    odds = math.log(0.8 / 0.2) - math.log(0.79 / 0.21)
    assert margin(logits, Sampling(top_p=0.79), CLOCKS) == pytest.approx(odds)
    # the temperature divides the logits, so they have to move by as much less
    assert margin(logits / 10, Sampling(0.1, top_p=0.79), CLOCKS) == pytest.approx(odds / 10)
    # at .81 it is in and wins, until it falls out
    assert margin(logits, Sampling(top_p=0.81), CLOCKS) == pytest.approx(math.log(0.81 / 0.19) - math.log(0.8 / 0.2))


def test_a_mass_that_rounds_to_1_is_not_taken_for_certain():
    """The second token's share is 2e-22, so the mass before it is 1 in float64; its odds against .999 are not endless."""
    logits, clocks = torch.tensor([0.1, 0.0]).double(), torch.tensor([0.0, -99.0]).double()
    assert margin(logits, Sampling(0.002, top_p=0.999), clocks) < 0.1 - 0.002 * math.log(999)


def test_equal_tokens_at_the_edge_of_top_p_may_change_places():
    logits = torch.tensor([0.5, 0.25, 0.25]).double().log()
    assert margin(logits, Sampling(top_p=0.6), CLOCKS) == pytest.approx(0, abs=1e-12)


def test_a_token_without_a_rival_is_never_a_near_tie():
    assert margin(torch.tensor([1.0]), Sampling(), torch.zeros(1).double()) is None
    lonely = torch.tensor([1.0, -math.inf, -math.inf])
    for sampling in SAMPLINGS:
        assert margin(lonely, sampling, torch.zeros(3).double()) is None


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
def test_every_precision_is_taken(dtype):
    assert margin(torch.tensor([2.0, 1.0, 0.5], dtype=dtype), Sampling(top_k=2, top_p=0.9), torch.zeros(3).double()) == pytest.approx(1.0)


# --- marks on a run in half precision -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def half() -> ersd.ModelPair:
    """The embedded pair in bfloat16."""
    return ersd.load_pair(device="cpu", dtype="bfloat16")


def test_twice_the_logit_noise_bounds_what_rounding_does_to_a_text(half):
    """A text four times as long as the one the noise was measured on: no difference of two logits moves further."""
    text = ersd.run(half, "Once upon a time", ersd.Settings(algorithm="autoregressive", max_new_tokens=100, seed=5)).token_ids
    moved = _scored(half.open_target(), text, half.vocab_size, 3, 8) - _scored(half.open_target(), text, half.vocab_size, 1, 0)
    moves = moved.amax(-1) - moved.amin(-1)
    assert half.logit_noise < moves.max() < 2 * half.logit_noise  # nor is the bound far away


@pytest.mark.parametrize("sampling", [{"temperature": 0}, {"temperature": 0.5, "top_k": 5, "top_p": 0.8}])
def test_where_ersd_text_leaves_the_autoregressive_text_a_near_tie_is_marked(half, sampling):
    """A small version of tests.bench.bench_near_ties."""
    common = {"seed": 0, "max_new_tokens": 48, **sampling}
    plain = tokens_of(half, "One day, Tom and", ersd.Settings(algorithm="autoregressive", **common))
    trace = ersd.run(half, "One day, Tom and", ersd.Settings(draft_tokens=8, **common))
    emitted = [one for step in trace.steps for one in step.emitted]
    visits = [visit for step in trace.steps for visit in step.walk]
    assert [one.near_tie for one in emitted] == [visit.margin < 2 * half.logit_noise for visit in visits]
    first = next((one for one, token in zip(emitted, plain, strict=False) if one.token != token), None)
    assert first is None or first.near_tie
    assert sum(one.near_tie for one in emitted) < 12


def test_no_token_is_marked_in_full_precision(pair):
    steps = ersd.generate(pair, "The old tree", ersd.Settings(max_new_tokens=48, seed=2))
    assert not any(one.near_tie for step in steps for one in step.emitted)
