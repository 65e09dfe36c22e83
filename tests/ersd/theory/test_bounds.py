"""Bounds at their reference values, and the arguments that every formula refuses."""

import itertools
import math

import numpy as np
import pytest

from ersd import theory

from .reference import random_pairs

RANKS = (0.6, 0.2, 0.1, 0.1)


@pytest.mark.parametrize(("k", "bound"), [(1, 1.90967), (4, 2.75115), (16, 3.87502), (64, 5.10670)])
def test_length_bound_gives_the_reference_values(k, bound):
    entropy = -sum(r * math.log(r) for r in RANKS)
    assert theory.length_bound(4, k, entropy) == pytest.approx(bound, abs=5e-6)
    assert 1 + theory.tau_star(RANKS, k)[2] <= bound
    assert theory.length_bound(4, k, 0) == math.inf
    with pytest.raises(ValueError, match="rank_entropy must be a number from 0, got -1"):
        theory.length_bound(4, k, -1)


def test_race_bounds_follow_from_tv():
    for p, q in random_pairs(6):
        tv = np.abs(p - q).sum() / 2
        assert theory.race_bounds(p, q) == pytest.approx(((1 - tv) / (1 + tv), 1 - tv))


OF_A_PAIR = {
    "race_match": theory.race_match,
    "race_bounds": theory.race_bounds,
    "race_acceptance": lambda p, q: theory.race_acceptance(p, q, 2),
    "gsd": lambda p, q: theory.gsd_acceptance(p, q, 2),
    "gsd_wor": lambda p, q: theory.gsd_acceptance(p, q, 2, replacement=False),
    "kseq": lambda p, q: theory.kseq_acceptance(p, q, 2),
    "rho": lambda p, q: theory.kseq_rho(p, q, 2),
    "optimum": lambda p, q: theory.optimal_acceptance(p, q, 2),
    "optimum_wor": lambda p, q: theory.optimal_acceptance(p, q, 2, replacement=False),
    "pareto": lambda p, q: theory.pareto(p, q, 0.5),
    "rejections": lambda p, q: theory.expected_rejections([p], [q]),
}


@pytest.mark.parametrize("name", OF_A_PAIR)
@pytest.mark.parametrize("bad", [(0.5, 0.6), (1.5, -0.5), (0.5, math.nan), (0.2, 0.2), (0.5, math.inf)], ids=str)
def test_what_is_no_distribution_is_refused_by_name(name, bad):
    with pytest.raises(ValueError, match=r"^p must"):
        OF_A_PAIR[name](bad, (0.5, 0.5))
    with pytest.raises(ValueError, match=r"^q must"):
        OF_A_PAIR[name]((0.5, 0.5), bad)
    with pytest.raises(ValueError, match="p and q must have the same length, got 2 and 3"):
        OF_A_PAIR[name]((0.5, 0.5), (0.5, 0.25, 0.25))


@pytest.mark.parametrize("k", [0, -1, 1.5, True, None])
def test_a_bad_count_is_refused(k):
    p = (0.5, 0.5)
    for call in (theory.race_acceptance, theory.gsd_acceptance, theory.kseq_acceptance, theory.kseq_rho, theory.optimal_acceptance):
        with pytest.raises(ValueError, match="k must be a whole number from 1"):
            call(p, p, k)
    for call in (lambda: theory.tau_star(RANKS, k), lambda: theory.length_bound(4, k, 1.0)):
        with pytest.raises(ValueError, match="k must be a whole number from 1"):
            call()


def test_tensors_are_accepted_and_no_argument_is_changed():
    torch = pytest.importorskip("torch")
    arrays = random_pairs(1000, 1)[0]
    p, q = (torch.from_numpy(each.copy()) for each in arrays)
    for call in OF_A_PAIR.values():
        assert call(p, q) == call(*arrays)
    assert p.tolist() == arrays[0].tolist()
    assert q.tolist() == arrays[1].tolist()


@pytest.mark.parametrize("k", [1, 2, 4])
def test_the_limit_of_a_sequence_is_the_agreement_of_its_beginnings(k):
    p, q = [0.5, 0.3, 0.2, 0.0], [0.1, 0.2, 0.3, 0.4]
    expected = 0.0
    for length in range(1, k + 1):
        for tokens in itertools.product(range(4), repeat=length):
            expected += min(math.prod(p[token] for token in tokens), math.prod(q[token] for token in tokens))
    assert theory.sequence_limit(p, q, k) == pytest.approx(expected)


def test_no_sequence_is_accepted_that_the_target_cannot_write():
    assert theory.sequence_limit([1.0, 0.0], [0.0, 1.0], 3) == 0
    assert theory.sequence_limit([0.4, 0.6], [0.4, 0.6], 3) == pytest.approx(3)
