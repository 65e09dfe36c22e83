"""Against transformers: its speculative sampling, given our numbers, decides as our standard rule; its warpers give our distributions."""

import pytest
import torch
from transformers import LogitsProcessorList, TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper
from transformers.generation.utils import _speculative_sampling

from ersd.randomness import Noise
from ersd.rules.builtin import RULES
from ersd.sampling import probabilities, sample

VOCAB, K, WALKS = 7, 3, 8_000


def test_transformers_speculative_sampling_gives_the_same_tokens(monkeypatch):
    """8,000 walks down a chain of three: the same tokens, accepted and own, with our coins and our uniform for the residual."""
    logits = 1.5 * torch.randn(2, WALKS, K + 1, VOCAB, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    (p, q), rule = logits.softmax(-1), RULES["gsd"]
    noises = [Noise(1, torch.arange(WALKS) * (K + 1) + depth) for depth in range(K + 1)]
    drafted = [rule.draft(q[:, depth], 1, noises[depth], [depth]) for depth in range(K)] + [torch.empty(WALKS, 0, dtype=torch.int64)]
    decisions = [rule.verify(p[:, depth], q[:, depth], drafted[depth], noises[depth]) for depth in range(K + 1)]
    counts = torch.stack([decision.accepted >= 0 for decision in decisions[:K]], 1).long().cumprod(1).sum(1)
    tokens, coins = torch.stack([decision.tokens for decision in decisions], 1), torch.cat([noise.coins(1) for noise in noises[:K]], 1)
    chains, own = torch.cat(drafted, 1), torch.stack([noise.residual() for noise in noises], 1)
    mismatches = 0
    for walk, count in enumerate(counts.tolist()):
        monkeypatch.setattr(torch, "rand_like", lambda like, walk=walk: coins[walk])
        monkeypatch.setattr(torch, "multinomial", lambda p, num_samples, walk=walk, count=count: sample(p, own[walk, count].view(1, 1)))
        text, matches = _speculative_sampling(chains[walk : walk + 1], logits[1, walk : walk + 1, :K], K, logits[0, walk : walk + 1])
        mismatches += int(matches) != count or text[0].tolist() != tokens[walk, : count + 1].tolist()
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
    assert (probabilities(logits, temperature, top_k, top_p) - theirs).abs().max() < 1e-15
