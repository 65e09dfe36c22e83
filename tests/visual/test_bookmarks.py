"""The values of the bookmarks, from the record of a step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from visual.payload.bookmarks import BOOKMARKS, bookmarks

from .fakes import bare_step, block_step, coin_step, greedy_step, large_step, leaf_step, race_step, residual_step

MARGINS = replace(race_step(), walk=[replace(visit, margin=margin) for visit, margin in zip(race_step().walk, (0.4, 0.03), strict=True)])


@pytest.mark.parametrize(
    ("step", "all_accepted", "root", "rescued", "path"),
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
def test_the_values_of_a_step(step, all_accepted, root, rescued, path):
    found = bookmarks(step)
    assert list(found) == [bookmark["id"] for bookmark in BOOKMARKS]
    assert (found["all"], found["root"], found["rescued"], found["path"]) == (all_accepted, root, rescued, path)


@pytest.mark.parametrize(
    ("step", "margin"),
    [
        (MARGINS, 0.03),
        (coin_step(), 0.83 - 0.41 / 0.66),
        (block_step((0.9, 0.45, 0.8)), 0.05),
        (leaf_step("own draw"), None),
    ],
)
def test_the_margin_of_the_closest_decision(step, margin):
    found = bookmarks(step)["gap"]
    assert found == (margin if margin is None else pytest.approx(margin, rel=1e-4))
