"""The best branching of a size, against a search through all of them."""

import itertools
import math

import pytest

from ersd import theory
from ersd.drafts.topologies import size_of

ACCEPTANCES = [0.55, 0.68, 0.74, 0.78, 0.8, 0.81, 0.815, 0.82, 0.822, 0.823]


def expected(branching):
    """What a tree accepts if one of b children is accepted with probability A(b): level by level."""
    return sum(math.prod(ACCEPTANCES[b - 1] for b in branching[: level + 1]) for level in range(len(branching)))


@pytest.mark.parametrize("levels", [1, 2, 3])
def test_the_best_branching_is_the_best_of_all(levels):
    table = theory.best_branchings(ACCEPTANCES, 10, levels)
    every = [b for depth in range(levels + 1) for b in itertools.product(range(1, 11), repeat=depth) if size_of(b) <= 10]
    for k in range(1, 11):
        best = table[levels][k]
        assert best.accepted == pytest.approx(max(expected(b) for b in every if size_of(b) <= k))
        assert best.accepted == pytest.approx(expected(best.branching))
        assert size_of(best.branching) <= k
        assert len(best.branching) <= levels


def test_nothing_is_drafted_without_tokens_or_levels():
    table = theory.best_branchings(ACCEPTANCES, 3, 2)
    assert table[0][3] == table[2][0] == ((), 0.0)


def test_counts_are_refused_by_name():
    with pytest.raises(ValueError, match="k must be a whole number from 1, got 0"):
        theory.best_branchings(ACCEPTANCES, 0, 2)
    with pytest.raises(ValueError, match="levels must be a whole number from 1, got 0"):
        theory.best_branchings(ACCEPTANCES, 3, 0)
