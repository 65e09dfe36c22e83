"""Dynamic trees: the arrival law learns, the tree is the best under it, and it pays."""

from functools import partial

import numpy as np
import pytest
import torch

import ersd
from ersd.cache import ROOT
from ersd.drafting import BestFirst, DraftTree, ModelSource
from ersd.drafting.arrival_law import ArrivalLaw, arrival_features
from ersd.rules import RULES

from .test_engine import PROMPTS
from .tiny import tiny_pair


def test_the_arrival_law_learns_what_it_is_shown():
    """Picks drawn from a law with other weights: after 3,000 of them the posterior mean has come to it."""
    generator = np.random.default_rng(1)
    true = ArrivalLaw(mean=(-2.0, 0.2, 0.0, -1.0, 0.3, 0.2))
    law = ArrivalLaw()
    losses = []
    for _ in range(3000):
        times = np.sort(generator.normal(size=6))
        features = arrival_features(times, -np.abs(generator.normal(size=6)), generator.uniform(0, 3))
        picked = generator.choice(7, p=true.chances(features))
        losses.append(-np.log(law.chances(features)[picked]) + np.log(true.chances(features)[picked]))
        law.observe(features, picked)
    assert np.mean(losses[-1000:]) < 0.01 < np.mean(losses[:300])
    assert law.weights[0] == pytest.approx(-2.0, abs=0.25)


def drafter_of(pair, settings):
    return BestFirst(ModelSource(pair.draft), RULES["ersd"], settings, pair.vocab_size)


def worths(fresh, prompt, depth):
    """Every vertex down to a depth with its worth, each path scored alone by a drafter of its own: token path -> worth."""
    found = {}

    def grow(path, worth):
        if len(path) == depth:
            return
        drafter, text = fresh(), [*prompt, *path]
        drafter._score(DraftTree(), [ROOT], drafter.source.root(text), len(text))
        scored = drafter._scored[ROOT]
        for token, chance in zip(scored.tokens, scored.chances, strict=False):
            found[(*path, token)] = worth * chance
            grow((*path, token), worth * chance)

    grow((), 1.0)
    return found


def test_the_tree_is_the_best_one_under_the_law():
    pair = tiny_pair(5)
    for seed in range(4):
        settings = ersd.Settings("ersd", "dynamic", draft_tokens=6, seed=seed)
        prompt = pair.encode("abc")
        fresh = partial(drafter_of, pair, settings)
        tree = fresh().grow(prompt, 3)
        best = sorted(worths(fresh, prompt, 3).values(), reverse=True)[:6]
        assert tree.expected == pytest.approx(1 + sum(best), rel=1e-5)
        assert len(tree.tokens) == 6


def test_children_are_the_first_arrivals_in_their_order():
    pair = tiny_pair(8)
    for step in ersd.run(pair, "abc", ersd.Settings("ersd", "dynamic", draft_tokens=8, max_new_tokens=40, seed=2)).steps:
        for visit in step.walk:
            times = [one.draft_time for one in visit.tries]
            assert times == sorted(times)
            assert times == sorted(row.draft_time for row in visit.rows if row.draft_time)[: len(times)]


def test_dynamic_gives_more_tokens_per_call_than_tau_star_on_the_embedded_pair(pair):
    """Over 60 stories of 128 tokens the gain at k = 16 was 10.8%; here they are fewer and shorter, so the test asks for less."""
    calls = {}
    for topology in ("tau_star", "dynamic"):
        runs = (ersd.generate(pair, prompt, ersd.Settings("ersd", topology, seed=300 + i)) for i, prompt in enumerate(PROMPTS[:12]))
        calls[topology] = sum(1 for run in runs for _ in run)
    assert calls["tau_star"] / calls["dynamic"] > 1.05


def test_greedy_trees_may_be_dynamic_too(pair):
    ids = torch.tensor([pair.encode(PROMPTS[0])])
    expected = pair.target.generate(ids, do_sample=False, max_new_tokens=40, attention_mask=torch.ones_like(ids))[0, ids.shape[1] :]
    trace = ersd.run(pair, PROMPTS[0], ersd.Settings("greedy", "dynamic", draft_tokens=12, max_new_tokens=40))
    assert trace.token_ids == expected.tolist()
