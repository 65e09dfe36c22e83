"""Every bug shows where it should: the correct rules pass the same comparison."""

import pytest
import torch

from ersd import lab
from ersd.rules.builtin import RULES
from ersd.theory import sequence_limit

from ..statistical import dist, follows, occurs

P, Q = dist(0.0, 0.1, 0.2, 0.3, 0.4), dist(0.3, 0.3, 0.2, 0.1, 0.1)
TRIALS = 20_000
BROKEN = [(name, algorithm) for name, bug in lab.BUGS.items() for algorithm in bug.rules]


SHOWN_BY = {"draft_noise_again": (dist(0.4, 0.3, 0.2, 0.1), dist(0.1, 0.2, 0.3, 0.4), 1)}
"""Where a bug shows, if not with P, Q and three guesses."""


def output_follows(rule, k=3, p=P, q=Q):
    return follows(lab.run(rule, p, q, k, TRIALS, seed=2).tokens, p)


@pytest.mark.parametrize(("bug", "algorithm"), BROKEN)
def test_a_bug_changes_the_output_of_its_rule(bug, algorithm):
    p, q, k = SHOWN_BY.get(bug, (P, Q, 3))
    assert output_follows(lab.rule_of(algorithm), k, p, q)
    assert not output_follows(lab.BUGS[bug].rules[algorithm], k, p, q)


@pytest.mark.parametrize("k", [1, 3])
def test_looking_at_the_guesses_does_not_hurt_a_race(k):
    assert output_follows(lab.broken.PeekingRace(), k)
    fewer = lab.run(lab.broken.PeekingRace(), P, Q, k, TRIALS, seed=2)
    assert (fewer.ranks > 0).sum() < (lab.run(lab.rule_of("ersd"), P, Q, k, TRIALS, seed=2).ranks > 0).sum()


def test_a_coin_of_few_bits_lets_an_impossible_token_through():
    p, q = dist(0.0, 1.0), dist(0.5, 0.5)
    assert (lab.run(lab.BUGS["at_most"].rules["gsd"], p, q, 1, TRIALS).tokens == 0).any()
    assert not (lab.run(lab.rule_of("gsd"), p, q, 1, TRIALS).tokens == 0).any()


def test_the_product_of_coins_accepts_more_than_any_exact_rule_can():
    p, q, k = dist(0.5, 0.5), dist(0.8, 0.2), 3
    broken = lab.run(lab.BUGS["coin_product"].rules["block"], p, q, k, 200_000, seed=1)
    assert torch.bincount(broken.tokens)[0] / 200_000 == pytest.approx(0.73, abs=5e-3)
    assert broken.lengths.double().mean() == pytest.approx(2.73, abs=0.01)
    assert sequence_limit(p, q, k) == pytest.approx(1.914)
    assert lab.run(lab.rule_of("block"), p, q, k, 200_000, seed=1).lengths.double().mean() < 1.914


def test_where_only_one_token_is_drafted_the_mistakes_about_blocks_do_not_show():
    for bug in ("first_failure", "coin_product"):
        assert output_follows(lab.BUGS[bug].rules["block"], k=1)


def test_the_drafts_noise_used_again_shows_in_the_output_and_not_in_the_acceptance():
    p, q = dist(0.4, 0.3, 0.2, 0.1), dist(0.1, 0.2, 0.3, 0.4)
    bug = lab.BUGS["draft_noise_again"]
    for name, rule in bug.rules.items():
        found = lab.run(rule, p, q, 1, 200_000, seed=4)
        assert follows(found.tokens, dist(13 / 30, 4 / 15, 0.2, 0.1)), name
        assert not follows(found.tokens, p)
        assert occurs(found.ranks > 0, 0.6)
    report = lab.check(bug.rules["gsd_wor"], k=2, trials=60_000)
    failed = {one.what for one in report.findings if not one.passed}
    assert "output" in failed
    assert "acceptance" not in failed


def test_no_broken_rule_is_registered():
    broken = {id(rule) for bug in lab.BUGS.values() for rule in bug.rules.values()}
    assert not broken & {id(rule) for rule in RULES.values()}
