import itertools
import math

import numpy as np
import pytest
import torch
from scipy.optimize import linprog

from ersd import theory
from ersd.distributions import harmonic_distance, total_variation


def random_pairs(size: int, count: int = 10):
    generator = torch.Generator().manual_seed(size)
    for _ in range(count):
        logits = 2 * torch.randn(2, size, generator=generator, dtype=torch.float64)
        yield tuple(logits.softmax(-1))


def test_race_match_equals_the_sum_written_out():
    for p, q in random_pairs(6):
        direct = sum(1 / sum(max(p[j] / p[i], q[j] / q[i]) for j in range(6)) for i in range(6))
        assert theory.race_match(p, q) == pytest.approx(float(direct), abs=1e-12)


def test_race_match_lies_between_its_bounds():
    for p, q in random_pairs(50):
        tv, match = total_variation(p, q).item(), theory.race_match(p, q)
        assert (1 - tv) / (1 + tv) <= match <= 1 - tv + 1e-12
        # the harmonic mean of p and q is at least their minimum, so this bound is the weaker one
        assert 1 - tv <= 1 - harmonic_distance(p, q).item() + 1e-12


def test_race_match_at_the_edges():
    one, other = torch.tensor([1.0, 0.0], dtype=torch.float64), torch.tensor([0.0, 1.0], dtype=torch.float64)
    half = torch.tensor([0.5, 0.5], dtype=torch.float64)
    assert theory.race_match(one, other) == 0
    assert theory.race_match(half, half) == pytest.approx(1)
    assert theory.race_match(one, half) == pytest.approx(0.5)


def test_gsd_with_one_child_accepts_one_minus_tv_and_more_children_more():
    for p, q in random_pairs(12):
        rates = [theory.gsd_acceptance(p, q, k) for k in (1, 2, 4, 8)]
        assert rates[0] == pytest.approx(1 - total_variation(p, q).item())
        assert rates == sorted(rates)
        assert all(rate <= theory.optimal_acceptance(p, q, k) + 1e-12 for rate, k in zip(rates, (1, 2, 4, 8), strict=True))
    assert theory.gsd_acceptance(p, p, 3) == 1


def _by_linear_program(p, q, k) -> float:
    """Maximal probability that the output is among k i.i.d. drafts, over all couplings."""
    drafts = list(itertools.product(range(len(p)), repeat=k))
    law = np.array([math.prod(q[i] for i in draft) for draft in drafts])
    gain = np.array([[token in draft for token in range(len(p))] for draft in drafts], dtype=float)
    rows = np.kron(np.eye(len(drafts)), np.ones(len(p)))
    columns = np.kron(np.ones(len(drafts)), np.eye(len(p)))
    found = linprog(-gain.ravel(), A_eq=np.vstack([rows, columns]), b_eq=np.concatenate([law, p]))
    return -found.fun


@pytest.mark.parametrize("k", [1, 2, 3])
def test_optimum_equals_the_linear_program(k):
    for p, q in random_pairs(4, count=4):
        assert theory.optimal_acceptance(p, q, k) == pytest.approx(_by_linear_program(p.numpy(), q.numpy(), k), abs=1e-9)


@pytest.mark.parametrize(("k", "expected"), [(1, 1.6), (4, 2.376), (16, 3.41936), (64, 4.64668)])
def test_tau_star_of_the_example_law(k, expected):
    parents, ranks, accepted = theory.tau_star([0.6, 0.2, 0.1, 0.1], k)
    assert 1 + accepted == pytest.approx(expected, abs=5e-6)
    assert len(parents) == len(ranks) == k
    assert all(parent < vertex for vertex, parent in enumerate(parents))
    assert len(set(zip(parents, ranks, strict=True))) == k


def _best_tree_by_enumeration(law, k) -> float:
    """Best expected accepted tokens over all prefix-closed sets of k rank paths."""
    best = 0.0
    frontier = {frozenset()}
    for _ in range(k):
        grown = set()
        for tree in frontier:
            for path in [(), *tree]:
                used = [p[-1] for p in tree if p[:-1] == path]
                if len(used) < len(law):
                    grown.add(tree | {(*path, len(used) + 1)})
        frontier = grown
    for tree in frontier:
        best = max(best, sum(math.prod(law[r - 1] for r in path) for path in tree))
    return best


@pytest.mark.parametrize("law", [[0.6, 0.2, 0.1, 0.1], [0.4, 0.35, 0.25], [0.9, 0.1]])
def test_tau_star_is_the_best_of_all_trees(law):
    for k in (1, 2, 3, 5):
        assert theory.tau_star(law, k)[2] == pytest.approx(_best_tree_by_enumeration(law, k))


def test_tau_star_keeps_to_the_depth():
    parents, _, _ = theory.tau_star([0.9, 0.1], 12, max_depth=2)
    depth = []
    for parent in parents:
        depth.append(1 if parent < 0 else depth[parent] + 1)
    assert max(depth) == 2
    assert len(parents) == 6  # 2 + 4: there is no more room


@pytest.mark.parametrize(("k", "bound"), [(1, 1.90967), (4, 2.75115), (16, 3.87502), (64, 5.10670)])
def test_length_bound_of_the_example_law(k, bound):
    h = -sum(r * math.log(r) for r in (0.6, 0.2, 0.1, 0.1))
    assert theory.length_bound(4, k, h) == pytest.approx(bound, abs=5e-6)
    assert theory.tau_star([0.6, 0.2, 0.1, 0.1], k)[2] + 1 <= bound


@pytest.mark.parametrize("k", [0, -1])
def test_k_below_one_is_refused(k):
    p = torch.tensor([0.5, 0.5], dtype=torch.float64)
    for call in (lambda: theory.gsd_acceptance(p, p, k), lambda: theory.optimal_acceptance(p, p, k), lambda: theory.tau_star([1.0], k)):
        with pytest.raises(ValueError, match="k must be a whole number from 1"):
            call()


@pytest.mark.parametrize("law", [[], [-0.1, 1.1], [0.7, 0.4], [math.nan], [0.5, 0.3]])
def test_a_rank_law_that_is_no_law_is_refused(law):
    with pytest.raises(ValueError, match="rank_probabilities"):
        theory.tau_star(law, 2)
