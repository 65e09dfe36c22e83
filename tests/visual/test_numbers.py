"""Printed arithmetic: whoever works out again what stands on the page gets what stands there."""

from __future__ import annotations

import random
import re
from decimal import Decimal
from itertools import islice

import pytest
from visual.payload.sentences.explain import reasons, sentence

import ersd
from ersd.trace.model import Try
from visual.payload.sentences.coins import coin
from visual.payload.sentences.numbers import apart, brief, number, quotient

from .fakes import one_try

RULES = {
    "standard, k = 16": {"algorithm": "gsd", "topology": "sequence", "draft_tokens": 16},
    "gsd": {"algorithm": "gsd", "topology": "batch", "draft_tokens": 8, "temperature": 1.6},
    "gsd_wor": {"algorithm": "gsd_wor", "topology": "specinfer", "branching": (4, 2, 1, 1), "temperature": 1.6},
    "kseq": {"algorithm": "kseq", "topology": "multi_sequence", "draft_tokens": 16, "temperature": 1.6},
    "lossy": {"algorithm": "lossy", "topology": "sequence", "draft_tokens": 8, "leniency": 0.3},
    "block": {"algorithm": "block", "topology": "sequence", "draft_tokens": 8},
    "ersd": {"algorithm": "ersd", "topology": "tau_star", "draft_tokens": 16},
    "greedy": {"algorithm": "greedy", "topology": "tau_star", "draft_tokens": 8},
}
STEPS = 25
WRITTEN = r"\d[\d,]*(?:\.\d+)?"
DIVISION = re.compile(rf"(?:([<>=]) )?({WRITTEN}) / (?:\(({WRITTEN}) · ({WRITTEN})\)|({WRITTEN})) ([<>=]) ({WRITTEN})")


def value(words: str) -> Decimal:
    return Decimal(words.replace(",", ""))


def divisions(words: str) -> int:
    """Works out every division of a sentence again; how many there are."""
    found = DIVISION.findall(words)
    for sign, over, first, second, only, how, result in found:
        own = value(over) / (value(only) if only else value(first) * value(second))
        if how == "<":
            assert sign in "<=", words
            assert own <= value(result), words
        elif how == ">":
            assert sign in ">=", words
            assert own >= value(result), words
        else:
            assert sign in ("", "="), words
            decimals = len(result.partition(".")[2])
            assert abs(own - value(result)) < Decimal("0.5").scaleb(-decimals), words
    assert words.count(" / ") == len(found), words
    return len(found)


def test_a_number_that_travels_is_written_as_it_was_before():
    """It is rounded for the way and again by who writes it: 0.134996 is 0.13, though 0.13500 would be 0.14."""
    assert number(brief(0.13499591711527612)) == number(0.13499591711527612) == "0.13"
    generator = random.Random(3)
    for _ in range(20_000):
        nearly = generator.randrange(1, 1000) / 10 ** generator.randrange(1, 6) + generator.choice([-1, 1]) * generator.uniform(1e-8, 4e-6)
        near_tie = round(nearly, 3) + generator.choice([0.0005, 0.00005, 0.005]) + generator.choice([-1, 1]) * 1e-7
        for value in (nearly, near_tie):
            for digits in (2, 3):
                assert number(brief(value), digits) == number(value, digits), value
    assert len(str(brief(0.1234567))) == 7, "digits that nobody sees stay at home"
    assert brief(0.35) == 0.35
    assert number(brief(0.9999999)) == "1.0000"
    assert brief(3.4999999999999996) == 3.5, "what floats make of 3.5"


@pytest.fixture(scope="module")
def steps(pair):
    settings = {name: ersd.Settings(max_new_tokens=200, seed=11, **fields) for name, fields in RULES.items()}
    return {name: list(islice(ersd.generate(pair, "Once upon a time there was", each), STEPS)) for name, each in settings.items()}


@pytest.mark.parametrize("name", RULES)
def test_every_division_of_many_steps_comes_out(steps, name):
    count = 0
    for step in steps[name]:
        for visit in step.walk:
            count += divisions(sentence(step, visit))
            if visit.kind == "coins":
                count += sum(divisions(coin(one, visit)) for one in visit.tries)
        count += sum(map(divisions, reasons(step).values()))
    assert count > 20 or name in ("block", "ersd", "greedy")


@pytest.mark.parametrize("name", ["standard, k = 16", "gsd", "gsd_wor", "kseq", "lossy"])
def test_every_coin_is_told_from_what_it_is_compared_with(steps, name):
    """The number behind the last `=`, `<` or `>` of the comparison decides, or the one that stands alone."""
    for step in steps[name]:
        for visit in step.walk:
            for one in visit.tries:
                words = coin(one, visit).removesuffix(".")
                thrown, against = re.fullmatch(r"(?:Accepted|Rejected): coin (.*?) against (.*)", words).groups()
                limit = re.split(r", where|, lenient|: earlier", against)[0]
                limit = re.split(r" = | (?=[<>] )", limit)[-1]
                assert compare(thrown, limit) == one.accepted, words


def compare(thrown: str, limit: str) -> bool:
    """Is the coin below its limit, as both are written?"""
    if limit.startswith(">"):
        return value(thrown) < value(limit[2:])
    if limit.startswith("<"):
        assert value(thrown) >= value(limit[2:])
        return False
    assert value(thrown.removeprefix("< ")) != value(limit) or thrown.startswith("<")
    return value(thrown.removeprefix("< ")) <= value(limit)


def test_coins_of_blocks_are_told_from_their_keep_probabilities(steps):
    for step in steps["block"]:
        for one in step.block:
            thrown, limit = apart(one.coin, one.keep)
            assert compare(thrown, limit) == (one.coin < one.keep)


def test_any_quotient_comes_out():
    random_ = random.Random(1)
    for _ in range(5000):
        over, under, more = (10 ** random_.uniform(-12, 0) for _ in range(3))
        for factors in ((under,), (1 + more, under)):
            words = str(quotient(over, factors))
            assert divisions(words) == 1, words
            assert len(words) < 60, words


def test_what_a_later_try_is_divided_by_is_worked_out_as_it_is_printed():
    """`against 0.106 / 0.135 = 0.79, where … and 0.0428 / 0.317 = 0.135 is q over what earlier children left of Q.`"""
    random_ = random.Random(1)
    for _ in range(1000):
        p, q = (10 ** random_.uniform(-5, -0.5) for _ in range(2))
        left, drawn = p * random_.uniform(0.1, 2), q / random_.uniform(0.1, 0.9)
        one = Try(vertex=0, accepted=False, p=p, q=q, ratio=left / drawn, coin=random_.random(), left=left, drawn=drawn)
        words = coin(one, one_try(one).walk[0])
        assert divisions(words) == 2, words
        found = re.search(r" / (\S+) (?:[=<>] )?.* / \S+ [=<] (\S+) is q over", words)
        assert found, words
        divisor, worked_out = found.groups()
        assert divisor == worked_out, words


@pytest.mark.parametrize(
    ("over", "under", "words"),
    [
        (0.0354, (0.0432,), " = 0.0354 / 0.043 = 0.82"),
        (0.41, (0.66,), " = 0.41 / 0.66 = 0.62"),
        (0.41, (1.62, 0.66), " = 0.41 / (1.62 · 0.66) = 0.38"),
        (0.1, (0.8,), " = 0.10 / 0.80 = 0.125"),
        (1e-12, (0.1,), " < 0.00001 / 0.10 < 0.0001"),
        (0.5, (0.00003,), " > 0.50 / 0.0001 > 100"),
        (0.0, (0.5,), " = 0 / 0.50 = 0"),
    ],
)
def test_how_a_quotient_is_written(over, under, words):
    assert str(quotient(over, under)) == words


@pytest.mark.parametrize(
    ("chance", "words"),
    [(0.994, "0.99"), (0.996, "0.996"), (0.9996, "0.9996"), (0.99996, "1.0000"), (1.0, "1.0"), (1.004, "1.0"), (0.95, "0.95")],
)
def test_a_chance_is_not_certain_unless_it_is(chance, words):
    assert number(chance) == words


def test_numbers_that_differ_look_different():
    random_ = random.Random(2)
    for _ in range(2000):
        one = 10 ** random_.uniform(-6, 3)
        other = one * (1 + 10 ** random_.uniform(-12, 0))
        first, second = apart(one, other)
        assert first != second
    assert apart(0.5, 0.5) == (number(0.5), number(0.5))
