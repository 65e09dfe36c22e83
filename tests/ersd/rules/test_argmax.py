"""Races by Gumbel-max scores: the same children and the same next token as by the arrival times E / p, however small a p is."""

import math
from dataclasses import replace

import pytest
import torch

import ersd
from ersd.randomness import Noise, clocks
from ersd.rules.base import rank_of, rank_or_reach
from ersd.rules.builtin import RULES

PLAIN = ersd.Settings()
SAMPLING = [
    PLAIN,
    *(replace(PLAIN, temperature=temperature) for temperature in (0.0, 0.05, 2.0)),
    replace(PLAIN, top_k=3),
    replace(PLAIN, temperature=1.4, top_k=6, top_p=0.9),
]
NODES, POSITION, SEED = 40, 8, 5


def some_logits():
    """Of 12 tokens, where some cannot come, and one is so unlikely that no float64 holds its probability."""
    logits = 3 * torch.randn(NODES, 12, generator=torch.Generator().manual_seed(6))
    logits[:, 4], logits[:, 9] = -math.inf, -2000.0
    logits[::2, 1] = -math.inf
    return logits


@pytest.fixture(params=SAMPLING, ids=lambda settings: f"{settings.temperature}-{settings.top_k}-{settings.top_p}")
def p(request):
    return RULES["ersd"].distributions(some_logits(), request.param)


def arrival_times(p):
    return clocks(SEED, POSITION, p.shape[-1]) / p


@pytest.mark.parametrize("k", [1, 5, 20])
def test_children_are_the_first_arrivals_and_none_that_never_arrives(p, k):
    children, times = RULES["ersd"].draft(p, k, Noise(SEED, POSITION), [0] * NODES), arrival_times(p)
    order = times.argsort(-1)[:, : min(k, 12)]
    assert torch.equal(children, order.masked_fill(times.gather(-1, order) == math.inf, -1))


@pytest.mark.parametrize("algorithm", ["ersd", "autoregressive"])
def test_the_next_token_is_the_targets_first_arrival(p, algorithm):
    decision = RULES[algorithm].verify(p, None, torch.empty(NODES, 0, dtype=torch.int64), Noise(SEED, POSITION))
    assert torch.equal(decision.tokens, arrival_times(p).argmin(-1))
    assert (decision.accepted == -1).all()


def test_ranks_follow_the_arrival_times(p):
    for scores, times in zip(RULES["ersd"].scores(p, Noise(SEED, POSITION)), arrival_times(p).tolist(), strict=True):
        arriving = sorted(time for time in times if time < math.inf)
        for token, time in enumerate(times):
            rank = arriving.index(time) + 1 if time < math.inf else None
            assert rank_of(scores, token) == rank
            assert rank_or_reach(scores, token) == (rank or -len(arriving))


def test_greedy_children_are_the_most_likely_tokens_that_are_possible():
    p = RULES["greedy"].distributions(some_logits(), replace(PLAIN, algorithm="greedy", temperature=0.3))
    for k in (1, 3, 12):
        best = some_logits().topk(k)
        assert torch.equal(RULES["greedy"].draft(p, k, Noise(5, 8), [0] * NODES), best.indices.masked_fill(best.values < -1000, -1))


def test_clocks_and_gumbel_noise_of_one_or_many_positions():
    like = torch.zeros(1, 30)
    for position in (0, 16, 2**33):
        assert torch.equal(Noise(9, position).gumbels(like)[0], -clocks(9, position, 30).log())
    many = torch.tensor([4, 400])
    assert torch.equal(Noise(9, many).gumbels(like), -clocks(9, many, 30).log())
