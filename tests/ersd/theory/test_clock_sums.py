"""Sums of clocks against scipy's gamma distribution, also where the probability is tiny, and what is refused."""

import math

import pytest
from scipy.stats import gamma

from ersd.theory import clock_sum_band, clock_sum_pvalue, corrected_pvalue


@pytest.mark.parametrize("count", [1, 2, 7, 96, 1000, 100_000])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 1.0, 1.1, 2.0])
def test_the_pvalue_is_that_of_the_gamma_distribution(count, share):
    total = share * count
    assert clock_sum_pvalue(total, count) == pytest.approx(gamma.cdf(total, count), rel=1e-8, abs=1e-300)


def test_the_pvalue_by_hand():
    assert clock_sum_pvalue(0.3, 1) == pytest.approx(1 - math.exp(-0.3), rel=1e-14)
    assert clock_sum_pvalue(0.3, 2) == pytest.approx(1 - math.exp(-0.3) * 1.3, rel=1e-13)
    assert (clock_sum_pvalue(0.0, 3), clock_sum_pvalue(1e9, 3)) == (0.0, 1.0)


@pytest.mark.parametrize("count", [1, 2, 30, 96, 4096])
def test_nine_of_ten_other_texts_are_inside_the_band(count):
    assert clock_sum_band(count) == pytest.approx(gamma.ppf([0.05, 0.95], count), rel=1e-5, abs=1e-5)


def test_several_tests():
    assert corrected_pvalue(0.01, 1) == pytest.approx(0.01)
    assert corrected_pvalue(0.01, 10) == pytest.approx(1 - 0.99**10)
    assert corrected_pvalue(1e-20, 3) == pytest.approx(3e-20)
    assert corrected_pvalue(1.0, 5) == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((1.0, 0), "count must be a whole number from 1, got 0"),
        ((-1.0, 3), "total must be a sum of clocks, 0 or more, got -1.0"),
        ((math.nan, 3), "total must be a sum of clocks, 0 or more, got nan"),
        ((math.inf, 3), "total must be a sum of clocks, 0 or more, got inf"),
    ],
)
def test_bad_arguments_are_named(given, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        clock_sum_pvalue(*given)
