"""Through the whole engine: the joint laws of the first and of the last two of three tokens on a tiny model equal the enumerated ones.

The trees reach all three tokens, and the third is scored behind a committed path, so drafting, both caches, the walk, compaction and the
residual all take part. False-alarm rate of every test: 1e-5, seeds fixed.
"""

import itertools

import pytest
import torch
from scipy.stats import chisquare

import ersd
from ersd.distributions import probabilities

from .tiny import tiny_pair

VOCAB = 8
RUNS = 1200
FALSE_ALARM = 1e-5
PROMPT = "abcb"


@pytest.fixture(scope="module")
def tiny():
    torch.set_num_threads(1)
    return tiny_pair(VOCAB)


def enumerated(pair, **sampling):
    """Joint law [VOCAB, VOCAB, VOCAB] of the three tokens after the prompt, from the target alone, without any cache."""
    ids = pair.encode(PROMPT)
    law = torch.ones(1, dtype=torch.float64)
    for length in range(3):
        contexts = [[*ids, *after] for after in itertools.product(range(VOCAB), repeat=length)]
        with torch.inference_mode():
            logits = pair.target(torch.tensor(contexts)).logits[:, -1]
        law = (law.unsqueeze(-1) * probabilities(logits, **sampling)).flatten()
    return law.view(VOCAB, VOCAB, VOCAB)


def pvalue(pair, law, algorithm, topology, k, **sampling) -> float:
    """Of the hypothesis that the engine's tokens follow `law`: two chi-square tests, corrected for being two."""
    counts = torch.zeros(VOCAB, VOCAB, VOCAB, dtype=torch.float64)
    for seed in range(RUNS):
        settings = ersd.Settings(algorithm=algorithm, topology=topology, draft_tokens=k, max_new_tokens=4, seed=seed, **sampling)
        tokens = []
        for step in ersd.generate(pair, PROMPT, settings):
            tokens += [one.token for one in step.emitted]
            if len(tokens) >= 3:
                break
        counts[tuple(tokens[:3])] += 1
    if counts[law == 0].any():
        return 0.0
    return 2 * min(_chi_square(counts.sum(axis), law.sum(axis)) for axis in (0, 2))


def _chi_square(counts, law) -> float:
    expected = (law * RUNS).flatten()
    # pool the rare cells, so that the chi-square law holds
    rare = expected < 5
    pooled = torch.cat([expected[~rare], expected[rare].sum()[None]])
    seen = torch.cat([counts.flatten()[~rare], counts.flatten()[rare].sum()[None]])
    kept = pooled > 0
    return float(chisquare(seen[kept].numpy(), pooled[kept].numpy()).pvalue)


@pytest.mark.parametrize(("algorithm", "topology"), [("ersd", "tau_star"), ("gsd", "tau_star"), ("gsd", "sequence"), ("gsd", "batch")])
def test_joint_law(tiny, algorithm, topology):
    assert pvalue(tiny, enumerated(tiny), algorithm, topology, 5) > FALSE_ALARM


@pytest.mark.parametrize("algorithm", ["ersd", "gsd"])
def test_joint_law_after_top_k_top_p_and_temperature(tiny, algorithm):
    sampling = {"temperature": 0.8, "top_k": 5, "top_p": 0.9}
    assert pvalue(tiny, enumerated(tiny, **sampling), algorithm, "tau_star", 5, **sampling) > FALSE_ALARM


def test_a_broken_residual_is_caught(tiny, monkeypatch):
    monkeypatch.setattr("ersd.rules.gsd.residual", lambda left, q: left)
    assert pvalue(tiny, enumerated(tiny), "gsd", "sequence", 3) < FALSE_ALARM


def test_a_draft_distribution_without_the_transform_is_caught(tiny, monkeypatch):
    """Children drawn from Q after top-p but judged against Q before it."""
    import ersd.rules.gsd as gsd

    monkeypatch.setattr(
        gsd,
        "sample",
        lambda probs, uniform, real=gsd.sample: (
            real(probs.pow(2) / probs.pow(2).sum(-1, keepdim=True), uniform) if uniform.shape[-1] > 1 else real(probs, uniform)
        ),
    )
    assert pvalue(tiny, enumerated(tiny), "gsd", "batch", 4) < FALSE_ALARM
