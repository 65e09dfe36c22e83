"""Against transformers: its speculative sampling with our coins decides as our standard rule, its warpers give our distributions."""

import inspect

import pytest
import torch
from transformers import LogitsProcessorList, TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper
from transformers.generation.utils import _speculative_sampling

from ersd.randomness import Noise
from ersd.rules.builtin import RULES
from ersd.sampling import probabilities

VOCAB, K, WALKS = 7, 3, 8_000


def test_transformers_speculative_sampling_with_our_coins_accepts_the_same_tokens(monkeypatch):
    """8,000 walks down a chain of three: the same number of accepted tokens each time."""
    generator = torch.Generator().manual_seed(3)
    rule, mismatches = RULES["gsd"], 0
    for walk in range(WALKS):
        logits = 1.5 * torch.randn(2, K + 1, VOCAB, generator=generator, dtype=torch.float64)
        p, q = logits.softmax(-1)
        tokens, coins, accepted, alive = [], [], 0, True
        for i in range(K):
            noise = Noise(1, walk * (K + 1) + i)
            children = rule.draft(q[i : i + 1], 1, noise, [i])
            decision = rule.verify(p[i : i + 1], q[i : i + 1], children, noise)
            tokens.append(children.item())
            coins.append(noise.coins(1).item())
            alive = alive and decision.accepted.item() == 0
            accepted += alive
        monkeypatch.setattr(torch, "rand_like", lambda like, coins=coins: torch.tensor([coins], dtype=torch.float64))
        found = (
            _speculative_sampling(torch.tensor([tokens]), logits[1:, :K], K, logits[:1], is_done_candidate=False)
            if "candidate_logits" in inspect.signature(_speculative_sampling).parameters
            else pytest.skip("another signature")
        )
        mismatches += int(found[1]) != accepted
    assert mismatches == 0


@pytest.mark.parametrize("sampling", [(1.0, 0, 1.0), (0.7, 0, 1.0), (1.0, 5, 1.0), (1.0, 0, 0.8), (1.4, 9, 0.9)], ids=str)
def test_transformers_warpers_give_the_same_distributions(sampling):
    temperature, top_k, top_p = sampling
    logits = 2 * torch.randn(200, 30, generator=torch.Generator().manual_seed(4), dtype=torch.float64)
    warpers = LogitsProcessorList([TemperatureLogitsWarper(temperature)])
    if top_k:
        warpers.append(TopKLogitsWarper(top_k))
    if top_p < 1:
        warpers.append(TopPLogitsWarper(top_p))
    theirs = warpers(torch.zeros(200, 1, dtype=torch.int64), logits).softmax(-1)
    assert (probabilities(logits, temperature, top_k, top_p) - theirs).abs().max() < 1e-12
