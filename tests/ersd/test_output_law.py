"""Every lossless rule on every topology it allows, through the whole engine: the joint law of three tokens on a tiny model is the target's.

The law is enumerated from the target alone, without a cache; its margins over the first two and the last two tokens are tested. The trees
reach all three tokens, and the third is scored behind a committed path, so drafting, both caches, the walk, compaction and the residual all
take part.
"""

import dataclasses
import itertools

import pytest
import torch
from scipy.stats import chisquare

import ersd
from ersd.algorithms import TRAITS
from ersd.distributions import probabilities
from ersd.rules import RULES
from ersd.topologies import is_allowed

from .tiny import tiny_pair

VOCAB = 6
RUNS = 450
FALSE_ALARM = 1e-4
"""Of each test; about 30 of them, seeds fixed."""
PROMPT = "b"  # one token: nothing to read before the first step


pytestmark = pytest.mark.usefixtures("plain_record")


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


LOSSLESS = [
    (name, topology)
    for name, traits in TRAITS.items()
    for topology in ersd.TOPOLOGIES
    if traits.lossless and traits.drafts and traits.uses_sampling and is_allowed(name, topology)
]


@pytest.mark.parametrize(("algorithm", "topology"), LOSSLESS)
def test_joint_law(tiny, algorithm, topology):
    assert pvalue(tiny, enumerated(tiny), algorithm, topology, 5) > FALSE_ALARM


def test_every_topology_takes_part():
    assert {topology for _, topology in LOSSLESS} == set(ersd.TOPOLOGIES)
    assert len(LOSSLESS) == 6 + 3 * 5 + 1


@pytest.mark.parametrize(
    ("algorithm", "topology"),
    [("ersd", "dynamic"), ("gsd", "tau_star"), ("gsd_wor", "specinfer"), ("kseq", "multi_sequence"), ("block", "sequence")],
)
def test_joint_law_after_top_k_top_p_and_temperature(tiny, algorithm, topology):
    sampling = {"temperature": 0.8, "top_k": 5, "top_p": 0.9}
    assert pvalue(tiny, enumerated(tiny, **sampling), algorithm, topology, 5, **sampling) > FALSE_ALARM


def test_a_lenient_rule_is_told_from_an_exact_one(tiny):
    assert pvalue(tiny, enumerated(tiny), "lossy", "sequence", 5, leniency=0.0) > FALSE_ALARM
    assert pvalue(tiny, enumerated(tiny), "lossy", "sequence", 5, leniency=0.6) < FALSE_ALARM


def test_a_forgotten_residual_is_caught(tiny, monkeypatch):
    monkeypatch.setattr("ersd.rules.gsd.residual", lambda left, q: left)
    assert pvalue(tiny, enumerated(tiny), "gsd", "sequence", 3) < FALSE_ALARM


def test_a_draft_distribution_before_top_p_is_caught(tiny, monkeypatch):
    """Children drawn from Q before top-p, but judged against Q after it."""
    sampling = {"top_p": 0.6}
    law = enumerated(tiny, **sampling)
    drafted, distributions = RULES["gsd"].draft, RULES["gsd"].distributions
    raw = {}

    def transformed(logits, settings):
        raw[0] = distributions(logits, dataclasses.replace(settings, top_p=1.0))
        return distributions(logits, settings)

    def draft(q, k, noise, slots):
        # a child outside the nucleus has q = 0 there; like a sloppy implementation, divide by something tiny instead
        return drafted(raw[0], k, noise, slots)

    assert pvalue(tiny, law, "gsd", "batch", 4, **sampling) > FALSE_ALARM
    monkeypatch.setattr(RULES["gsd"], "distributions", transformed, raising=False)
    monkeypatch.setattr(RULES["gsd"], "draft", draft, raising=False)
    assert pvalue(tiny, law, "gsd", "batch", 4, **sampling) < FALSE_ALARM


def test_a_dynamic_tree_under_gsd_is_caught(tiny, monkeypatch):
    """What Settings refuses: a tree that grows where the draft is confident offers tokens that were not drawn from Q."""
    monkeypatch.setitem(TRAITS, "gsd", dataclasses.replace(TRAITS["gsd"], exact_on_any_shape=True, ordered=True))
    monkeypatch.setattr(RULES["gsd"], "order", lambda q, noise: -q.log(), raising=False)
    assert pvalue(tiny, enumerated(tiny), "gsd", "dynamic", 5) < FALSE_ALARM


def test_a_shape_that_looks_at_the_sampled_tokens_is_caught(tiny, monkeypatch):
    """Of more children drawn than wanted, keep the likelier ones: each was drawn from Q, but the kept ones are not."""
    gsd = RULES["gsd"]
    drawn = gsd.draft

    def draft(q, k, noise, slots):
        children = drawn(q, 2 * k, noise, slots)
        best = q.gather(-1, children).topk(k).indices
        return children.gather(-1, best)

    monkeypatch.setattr(gsd, "draft", draft, raising=False)
    assert pvalue(tiny, enumerated(tiny), "gsd", "batch", 3) < FALSE_ALARM
