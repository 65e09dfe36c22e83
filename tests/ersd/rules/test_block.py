"""Block verification decides about whole sequences, so it is tested on whole sequences, with laws that depend on the prefix.

That the joint law is the target's is tested with that of all other rules, in test_joint_law.py.
"""

import itertools

import pytest
import torch

from ersd import lab
from ersd.randomness import Noise
from ersd.rules.builtin import RULES

from ..laws import law
from ..sequences import blocks, random_tables

TRIALS, VOCAB, K = 200_000, 3, 3


@pytest.fixture(scope="module", params=[1, 2, 3])
def tables(request):
    return random_tables(VOCAB, K + 1, seed=request.param)


def decided(tables):
    return blocks(RULES["block"], tables, K, Noise(1, torch.arange(TRIALS)))[1]


def test_blocks_are_at_least_as_long_as_what_standard_decoding_keeps(tables):
    """The expectation of the standard rule is worked out: the product of the acceptances along the draft."""
    expected = 0.0
    for sequence in itertools.product(range(VOCAB), repeat=K):
        prefix, drawn, kept = 0, 1.0, 1.0
        for place, token in enumerate(sequence):
            mine, theirs = tables.p[place][prefix, token].item(), tables.q[place][prefix, token].item()
            drawn, kept = drawn * theirs, kept * min(1.0, mine / theirs)
            prefix = prefix * VOCAB + token
            # each token of the sequence counts once for all continuations of it
            expected += drawn * kept / VOCAB ** (K - 1 - place)
    kept = decided(tables).kept.double()
    assert kept.mean() - expected > -4 * kept.std() / TRIALS**0.5
    assert kept.mean() > expected


def test_the_predicted_acceptance_is_that_over_the_coins(tables):
    """At every place, among the trials that come to it: the sum of the predicted chances against the number kept."""
    verdict = decided(tables)
    for place in range(K):
        here = verdict.kept >= place
        predicted, kept = verdict.at(place).predicted[here], (verdict.kept > place)[here].double()
        assert ((predicted >= 0) & (predicted <= 1 + 1e-12)).all()
        deviation = (predicted * (1 - predicted)).sum().clamp_min(0).sqrt()
        assert (kept.sum() - predicted.sum()).abs() < 4.5 * deviation + 1e-6


def test_a_block_of_equal_laws_is_kept():
    p = law(0.2, 0.3, 0.5)
    for k in (1, 3, 8):
        assert (lab.trials("block", p, p, k, 2000)[1] == 1).all()
