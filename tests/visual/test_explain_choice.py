"""Sentences of races and of the likeliest token, each against its numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from visual.payload.sentences.explain import reasons, sentence

from .fakes import bare_step, greedy_step, leaf_step, race_step


def test_accepted_in_a_race():
    step = race_step()
    assert sentence(step, step.walk[0]) == (
        "Accepted: “␣loved” arrived first in the target's race (0.12) and was the draft's 2nd arrival (0.30), so it was in the tree."
    )


def test_not_drafted_in_a_race():
    step = race_step()
    assert sentence(step, step.walk[1]) == (
        "Not drafted: the target's winner “␣swim” (0.45) would have been the draft's 9th arrival (9.0), beyond the one child drafted here."
    )


def test_the_number_of_children_is_that_of_the_race():
    step = race_step()
    visit = replace(step.walk[1], tries=step.walk[1].tries * 3)
    assert sentence(step, visit).endswith("beyond the 3 children drafted here.")


def test_a_winner_that_the_draft_never_reaches():
    step = race_step()
    assert sentence(step, replace(step.walk[1], rank=None)) == (
        "Not drafted: the target's winner “␣swim” (0.45) never arrives in the draft's race, where its probability is 0."
    )


def test_the_losers_of_a_race_are_told_when_they_arrived():
    assert reasons(race_step()) == {
        0: "Rejected: it arrived at 1.2 in the target's race, after the winner “␣loved” (0.12).",
        2: "Rejected: it arrived at 1.2 in the target's race, after the winner “␣swim” (0.45).",
    }


def test_a_loser_that_never_arrives():
    step = race_step()
    lost = replace(step.walk[1].tries[0], target_time=None)
    walk = [step.walk[0], replace(step.walk[1], tries=[lost])]
    assert reasons(replace(step, walk=walk))[2] == "Rejected: it never arrives in the target's race, where its probability is 0."


def test_two_arrivals_that_look_alike_get_the_digits_to_tell_them_apart():
    step = race_step()
    lost = replace(step.walk[1].tries[0], target_time=0.4501)
    words = reasons(replace(step, walk=[step.walk[0], replace(step.walk[1], tries=[lost])]))[2]
    assert words == "Rejected: it arrived at 0.4501 in the target's race, after the winner “␣swim” (0.4500)."


def test_the_likeliest_token_was_drafted():
    step = greedy_step(accepted=True)
    assert sentence(step, step.walk[0]) == "Accepted: “␣end”, the draft's 2nd choice, is the target's most likely token (p = 0.70)."
    assert reasons(step) == {0: "Rejected: the target's most likely token is “␣end” (p = 0.70), not this one (p = 0.20)."}


def test_the_likeliest_token_was_not_drafted():
    step = greedy_step()
    assert sentence(step, step.walk[0]) == (
        "Not drafted: “␣end” is the target's most likely token (p = 0.70). It would have been the draft's 4th choice."
    )


OWN = {
    "race": "“␣b” arrived first in the target's race (0.20).",
    "coins": "The next token “␣b” (p = 0.50) is the target's own.",
    "block": "The next token “␣b” (p = 0.50) is the target's own.",
    "likelihood": "The next token “␣b” (p = 0.50) is the target's own.",
    "own draw": "The next token “␣b” (p = 0.50) is the target's own.",
}


@pytest.mark.parametrize("kind", OWN)
def test_a_leaf_gives_a_token_for_nothing(kind):
    step = leaf_step(kind)
    assert sentence(step, step.walk[1]) == f"{OWN[kind]} The tree ended here, so it comes free with the same target call."


@pytest.mark.parametrize("kind", ["race", "own draw"])
def test_without_a_draft_nothing_is_free(kind):
    step = bare_step(kind)
    race, other = "“␣loved” arrived first in the target's race (0.12).", "The next token “␣loved” (p = 0.50) is the target's own."
    first = race if kind == "race" else other
    assert sentence(step, step.walk[0]) == f"{first} Nothing was drafted: one target call gives one token."
    assert reasons(step) == {}
