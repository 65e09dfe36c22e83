"""Does a draft pay? The formula, its best chain, what it says of doubt, and what it reads."""

import math

import pytest

from ersd.theory import Acceptance, pays, read_acceptance, speedup

LOG = (
    "INFO SpecDecoding metrics: Mean acceptance length: 2.53, Accepted throughput: 23.10 tokens/s, Accepted: 6,885 tokens, "
    "Drafted: 13,500 tokens, Per-position acceptance rate: 0.720, 0.480, 0.330, Avg Draft acceptance rate: 51.0%"
)
RATES = (0.72, 0.48, 0.33)


def test_the_best_chain_and_its_speed_up():
    answer = pays(Acceptance(RATES), target_ms=13, draft_ms=0.5, row_ms=0.3)
    assert answer.k == 3
    assert answer.speedup == pytest.approx((1 + sum(RATES)) * 13 / (13 + 3 * 0.8))
    assert answer.speedup == pytest.approx(2.136, abs=5e-4)
    assert answer.error is None
    assert answer.logged == 3


def test_it_is_the_speed_up_of_the_page():
    answer = pays(Acceptance(RATES), 13, 0.5, 0.3)
    for k in (1, 2, 3):
        assert answer.speedups[k - 1] == pytest.approx(speedup(1 + sum(RATES[:k]), 13, k * 0.5, 13 + k * 0.3))


def test_the_best_chain_is_among_the_logged_ones_and_longer_ones_are_said():
    answer = pays(Acceptance((0.9, 0.81)), 10, 0.1)
    assert answer.k == 2
    assert max(answer.speedups) > answer.speedup
    assert f"up to about {max(answer.speedups):.2f}× with {answer.speedups.index(max(answer.speedups)) + 1} guesses" in answer.reason


def test_a_guess_that_costs_more_than_it_saves_ends_the_chain():
    answer = pays(Acceptance((0.8, 0.2, 0.1)), 10, 2, 1)
    assert answer.k == 1
    assert "guess 2 costs 3 ms and saves less" in answer.reason
    assert answer.slower_from is not None
    assert answer.speedups[answer.slower_from - 1] < 1 <= answer.speedups[answer.slower_from - 2]


def test_where_none_pays_it_says_so():
    answer = pays(Acceptance((0.05,)), 13, 0.5, 0.3)
    assert (answer.k, answer.slower_from) == (0, 1)
    assert answer.speedup < 1
    assert "right 5% of the time and costs 6% of a call" in answer.reason


def test_the_doubt_follows_from_the_number_of_drafts():
    """N accepted guesses have P(N >= i) = the i-th rate: the standard error is that of a mean of such numbers."""
    chances = [1 - RATES[0], RATES[0] - RATES[1], RATES[1] - RATES[2], RATES[2]]
    mean = sum(n * chance for n, chance in enumerate(chances))
    variance = sum((n - mean) ** 2 * chance for n, chance in enumerate(chances))
    error = Acceptance(RATES, drafts=4500).tokens_error(3)
    assert error == pytest.approx(math.sqrt(variance / 4500))
    answer = pays(Acceptance(RATES, drafts=4500), 13, 0.5, 0.3)
    assert answer.error == pytest.approx(2 * error * 13 / 15.4)


@pytest.mark.parametrize("text", ["0.72, 0.48, 0.33", "0.72,0.48,0.33", " .72 .48 .33 "])
def test_rates_are_read(text):
    assert read_acceptance(text) == Acceptance(RATES)


def test_a_log_line_is_read_with_its_count():
    assert read_acceptance(LOG) == Acceptance(RATES, drafts=4500)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0.5, 0.6", "rates must not rise, .* got 0.6 for guess 2 after 0.5"),
        ("1.2", "rates must be numbers from 0 to 1, got 1.2 for guess 1"),
        ("nan", "rates must be numbers from 0 to 1, got nan"),
        ("often", "rates must be numbers with commas, such as 0.72,0.48,0.33, got 'often'"),
        ("", "rates must be 1 to 64 numbers, got 0"),
        ("Per-position acceptance rate: none", "rates must be 1 to 64 numbers, got 0"),
        (",".join(["0.5"] * 65), "rates must be 1 to 64 numbers, got 65"),
    ],
)
def test_what_is_no_acceptance_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        read_acceptance(text)


@pytest.mark.parametrize(("costs", "name"), [((0, 1), "target-ms"), ((1, math.nan), "draft-ms"), ((1, 1, -1), "row-ms")])
def test_a_cost_that_is_none_is_refused(costs, name):
    with pytest.raises(ValueError, match=f"{name} must be a number"):
        pays(Acceptance((0.5,)), *costs)


def test_chains_too_close_to_tell_are_named():
    """They share one log: the error of the difference is that of what a draft gains by the longer chain, less what it costs."""
    few = pays(Acceptance((0.72, 0.48, 0.33), drafts=60), 7.6, 2.0, 0.1)
    assert few.k == 2
    assert few.alike == [1, 3]
    assert few.reason.endswith("guess 3 costs 2.1 ms and saves about as much, too close to tell from so many drafts.")
    many = pays(Acceptance((0.72, 0.48, 0.33), drafts=100_000), 7.6, 2.0, 0.1)
    assert many.alike == []
    assert many.reason.endswith("saves less.")
    assert pays(Acceptance((0.72, 0.48, 0.33)), 7.6, 2.0, 0.1).alike == []


def test_where_a_chain_stops_paying_is_a_sentence():
    assert pays(Acceptance((0.8, 0.2, 0.1)), 10, 2, 1).stops == (
        "From 4 guesses on a chain is slower than no draft, if each further guess is as likely as the last one given."
    )
    assert pays(Acceptance((0.8, 0.1, 0.0)), 10, 4, 1).stops == "From 2 guesses on a chain is slower than no draft."
    assert pays(Acceptance((1.0,)), 10, 1).stops.startswith("A chain of up to 64 guesses stays faster than no draft")
