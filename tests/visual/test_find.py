"""What there is to find of a step, from its record."""

from __future__ import annotations

from dataclasses import replace

import pytest

from visual.payload.bookmarks import FINDS, landmarks

from .fakes import bare_step, block_step, coin_step, greedy_step, large_step, leaf_step, race_step, residual_step


@pytest.mark.parametrize(
    ("step", "everything", "at_the_root", "rescued", "path"),
    [
        (race_step(), False, False, True, 1),  # the 2nd child, then a token that was not drafted
        (leaf_step("race"), True, False, False, 1),
        (leaf_step("coins"), True, False, False, 1),
        (large_step([-1, -1, 0]), False, True, False, 0),
        (coin_step(), False, True, False, 0),
        (residual_step(), True, False, True, 1),
        (greedy_step(accepted=True), True, False, True, 1),
        (block_step((0.9, 0.9, 0.9)), False, True, False, 0),
        (block_step((0.1, 0.1, 0.1)), True, False, False, 3),
        (bare_step(), False, False, False, 0),  # nothing was drafted: neither accepted nor rejected
    ],
)
def test_what_a_step_is(step, everything, at_the_root, rescued, path):
    found = landmarks(step)
    assert (found["all"], found["root"], found["rescued"], found["path"]) == (everything, at_the_root, rescued, path)


def test_how_near_a_decision_was():
    step = race_step()
    margins = [replace(visit, margin=margin) for visit, margin in zip(step.walk, (0.4, 0.03), strict=True)]
    assert landmarks(replace(step, walk=margins))["gap"] == 0.03
    assert landmarks(coin_step())["gap"] == pytest.approx(0.83 - 0.41 / 0.66, rel=1e-4)
    assert landmarks(block_step((0.9, 0.45, 0.8)))["gap"] == pytest.approx(0.05)
    unknown = landmarks(leaf_step("own draw"))
    assert unknown["gap"] is None


def test_every_find_has_words_and_a_field():
    assert [find["id"] for find in FINDS] == list(landmarks(race_step()))
    assert all(find["label"] and find["help"] and find["none"] for find in FINDS)
