"""What a tree might give: the τ* tree of the pair that lends its later guesses, and the chain where there are none."""

import pytest

from ersd.theory import Acceptance, pays
from ersd.theory.tree_estimate import later_guesses, tree_estimate
from visual.server.tabs.curves import recorded_curves

COSTS = (13.0, 0.5, 0.3)


def test_with_a_pair_of_its_own_it_is_the_line_of_the_curves():
    lines = recorded_curves().lines[0].lines
    target, draft, row = 7.0, 0.7, 0.1
    found = tree_estimate(Acceptance(tuple(lines["sequence"].next[:16])), later_guesses(lines["batch"].accepted), target, draft, row)
    for k in (1, 4, 12, 40):
        levels = enumerate(lines["tau_star"].by_levels, 1)
        best = max((1 + accepted[k - 1]) * target / (target + depth * draft + k * row) for depth, accepted in levels)
        assert found.speedups[k - 1] == pytest.approx(best, rel=1e-4)


def test_without_later_guesses_it_is_a_chain():
    chain = Acceptance((0.7, 0.49, 0.343))
    found = tree_estimate(chain, [0.0] * 8, *COSTS)
    assert found.speedups[:3] == pytest.approx(pays(chain, *COSTS).speedups[:3])


def test_its_best_is_the_fastest_and_has_as_many_draft_calls_as_levels():
    found = tree_estimate(Acceptance((0.72, 0.48, 0.33)), [0.5, 0.2, 0.1], *COSTS)
    assert found.best == max(found.speedups) == found.speedups[found.guesses - 1]
    assert 1 <= found.levels <= found.guesses
    dear = tree_estimate(Acceptance((0.72, 0.48, 0.33)), [0.5, 0.2, 0.1], 13.0, 6.0, 0.3)
    assert dear.levels < found.levels


def test_a_later_guess_is_not_likelier_than_one_before_it():
    found = tree_estimate(Acceptance((0.1,)), [1.0], *COSTS)
    assert found.speedups[1] <= (1 + 0.2) * 13 / (13 + 0.5 + 2 * 0.3) + 1e-9


def test_shares_of_later_guesses_follow_from_a_batch():
    assert later_guesses([0.6, 0.8, 0.9]) == pytest.approx([0.5, 0.25])
    assert later_guesses([1.0, 1.0]) == [0.0]
