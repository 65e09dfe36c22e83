"""Recursive rejection against enumeration and simulation, expected rejections, and the Pareto front."""

import numpy as np
import pytest

from ersd import theory

from .reference import EDGES, TWO_DIGITS, array, random_pairs


def recursive(p, q, k, replacement):
    """Acceptance of recursive rejection by going through every sequence of children."""
    if k == 0 or q.sum() <= 0:
        return 0.0
    drawn_from = q / q.sum()
    left = np.maximum(p - drawn_from, 0)
    left = left / left.sum() if left.sum() > 0 else p
    total = 0.0
    for i in np.flatnonzero(drawn_from):
        accepted = min(1.0, p[i] / drawn_from[i])
        rest = q if replacement else np.where(np.arange(len(q)) == i, 0, q)
        total += drawn_from[i] * (accepted + (1 - accepted) * (recursive(left, rest, k - 1, replacement) if accepted < 1 else 0))
    return total


@pytest.mark.parametrize(("replacement", "error"), [(True, 1e-9), (False, TWO_DIGITS)])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_gsd_acceptance_equals_the_enumeration_of_all_children(k, replacement, error):
    for p, q in [*random_pairs(5, 5), *EDGES.values()]:
        assert theory.gsd_acceptance(p, q, k, replacement) == pytest.approx(recursive(p, q, k, replacement), abs=error)


@pytest.mark.parametrize(("size", "spread"), [(60, 2.5), (200, 1.0), (300, 0.3), (300, 2.5)])
def test_gsd_without_replacement_agrees_with_simulated_children(size, spread):
    p, q = random_pairs(size, 1, spread)[0]
    trials, k = 60_000, 8
    arrivals = np.random.default_rng(3).exponential(size=(trials, size)) / q
    children = arrivals.argsort(axis=1)[:, :k]
    ratio, order = p / q, (p / q).argsort()
    p_above, q_above = (np.append(values[order][::-1].cumsum()[::-1], 0) for values in (p, q))
    c, removed, rejected = np.zeros(trials), np.zeros(trials), np.ones(trials)
    for j, token in enumerate(children.T, start=1):
        at = np.searchsorted(ratio[order], c)
        left = np.maximum(p_above[at] - c * q_above[at], 1e-300)
        rejected *= 1 - np.minimum(1, np.maximum(p[token] - c * q[token], 0) / left / (q[token] / (1 - removed)))
        c, removed = c + left / (1 - removed), removed + q[token]
        if j in (2, 4, 8):
            error = 2e-3 + 4 * rejected.std() / trials**0.5
            assert theory.gsd_acceptance(p, q, j, replacement=False) == pytest.approx(1 - rejected.mean(), abs=error)


@pytest.mark.parametrize("size", [200, 4096])
def test_gsd_without_replacement_from_an_even_draft(size):
    """Every rejection removes the same mass, so nothing is random."""
    q = np.full(size, 1 / size)
    p = np.where(np.arange(size) < size // 4, random_pairs(size, 1, 1.0)[0][0], 0)
    p /= p.sum()
    for k in (2, 4, 16, 64):
        c = 0.0
        for removed in range(k):
            c += np.maximum(p - c * q, 0).sum() / (1 - removed / size)
        assert theory.gsd_acceptance(p, q, k, replacement=False) == pytest.approx(1 - np.maximum(p - c * q, 0).sum(), abs=TWO_DIGITS)


def test_gsd_without_replacement_where_little_is_left_of_the_draft():
    """The first child is nearly always token 0, the second one of two rare ones, each with probability 1/2."""
    q, p = array(1, 1e-17, 1e-17), array(0, 0.8, 0.2)
    assert theory.gsd_acceptance(p, q, 2, replacement=False) == pytest.approx(0.5 + 0.2, abs=TWO_DIGITS)


def test_one_child_accepts_one_minus_tv_under_every_rejection_rule():
    for p, q in [*random_pairs(6), *EDGES.values()]:
        wanted = pytest.approx(1 - np.abs(p - q).sum() / 2, abs=1e-9)
        assert theory.gsd_acceptance(p, q, 1) == theory.gsd_acceptance(p, q, 1, replacement=False) == wanted
        assert theory.kseq_acceptance(p, q, 1) == wanted
        assert theory.optimal_acceptance(p, q, 1) == wanted


def test_expected_rejections_is_the_sum_of_tv():
    p, q = (np.stack(rows) for rows in zip(*random_pairs(8), strict=True))
    assert theory.expected_rejections(p, q) == pytest.approx(np.abs(p - q).sum() / 2)


def test_the_pareto_front_is_a_straight_line():
    for p, q in EDGES.values():
        tv = np.abs(p - q).sum() / 2
        for leniency in (0, 0.3, 1):
            assert theory.pareto(p, q, leniency) == pytest.approx(((1 - leniency) * tv, leniency * tv))
    with pytest.raises(ValueError, match="leniency must be a number from 0 to 1, got 2"):
        theory.pareto(p, q, 2)


def test_acceptances_for_all_numbers_of_children_are_those_for_each():
    p, q = [0.5, 0.3, 0.15, 0.05], [0.2, 0.2, 0.1, 0.5]
    assert theory.gsd_acceptances(p, q, 6) == [theory.gsd_acceptance(p, q, k) for k in range(1, 7)]
    assert theory.gsd_acceptances(p, p, 3) == pytest.approx([1, 1, 1])
    with pytest.raises(ValueError, match="most must be a whole number from 1, got 0"):
        theory.gsd_acceptances(p, q, 0)
