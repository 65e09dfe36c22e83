from __future__ import annotations

from dataclasses import replace

import pytest

from ersd.trace import Try
from visual.coins import coin, joint, kept
from visual.sentences import decision, reasons

from .fakes import bare_step, block_step, coin_step, greedy_step, one_try, race_step, residual_step


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


def _coins(step) -> list[str]:
    return [coin(one, step.walk[0]) for one in step.walk[0].tries]


def test_one_coin():
    assert _coins(coin_step()) == ["Rejected: coin 0.83 against p/q = 0.41 / 0.66 = 0.62."]
    assert _coins(coin_step(accepted=True)) == ["Accepted: coin 0.20 against p/q = 0.41 / 0.66 = 0.62."]


def test_a_later_coin_names_what_was_left():
    first, second, third = _coins(residual_step(rejections=3, accepted=False))
    assert first == "Rejected: coin 0.83 against p/q = 0.41 / 0.66 = 0.62."
    assert second == "Rejected: coin 0.83 against 0.20 / 0.66 = 0.31, where 0.20 is what earlier rejections left of p = 0.41."
    assert "0.14 / 0.66" in third


def test_a_later_coin_of_an_old_trace():
    assert "what earlier tries left of p" in _coins(coin_step(tries=2))[1]


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (0.6, "against 0.60 / 0.66 = 0.91, where 0.60 is what earlier rejections made of p = 0.41."),
        (0.0, "against 0: earlier rejections left nothing of p = 0.41."),
    ],
)
def test_what_was_left_may_have_grown_or_gone(left, words):
    step = one_try(Try(0, False, 0.41, 0.66, ratio=left / 0.66, coin=0.95, left=left, drawn=0.66))
    assert _coins(step)[0].endswith(words)


def test_without_replacement_names_what_the_child_was_drawn_with():
    step = one_try(Try(0, False, 0.41, 0.4, ratio=0.12 / 0.8, coin=0.83, left=0.12, drawn=0.8))
    assert _coins(step) == [
        "Rejected: coin 0.83 against 0.12 / 0.80 = 0.15, where 0.12 is what earlier rejections left of p = 0.41 "
        "and 0.80 is q = 0.40 once earlier children are out of Q."
    ]


def test_kseq_names_rho():
    step = one_try(Try(0, False, 0.41, 0.66, ratio=0.41 / (1.62 * 0.66), coin=0.83, left=0.41, drawn=1.62 * 0.66), rho=1.62)
    assert _coins(step) == ["Rejected: coin 0.83 against p/(ρ·q) = 0.41 / (1.62 · 0.66) = 0.38."]


def test_lossy_says_what_is_lenient_and_that_it_is_biased():
    lenient = Try(0, False, 0.41, 0.66, ratio=0.73, coin=0.7, left=0.41, drawn=0.66)
    step = one_try(lenient, accepted=True, bias=0.06)
    assert decision(step, step.walk[0]) == (
        "␣x: Accepted: coin 0.70 against 0.73, lenient: exact would have been p/q = 0.41 / 0.66 = 0.62. "
        "Biased on purpose: TV 0.06 paid here."
    )
    step = one_try(replace(lenient, ratio=0.41 / 0.66), bias=0.0)
    assert "Biased" not in decision(step, step.walk[0])


def test_block_is_decided_by_the_last_coin_below_its_keep_probability():
    step = block_step()
    assert kept(step) == 2
    assert decision(step, step.walk[0]) == (
        "Kept: the coin at the 2nd token, 0.30, is below its keep probability 0.50, so the first 2 tokens stay. "
        "Its own coin, 0.90, is not below 0.50."
    )
    assert joint(step, 1) == "Kept: the coin at the 2nd token, 0.30, is below its keep probability 0.50, so the first 2 tokens stay."
    assert decision(step, step.walk[2]) == (
        "Cut: the coin at the 3rd and last token, 0.80, is not below its keep probability 0.50, so only the first 2 tokens stay. "
        "The next token ␣own is drawn from what is left of P."
    )


def test_block_cut_at_once_and_kept_whole():
    cut = block_step((0.9, 0.9, 0.9))
    assert joint(cut, 0) == (
        "Cut: no coin at the 1st token (its own: 0.90 against 0.50) or behind it is below its keep probability, "
        "so nothing of the sequence stays."
    )
    whole = block_step((0.9, 0.9, 0.1))
    assert "the first 3 tokens stay" in joint(whole, 0)
    assert decision(whole, whole.walk[3]).endswith("it comes free with the same target call.")


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


def test_what_was_lost_without_a_coin_has_its_reason():
    found = reasons(race_step())
    assert set(found) == {0, 2}
    assert found[0].startswith("Rejected: it arrived at 1.2 in the target's race, after the winner ␣loved (0.12)")
    assert set(reasons(block_step((0.9, 0.9, 0.9)))) == {0, 1, 2}
    assert reasons(coin_step()) == {}
