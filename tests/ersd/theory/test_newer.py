"""Likeliest children, a wild card, and races in laps: computed elsewhere by exact enumeration, and by brute force here."""

import itertools

import numpy as np
import pytest
import torch

from ersd import lab, theory
from ersd.drafts.laps import first_arrivals
from ersd.randomness import Noise
from ersd.rules.builtin import RULES

from ..statistical import ADVERSARIAL, UNEQUAL, dist, follows, occurs, random_pairs

A = (0.4, 0.3, 0.2, 0.1), (0.1, 0.2, 0.3, 0.4)
B = (0.7, 0.1, 0.1, 0.05, 0.05), (0.5, 0.2, 0.1, 0.1, 0.1)
PAIRS = [*random_pairs(6, 6), *ADVERSARIAL.values(), *UNEQUAL.values()]


@pytest.mark.parametrize(
    ("pair", "k", "spechub", "laps", "children"),
    [
        (A, 2, 0.766667, 0.715816, 1.7), (A, 4, 1, 0.863233, 2.565),
        (B, 2, 1, 0.940079, 1.68), (B, 4, 1, 0.995258, 2.560),
    ],
)  # fmt: skip
def test_acceptance_of_the_fixed_cases(pair, k, spechub, laps, children):
    assert sum(theory.spechub_acceptances(*pair, k)) == pytest.approx(spechub, abs=1e-6)
    assert theory.laps_acceptance(*pair, k) == pytest.approx(laps, abs=1e-6)
    assert theory.laps_children(pair[1], k) == pytest.approx(children, abs=1e-3)


@pytest.mark.parametrize(("pair", "likeliest", "match"), [(A, 0.1, 0.542857), (B, 0.7, 0.783333)])
def test_one_guess_of_half_a_race_and_of_a_whole_one(pair, likeliest, match):
    assert theory.likeliest_acceptance(*pair, 1) == pytest.approx(likeliest)
    assert theory.race_match(*pair) == theory.laps_acceptance(*pair, 1) == pytest.approx(match, abs=1e-6)


def test_one_child_of_spechub_is_accepted_as_often_as_any_rule_can():
    for p, q in PAIRS:
        assert sum(theory.spechub_acceptances(p, q, 1)) == pytest.approx(1 - ((p - q).abs().sum() / 2).item())


def test_spechub_is_the_best_for_its_children():
    """Whatever is done with the wild card, favourites give at most P of theirs, and a wild card x at most min(p, its chance)."""
    for p, q in PAIRS:
        for k in (2, 3):
            order = sorted((token for token in range(len(q)) if q[token] > 0), key=lambda token: -q[token].item())
            first, rest = order[: k - 1], order[k - 1 :]
            chance = q[rest] / q[rest].sum() if rest else q[rest]
            most = p[first].sum() + torch.minimum(p[rest], chance).sum()
            assert sum(theory.spechub_acceptances(p, q, k)) == pytest.approx(most.item())


def test_children_in_laps_by_brute_force():
    """B arrivals are i.i.d. from Q: all sequences of them, for the expected number of different tokens."""
    for _, q in random_pairs(4, 3):
        for count in (1, 2, 3):
            sequences = itertools.product(range(4), repeat=count)
            expected = sum(np.prod([q[token].item() for token in each]) * len(set(each)) for each in sequences)
            assert theory.laps_children(q, count) == pytest.approx(expected)


TRIALS = 12_000


@pytest.mark.parametrize("pair", [A, B, ADVERSARIAL["zeros"], UNEQUAL["each beyond the other"]])
def test_arrivals_are_independent_draws_and_accepted_as_often_as_the_formula_says(pair):
    p, q = (torch.as_tensor(each, dtype=torch.float64) for each in pair)
    clocks = Noise(5, torch.arange(TRIALS)).clocks(q)
    winners = (clocks / p).argmin(-1).tolist()
    drawn = [[lap.token for lap in first_arrivals(q, clocks[trial], 4, Noise(5, trial))] for trial in range(TRIALS)]
    tokens = torch.tensor(drawn)
    for first, second in ((0, 1), (1, 3)):
        assert follows(tokens[:, first] * len(q) + tokens[:, second], torch.outer(q, q).flatten())
    for count in (1, 2, 4):
        accepted = torch.tensor([winner in each[:count] for winner, each in zip(winners, drawn, strict=True)])
        assert occurs(accepted, theory.laps_acceptance(p, q, count)), count


def test_laps_that_repeat_the_first_clock_are_no_independent_draws(monkeypatch):
    """One clock for all laps of a token: its arrivals come at equal distances."""
    monkeypatch.setattr(Noise, "laps", lambda self, tokens, count: clocks[self.position][tokens][:, None].expand(-1, count))
    q = dist(0.4, 0.3, 0.2, 0.1)
    clocks = Noise(5, torch.arange(TRIALS)).clocks(q)
    tokens = torch.tensor([[lap.token for lap in first_arrivals(q, clocks[trial], 2, Noise(5, trial))] for trial in range(TRIALS)])
    assert not follows(tokens[:, 0] * 4 + tokens[:, 1], torch.outer(q, q).flatten())


def test_a_formula_refuses_what_is_no_distribution_by_name():
    for formula in (theory.likeliest_acceptance, theory.spechub_acceptances, theory.laps_acceptance):
        with pytest.raises(ValueError, match="q must sum to 1"):
            formula((1.0, 0.0), (0.5, 0.6), 2)
    with pytest.raises(ValueError, match="arrivals must be a whole number from 1, got 0"):
        theory.laps_acceptance((1.0,), (1.0,), 0)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("algorithm", ["spechub", "half_race"])
def test_where_tokens_are_equal_the_formula_counts_those_that_the_rule_drafts(algorithm, k):
    """Of four equally likely tokens the rule takes some, which the target may like or not."""
    p, q = dist(0.5, 0.3, 0.1, 0.06, 0.04), dist(0.2, 0.2, 0.2, 0.2, 0.2)
    ranks = lab.trials(algorithm, p, q, k, 20_000, seed=3)[1]
    assert occurs(ranks > 0, RULES[algorithm].acceptance(p, q, k))
