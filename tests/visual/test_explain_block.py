"""Sentences of block verification: the last coin below its keep probability decides."""

from __future__ import annotations

import pytest

from visual.payload.sentences.block import joint, kept
from visual.payload.sentences.explain import reasons, sentence

from .fakes import block_step


@pytest.mark.parametrize(
    ("coins", "count"), [((0.9, 0.3, 0.8), 2), ((0.1, 0.9, 0.9), 1), ((0.9, 0.9, 0.1), 3), ((0.9, 0.9, 0.9), 0), ((0.1, 0.1, 0.5), 2)]
)
def test_the_last_coin_below_its_keep_probability_decides(coins, count):
    assert kept(block_step(coins)) == count


def test_kept_by_a_later_coin():
    step = block_step()
    words = "Kept: the coin at the 2nd token, 0.30, is below its keep probability, 0.50, so the first 2 tokens stay."
    assert sentence(step, step.walk[0]) == f"{words} Its own coin, 0.90, is not below its keep probability, 0.50."
    assert joint(step, 1) == words
    assert joint(block_step((0.2, 0.3, 0.8)), 0) == f"{words} Its own coin, 0.20, is below its keep probability, 0.50."


def test_cut():
    step = block_step()
    assert sentence(step, step.walk[2]) == (
        "Cut: the last token whose coin is below its keep probability is the 2nd (the coin of “␣c” is 0.80, its keep 0.50), "
        "so only the first 2 tokens stay. The next token “␣own” is drawn from what is left of P."
    )
    assert joint(block_step((0.1, 0.9, 0.9)), 1) == (
        "Cut: the last token whose coin is below its keep probability is the 1st (the coin of “␣b” is 0.90, its keep 0.50), "
        "so only the first token stays."
    )


def test_cut_at_once():
    assert joint(block_step((0.9, 0.9, 0.9)), 0) == (
        "Cut: at none of the 3 tokens is the coin below its keep probability (the coin of “␣a” is 0.90, its keep 0.50), "
        "so nothing of the sequence stays."
    )
    assert joint(block_step((0.9,)), 0) == "Cut: its coin, 0.90, is not below its keep probability, 0.50, so nothing of the sequence stays."


def test_kept_whole():
    whole = block_step((0.9, 0.9, 0.1))
    assert joint(whole, 2) == "Kept: the coin at the 3rd token, 0.10, is below its keep probability, 0.50, so the first 3 tokens stay."
    assert sentence(whole, whole.walk[3]).endswith("it comes free with the same target call.")


def test_only_the_first_token_is_kept():
    assert joint(block_step((0.1, 0.9, 0.9)), 0) == (
        "Kept: the coin at the 1st token, 0.10, is below its keep probability, 0.50, so the first token stays."
    )


def test_every_drafted_token_has_its_reason_visited_or_not():
    step = block_step((0.9, 0.9, 0.9))
    assert len(step.walk) == 1
    assert reasons(step) == {vertex: joint(step, vertex) for vertex in range(3)}
