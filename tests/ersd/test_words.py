"""Decimals as a reader with a calculator rounds them."""

import math
from fractions import Fraction

import pytest

from ersd.formatting import decimal, rounded


@pytest.mark.parametrize("decimals", [0, 1, 2, 3])
def test_a_quotient_of_counts_is_rounded_as_on_paper(decimals):
    for over in range(1, 300):
        for under in range(1, 81):
            units = math.floor(Fraction(over, under) * 10**decimals + Fraction(1, 2))
            whole, rest = divmod(units, 10**decimals)
            assert decimal(over / under, decimals) == (f"{whole}.{rest:0{decimals}}" if decimals else str(whole))


def test_thousands_are_set_apart_and_read_again():
    assert decimal(1234567.125) == "1,234,567.13"
    assert rounded(1234567.125) == 1234567.13
    assert decimal(-3.125) == "-3.13"
