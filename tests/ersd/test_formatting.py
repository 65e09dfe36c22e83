"""Decimals as a reader with a calculator rounds them, and values as messages quote them."""

import math
from fractions import Fraction

import pytest

from ersd.formatting import bidi_isolated, characters, decimal, harmless, number_in, plural, quoted, rounded


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


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("a\n", r"'a\n'"), ("x" * 198, f"'{'x' * 198}'"), ("x" * 199, f"'{'x' * 196}..."), (10**199, "1" + "0" * 199),
        (10**250, "a number of more than 200 digits"), ([1] * 100, f"[{'1, ' * 65}1..."), (None, "None"),
    ],
)  # fmt: skip
def test_a_message_quotes_at_most_200_characters(value, message):
    assert quoted(value) == message
    assert len(message) <= 200


def test_text_for_a_terminal_controls_nothing_but_lines():
    assert harmless("a\n\tb\x1b[2J\x9b\ud800é") == "a\n\tb␛[2J‹9B›‹D800›é"


@pytest.mark.parametrize("one", ["a", "e\u0301", "👨\u200d👩\u200d👧\u200d👦", "🇩🇪", "👍🏽", "❤\ufe0f", "🏴\U000e0067\U000e007f", "ก็"])
def test_what_a_reader_sees_as_one_character_is_one(one):
    assert characters(one * 3) == [one] * 3


def test_a_text_that_runs_to_the_left_is_set_apart_and_no_other():
    assert bidi_isolated("שלום 5") == "\u2068שלום 5\u2069"
    assert quoted("سلام") == "\u2068'سلام'\u2069"
    assert [bidi_isolated(text) for text in ("token", "日本", "🙂", "é")] == ["token", "日本", "🙂", "é"]


def test_numbers_in_texts_and_plurals():
    assert [number_in(text) for text in ("4", "4.5", "1e3", "four", "")] == [4, 4.5, 1000.0, "four", ""]
    assert (plural(1, "child", "children"), plural(3, "child", "children"), plural(1000, "step")) == (
        "1 child",
        "3 children",
        "1,000 steps",
    )
