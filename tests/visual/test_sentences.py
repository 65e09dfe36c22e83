from __future__ import annotations

from dataclasses import replace

import pytest

from visual.sentences import decision, missing_side, not_visited, vertex_sentences

from .fakes import bare_step, coin_step, greedy_step, race_step


def test_accepted_in_a_race():
    step = race_step()
    assert decision(step, step.walk[0]) == (
        "Accepted: ␣loved arrived first in the target's race (0.12) and was the draft's 2nd arrival (0.30), so it was in the tree."
    )


def test_not_drafted_in_a_race():
    step = race_step()
    assert decision(step, step.walk[1]) == (
        "Not drafted: the target's winner ␣swim (0.45) would have been the draft's 9th arrival (9.0), beyond the one child drafted here."
    )


def test_winner_that_the_draft_never_reaches():
    step = race_step()
    visit = replace(step.walk[1], rank=None)
    assert "never arrives in the draft's race" in decision(step, visit)


def test_one_coin():
    step = coin_step()
    assert vertex_sentences(step) == ["Rejected: coin 0.83 against p/q = 0.41 / 0.66 = 0.62."]
    assert vertex_sentences(coin_step(accepted=True)) == ["Accepted: coin 0.20 against p/q = 0.41 / 0.66 = 0.62."]


def test_a_later_coin_is_not_said_to_be_thrown_against_p_over_q():
    assert "what earlier tries left of p" in vertex_sentences(coin_step(tries=2))[1]


def test_all_tries_rejected():
    step = coin_step(tries=3)
    assert decision(step, step.walk[0]) == "All 3 tries rejected: the next token ␣y is drawn from what is left of P."


def test_greedy():
    step = greedy_step()
    assert decision(step, step.walk[0]).startswith("Not drafted: ␣end is the target's most likely token (p = 0.70).")


@pytest.mark.parametrize("clock", [0.06, None])
def test_without_a_draft(clock):
    step = bare_step(clock)
    assert "one target call gives one token" in decision(step, step.walk[0])
    assert missing_side(step, step.walk[0]) == "There is no draft: only the target's side is run."


def test_every_vertex_has_a_reason():
    accepted = vertex_sentences(race_step())
    assert accepted[0].startswith("Rejected: it arrived at 1.2 in the target's race, after the winner ␣loved (0.12)")
    assert accepted[1].startswith("Accepted: ␣loved")
    assert accepted[3] == "Not visited: ␣liked above it was not accepted."


def test_an_unvisited_vertex_is_said_to_be_one():
    step = race_step()
    assert "did not go on from ␣liked" in not_visited(step, 0)
    assert "There is nothing to show" in not_visited(step, 3)
