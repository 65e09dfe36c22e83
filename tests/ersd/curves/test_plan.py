"""The plan of a measurement: what it allows, and in which words it refuses the rest."""

import re

import pytest

from ersd.curves import Plan
from ersd.curves.plan import ALLOWED_DRAFTED, numbers_in
from ersd.curves.results import CURVES


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"temperatures": [1.0, 9]}, "temperature must be a number from 0 to 5, got 9"),
        ({"temperatures": [None]}, "temperature must be a number from 0 to 5, got None"),
        ({"temperatures": [1.0, 1.0]}, "temperatures must be one or two different numbers, got [1.0, 1.0]"),
        ({"temperatures": []}, "temperatures must be one or two different numbers, got []"),
        ({"drafted": [1, 65]}, "drafted must be a whole number from 1 to 64, got 65"),
        ({"drafted": [4, 4]}, f"drafted must be {ALLOWED_DRAFTED}, got [4, 4]"),
        ({"drafted": range(1, 10)}, f"drafted must be {ALLOWED_DRAFTED}, got [1, 2, 3, 4, 5, 6, 7, 8, 9]"),
        ({"texts": 0}, "texts must be a whole number from 1 to 64, got 0"),
        ({"calls": 2.5}, "calls must be a whole number from 1 to 500, got 2.5"),
        ({"seed": -1}, "seed must be a whole number from 0 to 9007199254740991, got -1"),
        ({"prompts": ["", "a"]}, "prompts must be at least one text, got ['', 'a']"),
        ({"prompts": []}, "prompts must be at least one text, got []"),
    ],
)
def test_what_is_not_allowed_is_named(change, words):
    with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
        Plan(**change)


def test_texts_take_the_prompts_in_turns_each_with_a_seed_of_its_own():
    plan = Plan(texts=5, seed=3, prompts=["a", "b"])
    assert [plan.text(number) for number in range(5)] == [("a", 3), ("b", 4), ("a", 5), ("b", 6), ("a", 7)]


def test_there_is_a_point_for_every_method_size_and_temperature():
    points = list(Plan(temperatures=(1.0, 0.5), drafted=(8, 2)).points())
    assert len(points) == len(set(points)) == 2 * 2 * len(CURVES)
    assert points[0] == (1.0, 2, "tau_star")


def test_numbers_are_read_from_a_text():
    assert numbers_in("drafted", " 1, 4,16", "numbers") == [1, 4, 16]
    for text in ("", "1;4", "1,,4", "1.5", "-1", 4, None):
        with pytest.raises(ValueError, match="drafted must be numbers, got"):
            numbers_in("drafted", text, "numbers")
