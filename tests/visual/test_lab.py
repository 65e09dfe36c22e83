"""The lab's presets, its message and its words, and the requests that it refuses."""

import json

import pytest

from ersd import lab
from ersd.rules.registry import TRAITS
from visual.payload.lab.presets import LEAST_TOKENS, MOST_TOKENS, PRESETS, USUAL_TOKENS, of_size, probabilities
from visual.server.lab import KIT, LENIENCY, MOST_GUESSES, answer

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


def asked(**changes):
    return json.loads(answer({**USUAL, **changes}))


@pytest.mark.parametrize("count", range(LEAST_TOKENS, MOST_TOKENS + 1))
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
    found = asked(rule=rule, bug=bug)
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
        assert found["trial"]["token"] == found["counts"]["tokens"][trial]
        assert found["trial"]["accepted"] == (found["counts"]["ranks"][trial] > 0)
        decision = found["decision"]
        assert decision["names"] == USUAL["names"]
        if not TRAITS[rule].joint:
            assert decision["chosen"] == found["trial"]["token"]
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
        assert len(curves[rule]) == MOST_GUESSES
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
        ({"bug": "coin_product"}, "bug of ersd must be noise_twice or at_most or peeking, got 'coin_product'"),
        ({"bug": 3}, "bug of ersd must be"),
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
