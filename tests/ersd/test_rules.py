"""At one vertex: children and output follow the laws they claim, in many independent trials of the engine's own rule code."""

import pytest
import torch
from scipy.stats import binomtest, chisquare

from ersd import theory
from ersd.randomness import Noise
from ersd.rules import RULES
from ersd.rules.gsd import residual

TRIALS = 200_000
FALSE_ALARM = 1e-5  # of every chi-square and binomial test here; about 60 of them, fixed seeds
LOSSLESS = ["ersd", "gsd"]


def trial(rule, p, q, k, trials=TRIALS, seed=1):
    """Tokens [trials] and the accepted child's index [trials] at one vertex."""
    noise = Noise(seed, torch.arange(trials))
    many_q = q.expand(trials, -1)
    children = rule.draft(many_q, k, noise, torch.zeros(1, dtype=torch.int64))
    verdict = rule.verify(p.expand(trials, -1), many_q, children, noise)
    return verdict.tokens, verdict.accepted, children


def law_pairs():
    generator = torch.Generator().manual_seed(5)
    for i in range(4):
        logits = 1.5 * torch.randn(2, 7, generator=generator, dtype=torch.float64)
        yield pytest.param(*logits.softmax(-1), id=f"random{i}")
    law = torch.tensor([0.5, 0.3, 0.2, 0.0], dtype=torch.float64)
    yield pytest.param(law, law.flip(0), id="zeros")
    yield pytest.param(law, law, id="equal")
    yield pytest.param(
        torch.tensor([0.5, 0.5, 0, 0], dtype=torch.float64), torch.tensor([0, 0, 0.4, 0.6], dtype=torch.float64), id="disjoint"
    )
    yield pytest.param(torch.tensor([0.0, 1, 0, 0], dtype=torch.float64), law, id="one point")
    yield pytest.param(law, torch.tensor([0.0, 1, 0, 0], dtype=torch.float64), id="one point draft")


def law_is(tokens, p) -> bool:
    counts = torch.bincount(tokens, minlength=len(p))
    if counts[p == 0].any():
        return False
    kept = p > 0
    return kept.sum() == 1 or chisquare(counts[kept].numpy(), (p[kept] * len(tokens)).numpy()).pvalue > FALSE_ALARM


@pytest.mark.parametrize("algorithm", LOSSLESS)
@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize(("p", "q"), law_pairs())
def test_output_follows_the_target(algorithm, k, p, q):
    tokens, accepted, children = trial(RULES[algorithm], p, q, k)
    assert law_is(tokens, p)
    chosen = children.gather(-1, accepted.clamp_min(0).unsqueeze(-1)).squeeze(-1)
    assert torch.equal(tokens[accepted >= 0], chosen[accepted >= 0])


@pytest.mark.parametrize(("algorithm", "k"), [("ersd", 1), ("gsd", 1), ("gsd", 2), ("gsd", 4)])
@pytest.mark.parametrize(("p", "q"), law_pairs())
def test_acceptance_is_the_predicted_one(algorithm, k, p, q):
    rule = RULES[algorithm]
    expected = rule.acceptance(p, q, k)
    accepted = int((trial(rule, p, q, k, seed=2)[1] >= 0).sum())
    assert expected is not None
    assert binomtest(accepted, TRIALS, min(1.0, max(0.0, expected))).pvalue > FALSE_ALARM


@pytest.mark.parametrize(("p", "q"), law_pairs())
def test_race_children_are_drawn_from_the_draft_without_replacement(p, q):
    _, _, children = trial(RULES["ersd"], p, q, 2, seed=3)
    assert law_is(children[:, 0], q)
    support = q > 0
    if support.sum() > 1:
        second = sum(q[i] * q.masked_fill(torch.arange(len(q)) == i, 0) / (1 - q[i]) for i in range(len(q)) if 0 < q[i] < 1)
        assert law_is(children[:, 1], second)
    else:
        assert (children[:, 1] == -1).all()


def test_a_race_accepts_more_with_more_children_and_ranks_are_consistent():
    generator = torch.Generator().manual_seed(8)
    logits, noise = torch.randn(2, 50, generator=generator, dtype=torch.float64)
    p, q = (1.5 * logits).softmax(-1), (1.5 * logits + 0.8 * noise).softmax(-1)
    rates = [(trial(RULES["ersd"], p, q, k, trials=5000)[1] >= 0).float().mean().item() for k in (1, 2, 4, 50)]
    assert rates == sorted(rates)
    assert rates[-1] == 1
    assert rates[2] > theory.gsd_acceptance(p, q, 4)


def test_greedy_takes_the_targets_likeliest_token():
    p, q = torch.tensor([[0.2, 0.5, 0.3]]).double(), torch.tensor([[0.5, 0.1, 0.4]]).double()
    rule = RULES["greedy"]
    children = rule.draft(q, 2, Noise(0, 0), torch.zeros(1, dtype=torch.int64))
    assert children.tolist() == [[0, 2]]
    assert rule.verify(p, q, children, Noise(0, 0)).accepted.item() == -1
    assert rule.verify(p.flip(-1), q, children, Noise(0, 0)).accepted.item() == -1
    assert rule.verify(p.roll(1, -1), q, children, Noise(0, 0)).accepted.item() == 1


def test_residual_of_equal_laws_is_not_zero_over_zero():
    p = torch.tensor([[0.5, 0.5]], dtype=torch.float64)
    assert torch.equal(residual(p, p), p)


def test_rules_do_not_touch_their_inputs():
    p, q = torch.tensor([[0.6, 0.4]]).double(), torch.tensor([[0.1, 0.9]]).double()
    for rule in RULES.values():
        before = p.clone(), q.clone()
        noise = Noise(1, 2)
        children = rule.draft(q, 2, noise, torch.zeros(1, dtype=torch.int64))
        rule.verify(p, q, children, noise)
        assert torch.equal(p, before[0])
        assert torch.equal(q, before[1])


def test_a_rule_with_an_inclusive_coin_is_caught(monkeypatch):
    """`coin <= ratio` accepts a token of probability 0 when the coin is 0: with coins on a coarse grid the law test must see it."""
    p, q = torch.tensor([1.0, 0.0]).double(), torch.tensor([0.5, 0.5]).double()
    rule = RULES["gsd"]
    monkeypatch.setattr(Noise, "coins", lambda self, count: torch.zeros(1, count, dtype=torch.float64))
    assert law_is(trial(rule, p, q, 1, trials=1000)[0], p)
    monkeypatch.setattr(torch.Tensor, "__lt__", torch.Tensor.__le__)
    assert not law_is(trial(rule, p, q, 1, trials=1000)[0], p)


def test_a_rule_that_forgets_the_residual_is_caught(monkeypatch):
    """After a rejection the next token must come from what is left of P, not from P itself."""
    import ersd.rules.gsd as gsd

    p, q = torch.tensor([0.7, 0.2, 0.1]).double(), torch.tensor([0.2, 0.3, 0.5]).double()
    monkeypatch.setattr(gsd, "residual", lambda left, q: left)
    assert not law_is(trial(RULES["gsd"], p, q, 2)[0], p)


def test_a_race_with_other_clocks_for_the_target_still_follows_it_but_accepts_less(monkeypatch):
    p, q = torch.tensor([[0.6, 0.3, 0.1], [0.5, 0.3, 0.2]], dtype=torch.float64)
    rule = RULES["ersd"]
    trials = torch.arange(TRIALS)
    children = rule.draft(q.expand(TRIALS, -1), 1, Noise(4, trials), torch.zeros(1, dtype=torch.int64))
    verdict = rule.verify(p.expand(TRIALS, -1), q.expand(TRIALS, -1), children, Noise(5, trials))
    assert law_is(verdict.tokens, p)
    assert (verdict.accepted >= 0).double().mean() < theory.race_match(p, q) - 0.1
