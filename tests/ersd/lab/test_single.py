"""A recorded trial is the trial of the simulation: the same tokens, guesses and decisions."""

import pytest

from ersd import lab
from ersd.rules.builtin import RULES

from ..statistical import dist

P, Q = dist(0.0, 0.1, 0.2, 0.3, 0.4), dist(0.3, 0.3, 0.2, 0.2, 0.0)
NAMES = ["zero", "one", "two", "three", "four"]
SUBJECTS = [*map(lab.rule_of, RULES), *(rule for bug in lab.BUGS.values() for rule in bug.rules.values())]


@pytest.mark.parametrize("rule", SUBJECTS, ids=lambda rule: type(rule).__name__)
@pytest.mark.parametrize("k", [1, 3])
def test_a_recorded_trial_is_that_of_the_simulation(rule, k):
    outcome = lab.run(rule, P, Q, k, 20, seed=4)
    for trial in range(20):
        step = lab.record(rule, P, Q, k, trial, 4, NAMES)
        first = step.walk[0]
        assert first.token == outcome.tokens[trial]
        assert first.text == NAMES[first.token]
        assert first.accepted == (outcome.ranks[trial] > 0)
        assert step.accepted == outcome.lengths[trial]


@pytest.mark.parametrize("algorithm", ["ersd", "gsd", "gsd_wor", "kseq"])
def test_theory_by_guess_sums_to_acceptance_and_fits_the_trials(algorithm):
    rule, k = lab.rule_of(algorithm), 3
    by_guess, acceptances = lab.by_guess(rule, P, Q, k), lab.acceptances(rule, P, Q, k)
    assert sum(by_guess) == pytest.approx(acceptances[-1])
    ranks = lab.run(rule, P, Q, k, 40_000, seed=4).ranks
    for number, expected in enumerate(by_guess, 1):
        assert (ranks == number).double().mean() == pytest.approx(expected, abs=0.012)
