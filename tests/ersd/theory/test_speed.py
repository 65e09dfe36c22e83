"""What each guess saves and costs: the same model as `pays`, and a guess pays exactly where one more makes the step faster."""

import itertools

import pytest

from ersd.theory import Acceptance, pays
from ersd.theory.speed import guess_values

TARGET, DRAFT, ROW = 7.0, 0.9, 0.2


def chain(rates):
    """Tokens and milliseconds of chains of 0, 1, 2, … guesses, as `pays` has them."""
    tokens = list(itertools.accumulate(rates, initial=1.0))
    return tokens, [TARGET + k * (DRAFT + ROW) for k in range(len(tokens))]


@pytest.mark.parametrize("rates", [(0.72, 0.48, 0.33, 0.2, 0.1), (0.1, 0.05), (0.9, 0.85, 0.8)])
def test_of_a_chain_it_is_the_answer_of_pays(rates):
    acceptance = Acceptance(rates)
    answer, found = pays(acceptance, TARGET, DRAFT, ROW), guess_values(*chain(acceptance.continued()))
    assert found.speedups == pytest.approx(answer.speedups)
    if found.best <= len(rates):
        assert (found.best, found.slower_from) == (answer.k, answer.slower_from)


def test_a_guess_pays_exactly_where_the_step_gets_faster():
    tokens = [1.0, 1.7, 2.1, 2.15, 2.9]
    step_ms = [8.0, 9.5, 9.6, 12.0, 13.0]
    found = guess_values(tokens, step_ms)
    assert found.saves[1] == pytest.approx(0.4 * 9.5 / 1.7)
    assert found.costs == pytest.approx([1.5, 0.1, 2.4, 1.0])
    for n in range(1, 5):
        pays_off = found.saves[n - 1] > found.costs[n - 1]
        assert pays_off == (tokens[n] / step_ms[n] > tokens[n - 1] / step_ms[n - 1])
    assert found.best == max(range(1, 5), key=lambda n: tokens[n] / step_ms[n])


def test_where_no_guess_pays_there_is_no_best():
    found = guess_values([1.0, 1.1, 1.15], [4.0, 5.0, 6.0])
    assert (found.best, found.slower_from) == (0, 1)
    assert guess_values([1.0], [4.0]).best == 0


def test_lists_of_other_lengths_are_refused():
    with pytest.raises(ValueError, match="step_ms must have as many entries as tokens, 2, got 1"):
        guess_values([1.0, 1.5], [4.0])
