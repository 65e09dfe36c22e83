"""Printed numbers: a reader who computes again what the page prints gets what it prints. How tokens and counts are written."""

from __future__ import annotations

import random
import re
from decimal import Decimal
from itertools import islice

import pytest

import ersd
from ersd.trace.step import Try
from visual.payload.decision import decision
from visual.payload.sentences.formatting import ending, escape, ordinal, visible, width
from visual.payload.sentences.kinds.coins import coin_sentence
from visual.payload.sentences.kinds.table import kind_of
from visual.payload.sentences.numbers import apart, brief, number, quotient
from visual.payload.tree.step_tree import reasons

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
    "spechub": {"algorithm": "spechub", "topology": "specinfer", "branching": (4, 2, 1, 1), "temperature": 1.6},
    "half_race": {"algorithm": "half_race", "topology": "tau_star", "draft_tokens": 8},
}
PRINTED = r"\d[\d,]*(?:\.\d+)?"
DIVISION = re.compile(rf"(?:([<>=]) )?({PRINTED}) / (?:\(({PRINTED}) · ({PRINTED})\)|({PRINTED})) ([<>=]) ({PRINTED})")


def value(printed: str) -> Decimal:
    return Decimal(printed.replace(",", ""))


def check_divisions(sentence: str) -> int:
    """Compute every division of a sentence again; return their number."""
    found = DIVISION.findall(sentence)
    for sign, over, first, second, only, how, result in found:
        own = value(over) / (value(only) if only else value(first) * value(second))
        if how == "=":
            assert sign in ("", "="), sentence
            assert abs(own - value(result)) < Decimal("0.5").scaleb(-len(result.partition(".")[2])), sentence
        else:
            assert sign in ("", how, "="), sentence
            assert own <= value(result) if how == "<" else own >= value(result), sentence
    assert sentence.count(" / ") == len(found), sentence
    return len(found)


def is_below(coin: str, limit: str) -> bool:
    """Whether the coin is below its limit, as both are printed."""
    if limit.startswith(">"):
        return value(coin) < value(limit[2:])
    if limit.startswith("<"):
        assert value(coin) >= value(limit[2:])
        return False
    assert value(coin.removeprefix("< ")) != value(limit) or coin.startswith("<")
    return value(coin.removeprefix("< ")) <= value(limit)


@pytest.mark.parametrize("name", RULES)
def test_every_division_and_every_comparison_of_a_run_comes_out(pair, name):
    settings = ersd.Settings(max_new_tokens=200, seed=11, **RULES[name])
    divisions = 0
    for step in islice(ersd.generate(pair, "Once upon a time there was", settings), 15):
        divisions += sum(map(check_divisions, reasons(step).values()))
        for one in step.block:
            coin, limit = apart(one.coin, one.keep)
            assert is_below(coin, limit) == (one.coin < one.keep)
        for visit in step.walk:
            divisions += check_divisions(decision(step, visit, "")["say"])
            for one in visit.tries if visit.kind in ("coins", "favourites") else []:
                sentence = kind_of(visit).say(step, visit, one)
                divisions += check_divisions(sentence)
                coin, against = re.fullmatch(
                    r"(?:Accepted|Rejected|A favourite, .*?|The wild card, .*?): coin (.*?) is (?:not )?below (.*)\.", sentence
                ).groups()
                limit = re.split(r" = | (?=[<>] )", re.split(r", where|, lenient|: earlier", against)[0])[-1]
                assert is_below(coin, limit) == one.accepted, sentence
    assert divisions > 20 or name in ("block", "ersd", "greedy")


def test_any_quotient_comes_out():
    random_ = random.Random(1)
    for _ in range(1000):
        over, under, more = (10 ** random_.uniform(-12, 0) for _ in range(3))
        for factors in ((under,), (1 + more, under)):
            printed = str(quotient(over, factors))
            assert check_divisions(printed) == 1, printed
            assert len(printed) < 60, printed


def test_the_divisor_of_a_later_try_comes_out_as_it_is_printed():
    """`against 0.106 / 0.135 = 0.79, where … and 0.0428 / 0.317 = 0.135 is q over what earlier children left of Q.`"""
    random_ = random.Random(1)
    for _ in range(1000):
        p, q = (10 ** random_.uniform(-5, -0.5) for _ in range(2))
        left, drawn = p * random_.uniform(0.1, 2), q / random_.uniform(0.1, 0.9)
        one = Try(vertex=0, accepted=False, p=p, q=q, ratio=left / drawn, coin=random_.random(), left=left, drawn=drawn)
        sentence = coin_sentence(one, one_try(one).walk[0])
        assert check_divisions(sentence) == 2, sentence
        divisor, computed = re.search(r" / (\S+) (?:[=<>] )?.* / \S+ [=<] (\S+) is q over", sentence).groups()
        assert divisor == computed, sentence


@pytest.mark.parametrize(
    ("over", "under", "printed"),
    [
        (0.0354, (0.0432,), " = 0.0354 / 0.043 = 0.82"), (0.41, (0.66,), " = 0.41 / 0.66 = 0.62"),
        (0.41, (1.62, 0.66), " = 0.41 / (1.62 · 0.66) = 0.38"), (0.1, (0.8,), " = 0.10 / 0.80 = 0.125"),
        (1e-12, (0.1,), " < 0.00001 / 0.10 < 0.0001"), (0.5, (0.00003,), " > 0.50 / 0.0001 > 100"), (0.0, (0.5,), " = 0 / 0.50 = 0"),
    ],
)  # fmt: skip
def test_how_a_quotient_is_printed(over, under, printed):
    assert str(quotient(over, under)) == printed


@pytest.mark.parametrize(
    ("value", "digits", "printed"),
    [
        (0.1234, 2, "0.12"), (8.94, 2, "8.9"), (26.4, 2, "26"), (9.96, 2, "10"), (0.001, 2, "0.0010"), (None, 2, "∞"), (0, 2, "0"),
        (1200, 2, "1,200"), (99.6, 2, "100"), (99.4, 2, "99"), (0.994, 2, "0.99"), (0.996, 2, "0.996"), (0.9996, 2, "0.9996"),
        (0.99996, 2, "1.0000"), (1.0, 2, "1.0"), (1.004, 2, "1.0"), (0.0096, 2, "0.01"), (0.0094, 2, "0.0094"), (0.00006, 2, "0.0001"),
        (0.00004, 2, "< 0.0001"), (999_999, 2, "999,999"), (1e6, 2, "> 1,000,000"), (0.5, 4, "0.5000"), (12.345, 4, "12.35"),
        (123.4, 6, "123.400"), (0.00004, 3, "0.00004"), (4e-7, 3, "< 0.00001"), (0.125, 2, "0.13"), (12345.6, 5, "12,345.60"),
        (-0.25, 2, "-0.25"),
    ],
)  # fmt: skip
def test_how_a_number_is_printed(value, digits, printed):
    assert number(value, digits) == printed


def test_numbers_that_differ_look_different():
    random_ = random.Random(2)
    for _ in range(2000):
        one = 10 ** random_.uniform(-6, 3)
        first, second = apart(one, one * (1 + 10 ** random_.uniform(-12, 0)))
        assert first != second
    assert apart(0.5, 0.5) == (number(0.5), number(0.5))


def test_a_shortened_number_is_printed_as_the_whole_one():
    random_ = random.Random(3)
    for _ in range(5000):
        nearly = random_.randrange(1, 1000) / 10 ** random_.randrange(1, 6) + random_.choice([-1, 1]) * random_.uniform(1e-8, 4e-6)
        near_tie = round(nearly, 3) + random_.choice([0.0005, 0.00005, 0.005]) + random_.choice([-1, 1]) * 1e-7
        for each in (nearly, near_tie, 0.13499591711527612, 0.9999999):
            assert [number(brief(each), digits) for digits in (2, 3)] == [number(each, digits) for digits in (2, 3)], each
    sent = {0.123456: 0.12346, 1e-9: 1e-9, None: None, 0.0: 0.0, 123456.7: 123460.0, 0.35: 0.35, 3.4999999999999996: 3.5}
    assert {each: brief(each) for each in sent} == sent


@pytest.mark.parametrize(
    ("text", "seen"),
    [(" a", "␣a"), ("\n\n", "⏎⏎"), ("\t", "⇥"), ("\x00", "␀"), ("\u200b", "‹200B›"), ("\u202e", "‹202E›"), ("", "∅"), ("日本", "日本")],
)
def test_invisible_characters_are_made_visible(text, seen):
    assert visible(text) == seen
    assert visible("", 17) == "#17"


def test_endings_escapes_and_ordinals():
    for text in ("abcdefghijklmnop", "日本語の長い文字列", "x" * 300, "e\u0301" * 30):
        assert width(ending(text, 9)) in (8, 9)
        assert ending(text, 9).startswith("…")
    assert (ending("short", 9), ending("Once upon a time", 8)) == ("short", "… a time")
    family = "👨\u200d👩\u200d👧"
    assert ending(family * 9, 6) == f"…{family * 2}", "no family is taken apart"
    assert escape("<b>&") == "&lt;b&gt;&amp;"
    assert " ".join(map(ordinal, (1, 2, 3, 4, 11, 12, 13, 21, 102, 111))) == "1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th"
