"""What is said about traversal: the order of asking, what failed guesses left, the coin that decided, in numbers that come out."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from decimal import Decimal

import pytest

import ersd
from ersd.rules.traversal import passed_up
from visual.payload.messages import RunMessages, messages

from .fakes import BY_KIND, leaves_step


@pytest.fixture(scope="module")
def sent():
    return json.loads(RunMessages("Once", BY_KIND["leaves"], "a pair").step(leaves_step()))


def test_the_headline_says_that_the_leaves_were_asked(sent):
    assert "".join(words for _, words in sent["headline"]) == (
        "3 tokens from one call: asked from the leaves, kept lot of and the target added birds"
    )
    assert (sent["walk_end"], sent["opens_at"]) == (4, 1), "it opens at a coin, not at the leaf"
    assert sent["tree"]["states"] == ["rejected", "accepted", "rejected", "rejected", "accepted", "target"]


@pytest.mark.parametrize(
    ("vertex", "place", "turn", "short", "say"),
    [
        (0, 0, 1, "0.83, not below 0.40", "Rejected: coin 0.83 is not below its keep probability 0.40 = 0.38 × 0.50 ÷ 0.47."),
        (0, 1, 2, "0.25: nothing remains", "Rejected: coin 0.25, but nothing is left of its keep probability."),
        (-1, 0, 3, "0.83, not below 0.04", "Rejected: coin 0.83 is not below its keep probability 0.04. It began with 0.38 = 0.19 ÷ 0.50. "
         "“,” lowered 0.38 to 0.054 ÷ (0.054 + 1 − 0.38) = 0.08, “nest” 0.08 to 0.04 ÷ (0.04 + 1 − 0.08) = 0.04."),
        (1, 0, 4, "0.21, below 0.49", "Accepted: coin 0.21 is below its keep probability 0.49 = 0.49 × 1.0 ÷ 1.0."),
        (-1, 1, 0, "no coin needed", "Accepted: “of” after “lot” is kept, so its own coin is not needed."),
    ],
)  # fmt: skip
def test_every_coin_has_its_turn_and_its_sentence(sent, vertex, place, turn, short, say):
    one = sent["decisions"][str(vertex)]["tries"][place]
    assert (one["turn"], one["short"], one["say"]) == (turn, short, say)
    assert (one["coin"] is None) == (turn == 0)


@pytest.mark.parametrize(
    ("vertex", "say"),
    [
        (0, "Both guesses here were rejected. “,” lowered 0.38 to 0.054 ÷ (0.054 + 1 − 0.38) = 0.08, “nest” 0.08 to 0.04 ÷ "
         "(0.04 + 1 − 0.08) = 0.04. Then “long” itself was asked: coin 0.83 is not below its keep probability 0.04, so it was rejected "
         "too."),
        (-1, "Accepted: “of” after “lot” is kept, so its own coin is not needed. “long”, drawn before it, was asked first and failed. "
         "“long” began with 0.38 = 0.19 ÷ 0.50. “,” lowered 0.38 to 0.054 ÷ (0.054 + 1 − 0.38) = 0.08, “nest” 0.08 to 0.04 ÷ "
         "(0.04 + 1 − 0.08) = 0.04."),
        (4, "The next token “birds” (p = 0.30) is the target’s own. The tree ended here, so this token comes free with the same call. "
         "Accepted: coin 0.21 is below its keep probability 0.49 = 0.49 × 1.0 ÷ 1.0."),
    ],
)  # fmt: skip
def test_the_decision_at_a_node(sent, vertex, say):
    assert sent["decisions"][str(vertex)]["say"] == say
    assert sent["decisions"][str(vertex)]["title"].startswith("What follows “Once")


LOWERED = re.compile(r"([\d.]+) to ([\d.]+) ÷ \(([\d.]+) \+ 1 − ([\d.]+)\) = ([\d.]+)(?=[,.] |\.$)")


def half_of_last_digit(printed: str) -> float:
    return 0.5001 * 10 ** int(Decimal(printed).as_tuple().exponent)


@pytest.mark.parametrize("algorithm", ["traversal", "traversal_wor"])
def test_a_reader_gets_from_one_keep_probability_to_the_next(pair, algorithm):
    """In a run of many guesses: what is printed comes out, by the rule's own update, and leads on to the coin's limit."""
    settings = ersd.Settings(algorithm, "specinfer", branching=(4, 3, 2), max_new_tokens=150, seed=5)
    found = 0
    for sent in map(json.loads, messages(ersd.run(pair, "Once upon a time", settings))):
        for one in (each for decision in sent.get("decisions", {}).values() for each in decision.get("tries", [])):
            lowered = LOWERED.findall(one["say"])
            for before, rest, again, weight, after in lowered:
                assert (before, rest) == (weight, again)
                assert abs(passed_up(float(rest), float(weight)) - float(after)) <= half_of_last_digit(after), one["say"]
            if "began" in one:
                found += 1
                assert one["say"].count("÷ (") == len(lowered) > 0, one["say"]
                assert abs(float(lowered[-1][-1]) - one["ratio"]) <= half_of_last_digit(lowered[-1][-1])
    assert found > 5


def test_of_many_guesses_that_failed_the_last_two_are_written():
    step = leaves_step()
    below = [replace(step.walk[0].tries[0], weight=weight) for weight in (0.38, 0.3, 0.2, 0.2, 0.1)]
    step = replace(step, walk=[replace(step.walk[0], tries=below), *step.walk[1:]])
    say = json.loads(RunMessages("Once", BY_KIND["leaves"], "a pair").step(step))["decisions"]["0"]["say"]
    assert say.startswith("All 5 guesses here were rejected. After 2 others “,” lowered 0.20 to 0.09 ÷ (0.09 + 1 − 0.20) = 0.10, ")


@pytest.mark.parametrize(("algorithm", "topology"), [("traversal", "specinfer"), ("traversal_wor", "tau_star"), ("traversal", "sequence")])
def test_a_run(pair, algorithm, topology):
    """The coins of a step are numbered as they were tossed, the badge says what is exact, and no bound is shown that does not hold."""
    settings = ersd.Settings(algorithm, topology, 8, branching=(2, 2), max_new_tokens=40, seed=3)
    trace = ersd.run(pair, "Once upon a time", settings)
    assert ersd.Trace.from_json(trace.to_json()) == trace
    begin, *steps, _ = map(json.loads, messages(trace))
    assert (begin["kind"], begin["exact"]["kind"]) == ("leaves", "same-law")
    lines = {line["id"] for cell in begin["theory"] for line in cell["lines"]}
    assert not lines & {"optimum", "predicted"}
    for step, made in zip(steps, trace.steps, strict=True):
        tries = [one for decision in step["decisions"].values() for one in decision.get("tries", [])]
        assert sorted(one["turn"] for one in tries if one["turn"]) == list(range(1, 1 + sum(one["coin"] is not None for one in tries)))
        assert made.bound is None
        assert all(visit.optimum is None for visit in made.walk)
