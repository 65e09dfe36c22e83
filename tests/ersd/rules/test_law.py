"""Races on logits: the same children and the same next token as by the arrival times E / p, whatever is cut and however small a p is."""

import math
from dataclasses import replace

import pytest
import torch

import ersd
from ersd.randomness import Noise, clocks
from ersd.rules.base import rank_of, rank_or_reach
from ersd.rules.builtin import RULES, Law
from ersd.sampling import log_weights, probabilities

PLAIN = ersd.Settings()
SAMPLING = [
    PLAIN,
    *(replace(PLAIN, temperature=temperature) for temperature in (0.0, 0.05, 0.6, 2.0)),
    replace(PLAIN, top_k=3),
    replace(PLAIN, top_p=0.7),
    replace(PLAIN, temperature=1.4, top_k=6, top_p=0.9),
]
VERTICES = 40


def named(settings):
    return f"{settings.temperature}-{settings.top_k}-{settings.top_p}"


def some_logits(dtype=torch.float32):
    """Of 12 tokens, where some cannot come, and some are so unlikely that no float64 says how."""
    logits = 3 * torch.randn(VERTICES, 12, generator=torch.Generator().manual_seed(6), dtype=dtype)
    logits[:, 4], logits[:, 9] = -math.inf, -2000.0
    logits[::2, 1] = -math.inf
    return logits


def arrival_times(p, position, seed=5):
    return clocks(seed, position, p.shape[-1]) / p


@pytest.mark.parametrize("settings", SAMPLING, ids=named)
def test_log_weights_are_the_logarithms_of_the_probabilities(settings):
    sampling = settings.temperature, settings.top_k, settings.top_p
    weights, probs = log_weights(some_logits(), *sampling), probabilities(some_logits(), *sampling)
    assert torch.allclose(weights.double().softmax(-1), probs, rtol=1e-12)
    assert (probs[weights == -math.inf] == 0).all()


@pytest.mark.parametrize("settings", SAMPLING, ids=named)
@pytest.mark.parametrize("k", [1, 2, 5, 12, 20])
def test_the_children_are_the_first_arrivals_and_none_that_never_arrives(settings, k):
    rule, law = RULES["ersd"], Law(RULES["ersd"], settings, some_logits())
    for position in (3, 17):
        children = rule.draft_from(law, k, Noise(5, position), [0] * VERTICES)
        times = arrival_times(law.probabilities, position)
        order = times.argsort(-1)[:, : min(k, 12)]
        assert torch.equal(children, order.masked_fill(times.gather(-1, order) == math.inf, -1))
        assert torch.equal(children, rule.draft(law.probabilities, k, Noise(5, position), [0] * VERTICES))


@pytest.mark.parametrize("settings", SAMPLING, ids=named)
@pytest.mark.parametrize("algorithm", ["ersd", "autoregressive"])
def test_the_next_token_is_the_targets_first_arrival(algorithm, settings):
    law = Law(RULES[algorithm], settings, some_logits())
    winners = RULES[algorithm].first(law.logs, Noise(5, 8))
    assert torch.equal(winners, arrival_times(law.probabilities, 8).argmin(-1))
    alone = [RULES[algorithm].first(Law(RULES[algorithm], settings, row[None]).logs, Noise(5, 8)).item() for row in some_logits()]
    assert winners.tolist() == alone


@pytest.mark.parametrize("settings", SAMPLING, ids=named)
def test_the_place_of_a_token_is_told_by_its_time_of_arrival(settings):
    law = Law(RULES["ersd"], settings, some_logits())
    leads, times = RULES["ersd"].leads(law.probabilities.log(), Noise(5, 8)), arrival_times(law.probabilities, 8)
    for lead, time in zip(leads, times, strict=True):
        arriving = [when for when in time.tolist() if when < math.inf]
        for token, when in enumerate(time.tolist()):
            place = sorted(arriving).index(when) + 1 if when < math.inf else None
            assert rank_of(lead, token) == place
            assert rank_or_reach(lead, token) == (place or -len(arriving))


def test_greedy_children_are_the_likeliest_tokens_that_have_any_chance():
    law = Law(RULES["greedy"], replace(PLAIN, algorithm="greedy", temperature=0.3), some_logits())
    for k in (1, 3, 12):
        children = RULES["greedy"].draft_from(law, k, Noise(5, 8), [0] * VERTICES)
        best = law.logits.topk(k)
        assert torch.equal(children, best.indices.masked_fill(best.values < -1000, -1))


@pytest.mark.parametrize("algorithm", ["gsd", "gsd_wor", "kseq", "block", "lossy"])
def test_rules_that_throw_coins_draft_by_the_probabilities(algorithm):
    law = Law(RULES[algorithm], replace(PLAIN, temperature=0.6, top_k=5), some_logits(torch.float64))
    slots = list(range(VERTICES))
    assert torch.equal(
        RULES[algorithm].draft_from(law, 2, Noise(5, 8), slots), RULES[algorithm].draft(law.probabilities, 2, Noise(5, 8), slots)
    )


def test_gumbels_are_minus_the_logarithm_of_the_clocks():
    like = torch.zeros(1, 30)
    for position in (0, 15, 16, 2**33):
        assert torch.equal(Noise(9, position).gumbels(like)[0], -clocks(9, position, 30).log())
    many = torch.tensor([4, 400])
    assert torch.equal(Noise(9, many).gumbels(like), -clocks(9, many, 30).log())
