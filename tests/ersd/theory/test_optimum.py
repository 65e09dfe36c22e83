"""The optimum against the linear program it solves, and against all prefixes."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import linprog

from ersd import theory

from . import reference
from .reference import EDGES, GROUPS, TWO_DIGITS, array, expanded, pairs, random_pairs


def transport(p, q, k, replacement):
    """The optimum as a linear program over couplings of the target's token and the set of children."""
    sets = {}
    for children, probability in reference.sequences(q, k, replacement):
        sets[frozenset(children)] = sets.get(frozenset(children), 0.0) + probability
    cost = -np.array([[float(token in drafted) for drafted in sets] for token in range(len(p))]).ravel()
    rows, columns = np.kron(np.eye(len(p)), np.ones(len(sets))), np.kron(np.ones(len(p)), np.eye(len(sets)))
    # the last equation follows from the others, but for rounding
    equations, sums = np.vstack([rows, columns])[:-1], np.concatenate([p, list(sets.values())])[:-1]
    return -linprog(cost, A_eq=equations, b_eq=sums, method="highs").fun


@pytest.mark.parametrize(("replacement", "error"), [(True, 1e-7), (False, TWO_DIGITS)])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_optimum_equals_the_linear_program(k, replacement, error):
    extra = [(array(0.4, 0.3, 0, 0.3, 0), array(0.1, 0.2, 0.3, 0, 0.4)), (array(0.5, 0, 0.1, 0.4), array(0.9, 0.05, 0.04, 0.01))]
    for p, q in [*random_pairs(5, 4), *random_pairs(5, 3, 3.0), *random_pairs(3, 3, 0.3), *extra, *EDGES.values()]:
        assert theory.optimal_acceptance(p, q, k, replacement) == pytest.approx(transport(p, q, k, replacement), abs=error)


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize("k", [2, 4, 16])
def test_the_optimum_without_replacement_is_right_to_two_digits_on_any_vocabulary(name, k):
    wanted = reference.optimum_without_replacement(*GROUPS[name][:2], k, GROUPS[name][2])
    assert theory.optimal_acceptance(*expanded(GROUPS[name]), k, replacement=False) == pytest.approx(wanted, abs=TWO_DIGITS)


@given(pairs, st.integers(1, 40))
@settings(max_examples=40, deadline=None)
def test_the_optimum_bounds_every_rule_of_its_kind(pair, k):
    best, free = (theory.optimal_acceptance(*pair, k, replacement=each) for each in (True, False))
    assert 0 <= best <= free + TWO_DIGITS
    assert theory.optimal_acceptance(*pair, k + 1) >= best - 1e-12
    assert max(theory.kseq_acceptance(*pair, k), theory.gsd_acceptance(*pair, k)) <= best + 1e-9
    assert theory.gsd_acceptance(*pair, k, replacement=False) <= free + 2 * TWO_DIGITS


def test_a_race_passes_the_limit_of_the_iid_rules():
    assert max(theory.race_acceptance(*pair, 4) - theory.optimal_acceptance(*pair, 4) for pair in random_pairs(50)) > 0.02


def test_a_draft_that_runs_out_accepts_what_it_can_reach():
    for p, q in EDGES.values():
        for k in (int((q > 0).sum()), 64):
            assert theory.optimal_acceptance(p, q, k, replacement=False) == pytest.approx(p[q > 0].sum())
