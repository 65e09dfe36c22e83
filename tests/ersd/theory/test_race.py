"""First arrivals in common: the closed form, and the approximation for more children against the definition."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from ersd import theory

from . import reference
from .reference import EDGES, GROUPS, TWO_DIGITS, array, expanded, pairs, random_pairs


@given(pairs)
@settings(max_examples=30, deadline=None)
def test_race_match_equals_the_double_sum_and_lies_between_its_bounds(pair):
    p, q = pair
    with np.errstate(over="ignore"):
        direct = (1 / np.maximum(p / p[:, None], q / q[:, None]).sum(1)).sum()
    lower, upper = theory.race_bounds(p, q)
    assert theory.race_match(p, q) == pytest.approx(direct, abs=1e-12)
    assert lower - 1e-12 <= theory.race_match(p, q) <= upper + 1e-12


def test_race_match_at_the_edges():
    one, other, half = array(1, 0), array(0, 1), array(0.5, 0.5)
    assert theory.race_match(one, other) == 0
    assert theory.race_match(half, half) == pytest.approx(1)
    assert theory.race_match(one, half) == pytest.approx(0.5)
    assert theory.race_match([1.0], [1.0]) == 1


@pytest.mark.parametrize("k", [1, 2, 3])
def test_race_acceptance_equals_the_integral_over_every_subset_of_rivals(k):
    times = np.exp(np.arange(np.log(1e-7), np.log(60), 0.05))
    weights = 0.05 * times * np.exp(-times)
    for p, q in [*random_pairs(5, 3), *EDGES.values()]:
        total = 0.0
        for i in np.flatnonzero((p > 0) & (q > 0)):
            ahead = [-np.expm1(-times * max(0.0, q[j] * p[i] / q[i] - p[j])) for j in range(len(p)) if j != i]
            for chosen in itertools.product((False, True), repeat=len(ahead)):
                if sum(chosen) < k:
                    factors = [a if yes else 1 - a for a, yes in zip(ahead, chosen, strict=True)]
                    total += p[i] * (weights * np.prod([np.ones_like(times), *factors], axis=0)).sum()
        assert theory.race_acceptance(p, q, k) == pytest.approx(total, abs=TWO_DIGITS)


@pytest.mark.parametrize(("name", "k"), [*itertools.product(GROUPS, (2, 4, 16)), ("large, sharp", 64), ("flat", 64)])
def test_race_acceptance_is_right_to_two_digits_on_any_vocabulary(name, k):
    p, q, count = GROUPS[name]
    wanted = reference.race_acceptance(p, q, k, count)
    assert theory.race_acceptance(*expanded(GROUPS[name]), k) == pytest.approx(wanted, abs=TWO_DIGITS)


def test_race_acceptance_agrees_with_simulated_races():
    p, q = random_pairs(300, 1, 2.0)[0]
    clocks = np.random.default_rng(1).exponential(size=(100_000, 300)).astype(np.float32)
    winner = (clocks / p.astype(np.float32)).argmin(1)
    arrivals = clocks / q.astype(np.float32)
    rank = (arrivals < arrivals[np.arange(len(winner)), winner][:, None]).sum(1) + 1
    for k in (1, 2, 8, 32):
        assert theory.race_acceptance(p, q, k) == pytest.approx((rank <= k).mean(), abs=TWO_DIGITS + 4 * 0.5 / 100_000**0.5)


@given(pairs, st.integers(1, 40))
@settings(max_examples=40, deadline=None)
def test_race_acceptance_rises_with_k_up_to_the_optimum(pair, k):
    first, second = theory.race_acceptances(*pair, [k, k + 1])
    assert 0 <= first <= second + TWO_DIGITS
    assert first <= theory.optimal_acceptance(*pair, k, replacement=False) + 2 * TWO_DIGITS


def test_with_more_children_than_tokens_all_that_the_draft_reaches_is_accepted():
    for p, q in EDGES.values():
        assert theory.race_acceptance(p, q, 64) == pytest.approx(p[q > 0].sum())


@pytest.mark.parametrize("tiny", [5e-324, 1e-310, 1e-200, 1e-100, 1e-16])
@pytest.mark.filterwarnings("error")
def test_tiny_probabilities_give_no_nonsense(tiny):
    for p, q in [
        (array(0.5, 0.5, 0, 0), array(1, tiny, 0, 0)),
        (array(0, 0, 0.5, 0.5), array(1, 0, tiny, tiny)),
        (array(0.5, 0.5, tiny, tiny), array(0.25, 0.25, 0.25, 0.25)),
        (array(0, 1, tiny, 0), array(tiny, 0, 0, 1)),
    ]:
        for k in (1, 2, 3, 64):
            best, free = (theory.optimal_acceptance(p, q, k, replacement=each) for each in (True, False))
            rates = [theory.gsd_acceptance(p, q, k, replacement=each) for each in (True, False)]
            rates += [theory.race_acceptance(p, q, k), theory.kseq_acceptance(p, q, k), best]
            assert all(0 <= rate <= free + 2 * TWO_DIGITS for rate in rates)


def test_formulas_share_a_compressed_pair():
    p, q = random_pairs(1000, 1, 2.5)[0]
    tokens = theory.compress(p, q)
    assert tokens.p @ tokens.size == pytest.approx(1)
    assert tokens.q @ tokens.size == pytest.approx(1)
    assert len(tokens.p) < 300
    assert theory.race_acceptances(p, q, [4], tokens) == [theory.race_acceptance(p, q, 4)]
    assert theory.optimal_acceptance(p, q, 4, False, tokens) == theory.optimal_acceptance(p, q, 4, False)
    assert theory.gsd_acceptance(p, q, 4, False, tokens) == theory.gsd_acceptance(p, q, 4, False)
