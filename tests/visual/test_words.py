from __future__ import annotations

import pytest

from visual.payload.sentences.formatting import ending, escape, ordinal, visible, width
from visual.payload.sentences.numbers import apart, brief, number


@pytest.mark.parametrize(
    ("text", "seen"),
    [(" a", "␣a"), ("\n\n", "⏎⏎"), ("\t", "⇥"), ("\x00", "␀"), ("\u200b", "‹200B›"), ("\u202e", "‹202E›"), ("", "∅"), ("日本", "日本")],
)
def test_visible(text, seen):
    assert visible(text) == seen


def test_a_token_without_text_shows_its_number():
    assert visible("", 17) == "#17"


@pytest.mark.parametrize("text", ["abcdefghijklmnop", "日本語の長い文字列", "x" * 300])
def test_an_ending_keeps_to_its_width(text):
    assert width(ending(text, 9)) <= 9
    assert ending(text, 9).startswith("…")
    assert ending("short", 9) == "short"


def test_ending():
    assert ending("Once upon a time", 8) == "… a time"


def test_escape():
    assert escape("<b>&") == "&lt;b&gt;&amp;"


@pytest.mark.parametrize(
    ("value", "seen"),
    [(0.1234, "0.12"), (8.94, "8.9"), (26.4, "26"), (9.96, "10"), (0.001, "0.0010"), (None, "∞"), (0, "0"), (1200, "1,200")],
)
def test_number(value, seen):
    assert number(value) == seen


@pytest.mark.parametrize(
    ("value", "digits", "seen"),
    [
        (99.6, 2, "100"), (99.4, 2, "99"), (9.94, 2, "9.9"), (0.996, 2, "0.996"), (1.0, 2, "1.0"), (0.99, 2, "0.99"), (0.0096, 2, "0.01"),
        (0.0094, 2, "0.0094"), (0.00006, 2, "0.0001"), (0.00004, 2, "< 0.0001"), (999_999, 2, "999,999"), (1e6, 2, "> 1,000,000"),
        (0.5, 4, "0.5000"), (12.345, 4, "12.35"), (123.4, 6, "123.400"),
        (0.00004, 3, "0.00004"), (4e-7, 3, "< 0.00001"), (0.125, 2, "0.13"), (12345.6, 5, "12,345.60"), (-0.25, 2, "-0.25"),
    ],
)  # fmt: skip
def test_every_step_of_the_number_table(value, digits, seen):
    assert number(value, digits) == seen


def test_numbers_that_differ_look_different():
    first, second = apart(0.62412, 0.62409)
    assert first != second


def test_ordinal():
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th",
    ]  # fmt: skip


@pytest.mark.parametrize(("value", "seen"), [(0.123456, 0.12346), (1e-9, 1e-9), (None, None), (0.0, 0.0), (123456.7, 123460.0)])
def test_brief(value, seen):
    assert brief(value) == seen
