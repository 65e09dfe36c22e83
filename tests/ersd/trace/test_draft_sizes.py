"""Tokens with fewer and with more guesses: as the engine itself expects them of its trees."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ersd.drafts.shapes import shape_of
from ersd.settings import Settings
from ersd.trace.draft_sizes import GuessCounter, refusal
from tests.visual.fakes import bare_step, large_step, leaf_step, race_step


@pytest.mark.parametrize("topology", ["sequence", "batch", "tau_star"])
def test_a_size_gives_what_its_tree_is_expected_to_give(topology):
    settings = Settings(topology=topology, draft_tokens=8)
    counter = GuessCounter(settings)
    for step in (race_step(), leaf_step("race"), leaf_step("race"), large_step([-1] * 3)):
        counter.add(step)
    assert counter.visits == 5
    sizes = counter.sizes()
    assert sizes.tokens[0] == 1
    for k in (1, 2, 5, 8):
        shape = shape_of(replace(settings, draft_tokens=k), counter.ranks)
        assert sizes.tokens[k] == pytest.approx(shape.expected)
        depth = [0]
        for parent in shape.parents:
            depth.append(depth[parent + 1] + 1)
        assert sizes.levels[k] == max(depth)


def test_the_share_of_a_first_guess_is_the_counted_one():
    counter = GuessCounter(Settings(topology="sequence", draft_tokens=4))
    for _ in range(300):
        counter.add(leaf_step("race"))  # its only guess is accepted
        counter.add(large_step([-1]))  # rejected
    assert counter.sizes().tokens[:3] == pytest.approx([1, 1.5, 1.75], abs=0.001)


def test_before_anything_was_tried_nothing_is_known():
    counter = GuessCounter(Settings())
    counter.add(bare_step())
    assert counter.sizes() is None


@pytest.mark.parametrize(
    ("algorithm", "topology", "words"),
    [
        ("autoregressive", "tau_star", "no draft"),
        ("block", "sequence", "together"),
        ("kseq", "batch", "together"),
        ("spechub", "tau_star", "together"),
        ("ersd", "dynamic", "guess by guess"),
        ("ersd", "specinfer", "guess by guess"),
        ("gsd_wor", "multi_sequence", "guess by guess"),
        ("gsd", "sequence", ""),
        ("half_race", "tau_star", ""),
        ("lossy", "sequence", ""),
        ("greedy", "tau_star", ""),
        ("ersd", "batch", ""),
    ],
)
def test_where_fewer_guesses_would_keep_others_it_says_so(algorithm, topology, words):
    why = refusal(Settings(algorithm, topology))
    assert words in why
    assert bool(why) == bool(words)
