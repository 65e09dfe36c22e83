"""The best tree for a rank distribution: the paper's values, and every tree of a few vertices."""

import math

import pytest

from ersd import theory

RANKS = (0.6, 0.2, 0.1, 0.1)


@pytest.mark.parametrize(("k", "tokens"), [(1, 1.6), (4, 2.376), (16, 3.41936), (64, 4.64668)])
def test_tau_star_gives_the_reference_values(k, tokens):
    parents, ranks, accepted = theory.tau_star(RANKS, k)
    assert 1 + accepted == pytest.approx(tokens, abs=5e-6)
    assert theory.expected_accepted(parents, ranks, RANKS) == pytest.approx(accepted)


def test_tau_star_is_the_best_of_all_trees():
    trees = {frozenset()}  # as sets of rank paths, in which a node of rank r has siblings of the ranks below
    for k in range(1, 6):
        grown = set()
        for tree in trees:
            for path in [(), *tree]:
                rank = 1 + sum(len(other) == len(path) + 1 and other[:-1] == path for other in tree)
                if rank <= len(RANKS):
                    grown.add(tree | {(*path, rank)})
        trees = grown
        best = max(sum(math.prod(RANKS[r - 1] for r in path) for path in tree) for tree in trees)
        assert theory.tau_star(RANKS, k)[2] == pytest.approx(best)


def test_tau_star_lists_parents_first_and_siblings_by_rank():
    parents, ranks, _ = theory.tau_star(RANKS, 40)
    seen = {}
    for vertex, (parent, rank) in enumerate(zip(parents, ranks, strict=True)):
        assert parent < vertex
        seen[parent] = seen.get(parent, 0) + 1
        assert rank == seen[parent]


def test_tau_star_keeps_to_a_depth():
    parents, ranks, _ = theory.tau_star((0.9, 0.1), 12, max_depth=2)
    assert sorted(zip(parents, ranks, strict=True)) == [(-1, 1), (-1, 2), (0, 1), (0, 2), (2, 1), (2, 2)]


@pytest.mark.parametrize("bad", [(0.5, 0.4), (), (1.2, -0.2), (math.nan, 1.0)])
def test_a_bad_rank_distribution_is_refused(bad):
    for call in (lambda: theory.tau_star(bad, 3), lambda: theory.expected_accepted([-1], [1], bad)):
        with pytest.raises(ValueError, match="rank_probabilities must be non-negative and sum to 1"):
            call()


def test_a_vertex_is_worth_the_product_of_the_ranks_on_its_path():
    parents, ranks = [-1, -1, 0, 2], [1, 2, 1, 3]
    values = theory.vertex_values(parents, ranks, [0.5, 0.3, 0.2])
    assert values == pytest.approx([0.5, 0.3, 0.25, 0.05])
    assert theory.expected_accepted(parents, ranks, [0.5, 0.3, 0.2]) == pytest.approx(sum(values))
