"""Deliberately broken rules: the tests of the output's law must catch each of them."""

import pytest
import torch

from ersd import lab, theory
from ersd.randomness import Noise
from ersd.rules import RULES

from .laws import follows, law, occurs, random_pairs

P, Q = law(0.7, 0.2, 0.1), law(0.2, 0.3, 0.5)
TRIALS = 200_000


def all_follow(algorithm, k=3):
    """Does the rule's output follow the target for several random pairs?"""
    return all(follows(tokens_of(algorithm, p, q, k), p) for p, q in random_pairs(6, 5))


def tokens_of(algorithm, p=P, q=Q, k=2):
    return lab.trials(algorithm, p, q, k, TRIALS, seed=7)[0]


@pytest.mark.parametrize("algorithm", ["gsd", "gsd_wor", "kseq"])
def test_an_inclusive_coin_is_caught(algorithm, monkeypatch):
    """`coin <= ratio` accepts a token of probability 0 when the coin is 0: the law test must see it."""
    p, q = law(1.0, 0.0), law(0.5, 0.5)
    monkeypatch.setattr(Noise, "coins", lambda self, count: torch.zeros(1, count, dtype=torch.float64))
    assert follows(tokens_of(algorithm, p, q, 1), p)
    monkeypatch.setattr(torch.Tensor, "__lt__", torch.Tensor.__le__)
    assert not follows(tokens_of(algorithm, p, q, 1), p)


@pytest.mark.parametrize("algorithm", ["gsd", "gsd_wor"])
def test_a_residual_that_is_not_renormalised_is_caught(algorithm, monkeypatch):
    for module in ("gsd", "gsd_wor"):
        monkeypatch.setattr(f"ersd.rules.{module}.residual", lambda p, q: (p - q).clamp_min(0) + 1e-12)
    assert not all_follow(algorithm)


@pytest.mark.parametrize(("algorithm", "module"), [("gsd", "gsd"), ("gsd_wor", "gsd_wor"), ("kseq", "kseq"), ("block", "block")])
def test_a_forgotten_residual_is_caught(algorithm, module, monkeypatch):
    """After a rejection the next token must come from what is left of P, not from P itself."""
    monkeypatch.setattr(f"ersd.rules.{module}.residual", lambda p, q: p)
    assert not follows(tokens_of(algorithm), P)


def test_trying_without_replacement_against_the_whole_draft_is_caught(monkeypatch):
    """Children drawn without replacement must be judged against the law they were drawn from."""
    monkeypatch.setattr(type(RULES["gsd_wor"]), "contests", type(RULES["gsd"]).contests)
    assert not all_follow("gsd_wor")


def test_a_wrong_scale_of_kseq_is_caught(monkeypatch):
    monkeypatch.setattr("ersd.rules.kseq.rho_star", lambda p, q, k: theory.rho_star(p, q, k) * 0.9)
    assert not follows(tokens_of("kseq"), P)


def test_a_block_cut_at_its_first_failing_coin_is_caught(monkeypatch):
    """What `standard` does with its coins is wrong for a block: the last coin that passes decides, not the first that fails."""
    block = type(RULES["block"])
    real = block.verify_sequence

    def stops(self, p, q, children, noise):
        verdict = real(self, p, q, children, noise)
        passed = (verdict.coins < verdict.keep).long().cumprod(-1).sum(-1)
        scale = torch.cat([torch.ones(len(passed), 1), verdict.joint], dim=1).double().gather(1, passed[:, None]).squeeze(1)
        own = self._own(p, q, passed, scale, noise)
        return type(verdict)(passed, own, verdict.tokens, verdict.ratios, verdict.joint, verdict.keep, verdict.coins)

    monkeypatch.setattr(block, "verify_sequence", stops)
    assert not all_follow("block")


def test_a_race_with_other_clocks_for_the_target_still_follows_it_but_accepts_less():
    rule, trials = RULES["ersd"], torch.arange(TRIALS)
    many = Q.expand(TRIALS, -1)
    children = rule.draft(many, 1, Noise(4, trials), torch.zeros(1, dtype=torch.int64))
    verdict = rule.verify(P.expand(TRIALS, -1), many, children, Noise(5, trials))
    assert follows(verdict.tokens, P)
    assert not occurs(verdict.accepted >= 0, theory.race_match(P, Q))
