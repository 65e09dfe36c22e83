"""The table of kinds: complete for the rules there are, and all that the browser needs."""

from __future__ import annotations

import json

import pytest

from ersd.rules.registry import TRAITS
from visual.payload import decision_chart as butterfly
from visual.payload.messages import RunMessages, kit
from visual.payload.sentences.kinds import KINDS, NEUTRAL, key_of

from .fakes import BY_KIND, SETTINGS, block_step, greedy_step, leaf_step, race_step, residual_step

STEPS = {"race": race_step(), "coins": residual_step(), "block": block_step(), "likelihood": greedy_step()}


def test_every_rule_there_is_has_words_of_its_own():
    assert {traits.kind for traits in TRAITS.values()} == set(KINDS) - {NEUTRAL} == set(STEPS)


def test_a_kind_that_is_not_listed_is_neutral():
    assert key_of("own draw") == NEUTRAL
    assert key_of("race") == "race"


@pytest.mark.parametrize("kind", STEPS)
def test_the_run_and_every_decision_say_their_kind(kind):
    narrator = RunMessages("Once", BY_KIND[kind], "a pair")
    assert json.loads(narrator.begin())["kind"] == kind
    told = json.loads(narrator.step(STEPS[kind]))
    assert {decision["kind"] for decision in told["decisions"].values()} == {kind}


@pytest.mark.parametrize("kind", [*STEPS, "own draw"])
def test_a_leaf_is_of_the_same_kind(kind):
    decisions = json.loads(RunMessages("Once", SETTINGS, "a pair").step(leaf_step(kind)))["decisions"]
    assert [(decision["kind"], decision["leaf"]) for decision in decisions.values()] == [(key_of(kind), False), (key_of(kind), True)]
    assert decisions["0"]["q"] is None


@pytest.mark.parametrize("kind", STEPS)
def test_a_panel_brings_what_its_kind_draws(kind):
    known = kit()["kinds"][kind]
    told = json.loads(RunMessages("Once", BY_KIND[kind], "a pair").step(STEPS[kind]))
    for decision in told["decisions"].values():
        assert ("clock" in decision) == (known["axis"] == "time") != ("scale" in decision)
        assert ("tries" in decision) == (known["list"] == "tries")
        cut = known["list"] == "sequence" and "accepted" not in decision["marks"]
        assert ("left" in decision) == ("tries" in decision or cut)
    assert ("block" in told) == (known["list"] == "sequence")


def test_what_the_kinds_are():
    known = kit()["kinds"]
    assert {name: kind["axis"] for name, kind in known.items() if kind["axis"] == "time"} == {"race": "time"}
    assert {name: kind["list"] for name, kind in known.items() if kind["list"]} == {"coins": "tries", "block": "sequence"}
    assert [name for name, kind in known.items() if kind["drawn"]] == ["coins"]


def test_at_a_leaf_the_legend_is_of_what_is_seen_there():
    known = kit()["kinds"]
    own = [{"colour": "target", "words": "★ the target’s own token"}]
    assert [name for name, kind in known.items() if kind["leaf_legend"] != own] == ["race"]
    assert known["race"]["leaf_legend"] == known["race"]["legend"]  # of one height, so that nothing moves


def test_every_mark_of_a_panel_and_every_key_of_a_legend_has_its_colour():
    colours = {"accepted", "rejected", "target", "leader", "drafted", "bar"}
    for kind in kit()["kinds"].values():
        assert {key["colour"] for key in [*kind["legend"], *kind["leaf_legend"]]} <= colours
    for kind in KINDS.values():
        assert kind.tried in butterfly.MARKS


def test_a_star_is_the_targets_own_token_and_nothing_else():
    keys = [key for kind in KINDS.values() for key in (*kind.legend, *kind.leaf_legend)]
    assert {colour for colour, words in keys if "★" in words} == {"target"}
    assert {colour for colour, words in keys if "✓" in words} == {"accepted"}
    assert [name for name, mark in butterfly.MARKS.items() if "★" in str(mark["sign"])] == ["target"]


def test_the_tree_has_the_words_of_its_rule():
    fates = {name: kind["fates"] for name, kind in kit()["kinds"].items()}
    assert fates.pop("block") == {"accepted": "kept", "rejected": "cut"}
    assert all(fate == {"accepted": "accepted", "rejected": "rejected"} for fate in fates.values())


def test_what_a_coin_is_compared_with_is_said_for_every_rule_of_coins():
    said = kit()["kinds"]["coins"]["symbols"]
    assert "p/q;" in said["usual"]
    assert "p/(ρ·q)" in said["scaled"]
    assert "leniency" in said["lenient"]
    assert said["at_leaf"].startswith("No coin")
