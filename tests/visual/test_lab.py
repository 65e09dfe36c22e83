"""The lab's presets, its message and its words, and the requests that it refuses."""

import json
import math

import pytest

from ersd import lab
from ersd.rules.registry import TRAITS
from visual.payload.lab.presets import MAX_TOKENS, MIN_TOKENS, PRESETS, USUAL_TOKENS, of_size, probabilities
from visual.payload.message_types.lab import LabAnswer
from visual.server.tabs.lab import KIT, LENIENCY, MAX_GUESSES, answer

from .fits import problems

SHIFTED = of_size(USUAL_TOKENS)["shifted"]
USUAL = {
    **SHIFTED,
    "names": KIT["presets"]["names"][:USUAL_TOKENS],
    "rule": "ersd",
    "bug": "",
    "k": 2,
    "seed": 1,
    "trial": 3,
    "trials": 10_000,
}
USUAL["names"] = list(USUAL["names"])
COMBINATIONS = [(rule, bug) for rule in TRAITS for bug in ("", *(name for name, one in KIT["bugs"].items() if rule in one["rules"]))]


SHOWN_BY = {"draft_noise_again": {"k": 1}}
"""Where a bug shows, if not with the usual settings."""


def asked(**changes):
    return json.loads(answer({**USUAL, **changes}))


@pytest.mark.parametrize("count", range(MIN_TOKENS, MAX_TOKENS + 1))
@pytest.mark.parametrize("name", PRESETS)
def test_presets_sum_to_1_as_they_are_printed(name, count):
    for values in of_size(count)[name].values():
        assert len(values) == count
        assert sum(round(100 * value) for value in values) == 100
        assert all(value == round(value, 2) >= 0 for value in values)


def test_weights_are_rounded_by_their_remainders():
    assert probabilities([1, 1, 1]) == [0.34, 0.33, 0.33]


@pytest.mark.parametrize(("rule", "bug"), COMBINATIONS)
def test_the_headline_says_what_the_counts_show(rule, bug):
    found = asked(rule=rule, bug=bug, **SHOWN_BY.get(bug, {}))
    assert not problems(found, LabAnswer)
    words = "".join(text for _, text in found["words"]["headline"])
    is_wrong = (bool(bug) and rule in lab.BUGS[bug].rules) or rule == "lossy"
    assert found["counts"]["is_off"] == is_wrong
    assert ("leaves the target" in words) == is_wrong
    assert found["words"]["sentence"]
    assert sum(found["counts"]["kept"]) + sum(found["counts"]["own"]) == 10_000
    assert (found["counts"]["tv"] > found["counts"]["chance"][1]) == is_wrong


@pytest.mark.parametrize(("rule", "bug"), COMBINATIONS)
def test_the_trial_shown_is_the_one_counted(rule, bug):
    for trial in (0, 7, 31):
        found = asked(rule=rule, bug=bug, trial=trial)
        decision = found["decision"]
        assert decision["names"] == USUAL["names"]
        if not TRAITS[rule].joint:
            is_accepted = decision["marks"][decision["chosen"]].startswith("accepted")
            assert is_accepted == (found["counts"]["ranks"][trial] > 0)
            assert decision["p"] == SHIFTED["p"]


def test_a_race_has_a_row_for_every_token_also_for_one_that_never_arrives():
    p, q = [0.5, 0.5, 0.0, 0.0], [0.5, 0.0, 0.5, 0.0]
    decision = asked(p=p, q=q, names=["a", "b", "c", "d"])["decision"]
    assert decision["p"] == p
    assert decision["q"] == q
    assert len(decision["clock"]) == len(decision["ranks"]) == 4
    assert all(clock > 0 for clock in decision["clock"])
    arrivals = sorted((clock / share, token) for token, (clock, share) in enumerate(zip(decision["clock"], q, strict=True)) if share)
    assert [decision["ranks"][token] for _, token in arrivals] == [1, 2]


@pytest.mark.parametrize(("rule", "bug"), [(rule, bug) for rule, bug in COMBINATIONS if bug])
@pytest.mark.parametrize("k", [1, 3])
def test_a_bug_is_said_to_do_what_the_counts_show(rule, bug, k):
    """The right rule's acceptance comes from as many trials of its own, so that no formula is trusted."""
    found, usual = asked(rule=rule, bug=bug, k=k), asked(rule=rule, k=k)
    words, accepted = found["words"]["sentence"], found["counts"]["accepted"]
    difference = accepted - usual["counts"]["accepted"]
    error = math.hypot(found["counts"]["error"], usual["counts"]["error"])
    if difference > 4 * error:
        assert "It accepts more: " in words or "Too good to be true: " in words
        assert ("Too good" in words) == (accepted > found["charts"]["limit"] + 4 * found["counts"]["error"])
    elif difference < -4 * error:
        assert "It accepts less: " in words
    else:
        assert words.endswith("Acceptance is the same as without the bug.")
    assert ("cannot change the output" in words) == (rule in lab.BUGS[bug].exact)
    assert (found["charts"]["deviates"] > 0) == (difference > 4 * error)


def test_a_race_is_offered_no_bug_of_coins():
    """Its winner needs no coin and leaves no residual: the one mistake it can have is about what is drafted."""
    assert [name for name, one in KIT["bugs"].items() if "ersd" in one["rules"]] == ["peeking"]
    for bug in lab.BUGS.values():
        assert all(rule.name == name for name, rule in bug.offered.items())
        assert all(type(rule) is not type(lab.rule_of(name)) for name, rule in bug.offered.items()), "a bug changes its rule"


def test_a_measured_share_stands_beside_its_range_by_chance():
    """0.7 ± 1.96 · √(0.7 · 0.3 / 10,000) = 0.7 ± 0.009."""
    found = asked(rule="gsd", k=1, p=[0.5, 0.5], q=[0.8, 0.2], names=["a", "b"])
    assert found["charts"]["theory"] == 0.7
    assert found["charts"]["chance"] == pytest.approx([0.691018, 0.708982], abs=1e-5)
    accepted, none = found["charts"]["shares"]
    assert accepted["chance"] == pytest.approx([0.691018, 0.708982], abs=1e-5)
    assert none["chance"] == pytest.approx([0.291018, 0.308982], abs=1e-5)
    assert found["counts"]["error"] == pytest.approx(math.sqrt(0.21 / 10_000), rel=0.02)
    assert asked(rule="ersd", p=[1.0, 0.0], q=[1.0, 0.0], names=["a", "b"])["charts"]["chance"] == [1.0, 1.0]


@pytest.mark.parametrize("trials", [1, 100])
def test_few_trials_prove_nothing(trials):
    for rule, bug in COMBINATIONS:
        words = asked(rule=rule, bug=bug, k=1, trials=trials)["words"]["sentence"]
        assert "Too good" not in words
        assert "accepts" not in words


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"k": 6, "q": [1.0, 0.0]}, "One token is drafted"),
        ({"k": 6, "rule": "gsd"}, "Six tokens are drafted"),
        ({"rule": "greedy", "k": 6}, "The two tokens with the largest q"),
        ({"rule": "autoregressive"}, "Nothing is drafted"),
    ],
)
def test_no_more_tokens_are_said_to_be_drafted_than_there_are(changes, words):
    found = asked(**{"p": [0.4, 0.6], "q": [0.5, 0.5], "names": ["a", "b"], **changes})
    assert words in found["words"]["sentence"]


@pytest.mark.parametrize(
    ("p", "q", "words"),
    [
        ([0.5, 0.5], [0.5, 0.5], "Draft and target agree on every token."),
        ([0.5, 0.5], [0.51, 0.49], "Draft and target nearly agree on every token."),
        ([0.5, 0.5], [0.8, 0.2], "The draft leans to “a”, the target to “b”."),
        ([0.2] * 5, [0.24, 0.19, 0.19, 0.19, 0.19], "The draft leans to “a”."),
    ],
)
def test_leanings_are_those_of_the_probabilities(p, q, words):
    assert asked(p=p, q=q, names=list("abcde")[: len(p)])["words"]["leanings"] == words


def test_acceptance_looks_right_where_only_the_residual_is_wrong():
    found = asked(rule="gsd", bug="no_residual", k=1)
    assert found["charts"]["theory"] == pytest.approx(found["counts"]["accepted"], abs=0.02)
    assert found["counts"]["tv"] > 0.1


def test_more_accepted_than_possible_is_called_too_good_to_be_true():
    found = asked(rule="block", bug="coin_product", k=4)
    assert found["counts"]["accepted"] > found["charts"]["limit"]
    assert "Too good to be true" in found["words"]["sentence"]


def test_curves_have_the_rule_and_the_limit_that_applies_to_it():
    for rule in ("ersd", "gsd", "gsd_wor", "kseq", "block"):
        curves = {curve["name"]: curve["values"] for curve in asked(rule=rule)["charts"]["curves"]}
        assert len(curves[rule]) == MAX_GUESSES
        assert all(own <= most + 0.02 for own, most in zip(curves[rule], curves["limit"], strict=True))
    assert asked(rule="lossy")["charts"]["curves"] == []


def test_the_lenient_rule_has_its_leniency():
    found = asked(rule="lossy")
    tv = sum(abs(a - b) for a, b in zip(SHIFTED["p"], SHIFTED["q"], strict=True)) / 2
    assert found["counts"]["tv"] == pytest.approx(LENIENCY * tv, abs=0.02)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"p": [0.5, 0.9], "q": [0.5, 0.5], "names": ["a", "b"]}, "p must sum to 1, got a sum of 1.4"),
        ({"p": [0.0] * 10, "q": [0.1] * 10, "names": list("abcdefghij")}, "p must sum to 1, got a sum of 0"),
        ({"p": [float("nan"), 1.0], "q": [0.5, 0.5], "names": ["a", "b"]}, "p must have numbers from 0 to 1, got nan"),
        ({"p": [1.0], "q": [1.0], "names": ["a"]}, "p must be a list of 2 to 10 probabilities"),
        ({"p": "x"}, "p must be a list of 2 to 10 probabilities"),
        ({"q": [0.5, 0.5]}, "p and q must have as many tokens, got 8 and 2"),
        ({"rule": "magic"}, "rule must be one of ersd, gsd"),
        ({"rule": ["ersd"]}, "rule must be one of ersd, gsd"),
        ({"bug": "coin_product"}, "bug of ersd must be peeking, got 'coin_product'"),
        ({"bug": 3}, "bug of ersd must be"),
        ({"bug": "noise_twice"}, "bug of ersd must be peeking, got 'noise_twice'"),
        ({"k": 7}, "k must be a whole number from 1 to 6, got 7"),
        ({"k": True}, "k must be a whole number from 1 to 6, got True"),
        ({"trials": 5}, "trials must be one of 1, 100, 10000, got 5"),
        ({"seed": -1}, "seed must be a whole number from 0 to"),
        ({"trial": 10_000}, "trial must be a whole number from 0 to 9999"),
        ({"names": ["x"]}, "names must be a list of 8 texts"),
    ],
)
def test_a_bad_request_is_refused_by_name(changes, message):
    with pytest.raises(ValueError, match=message):
        asked(**changes)


@pytest.mark.parametrize("request_", [None, [], "p", 3])
def test_a_request_that_is_no_object_is_refused(request_):
    with pytest.raises(ValueError, match="must be a JSON object"):
        answer(request_)
