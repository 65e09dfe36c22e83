"""Dynamic trees: the arrival law learns, the tree is the best under it, and it pays."""

from functools import partial
from itertools import cycle

import numpy as np
import pytest

import ersd
from assets.openings import FOR_TABLE
from ersd.drafts import dynamic as best_first
from ersd.drafts.arrival_model import ARRIVALS, ArrivalModel, arrival_features
from ersd.drafts.dynamic import BEST_CHILD
from ersd.drafts.factory import DynamicDrafter, ModelSource, StaticDrafter
from ersd.drafts.rank_distribution import RankDistribution
from ersd.drafts.topologies import shape_of
from ersd.models.tree_cache import ROOT
from ersd.rules.builtin import RULES
from ersd.trace.statistics import statistics

from ..test_engine import PROMPTS
from ..tiny import tiny_pair


def losses_while_learning():
    """Of 3,000 picks drawn from a law with other weights: how much worse each was foreseen than by that law; and the weights then."""
    generator = np.random.default_rng(1)
    true = ArrivalModel(mean=(-2.0, 0.2, 0.0, -1.0, 0.3, 0.2))
    law = ArrivalModel()
    losses = []
    for _ in range(3000):
        times = np.sort(generator.normal(size=6))
        features = arrival_features(times, -np.abs(generator.normal(size=6)), generator.uniform(0, 3))
        picked = generator.choice(7, p=true.chances(features))
        losses.append(-np.log(law.chances(features)[picked]) + np.log(true.chances(features)[picked]))
        law.observe(features, picked)
    return losses, law.weights


def test_the_arrival_law_learns_what_it_is_shown():
    losses, weights = losses_while_learning()
    assert np.mean(losses[-1000:]) < 0.01 < np.mean(losses[:300])
    assert weights[0] == pytest.approx(-2.0, abs=0.25)


def test_an_arrival_law_that_never_learns_is_caught(monkeypatch):
    monkeypatch.setattr(ArrivalModel, "observe", lambda self, features, picked: None)
    assert np.mean(losses_while_learning()[0][-1000:]) > 0.05


def drafter_of(pair, settings):
    return DynamicDrafter(ModelSource(pair.open_draft()), RULES[settings.algorithm], settings, pair.vocab_size)


def foreseen(pair, trace):
    """What every tree of a run was expected to give, once more: each grown by a drafter of its own, which reads the whole text anew and is
    handed the law of what was seen before, learned here, and the least worth in the tree before."""
    settings, text, found = trace.settings, pair.encode(trace.prompt), []
    end = min(len(text) + settings.max_new_tokens, pair.context)
    arrivals, ranks, least = ArrivalModel(), RankDistribution(pair.hazards.get(settings.algorithm, ())), 0.0
    for step in trace.steps:
        room = end - len(text) - 1
        if room < 1:
            return found
        if settings.topology == "dynamic":
            drafter = drafter_of(pair, settings)
            drafter.arrivals, drafter._least = arrivals, least
            tree = drafter.grow(text, room)
            least = drafter._least
            assert (tree.tokens, tree.parents) == (step.tokens, step.parents)
            found.append(tree.expected)
        else:
            found.append(shape_of(settings, ranks, room).expected)
        for visit in step.walk:
            if visit.tries and settings.topology == "dynamic":
                features = drafter._explored.features[drafter._scored_as(visit.vertex)]
                arrivals.observe(features, len(features) - 1 if visit.rank is None else min(visit.rank - 1, len(features) - 1))
            elif visit.tries:
                ranks.observe(visit.rank, len(visit.tries))
        text += [one.token for one in step.emitted]
    return found


def told(trace):
    return [step.expected for step in trace.steps if step.tokens]


LEARNING = [
    ("ersd", "dynamic"), ("greedy", "dynamic"), ("ersd", "tau_star"), ("gsd", "tau_star"), ("gsd_wor", "specinfer"), ("block", "sequence"),
]  # fmt: skip


@pytest.mark.parametrize(("algorithm", "topology"), LEARNING)
def test_every_tree_knows_what_the_run_has_shown_so_far(pair, algorithm, topology):
    trace = ersd.run(pair, PROMPTS[3], ersd.Settings(algorithm, topology, draft_tokens=10, max_new_tokens=40, seed=3))
    assert foreseen(pair, trace) == pytest.approx(told(trace), rel=1e-4)
    assert len({round(each, 6) for each in told(trace)}) > 3


@pytest.mark.parametrize(("algorithm", "topology"), [("ersd", "dynamic"), ("ersd", "tau_star"), ("gsd", "tau_star")])
def test_trees_that_never_learn_are_caught(pair, algorithm, topology, monkeypatch):
    for drafter in (DynamicDrafter, StaticDrafter):
        monkeypatch.setattr(drafter, "learn", lambda self, decisions: None)
    trace = ersd.run(pair, PROMPTS[3], ersd.Settings(algorithm, topology, draft_tokens=10, max_new_tokens=40, seed=3))
    try:
        same = foreseen(pair, trace) == pytest.approx(told(trace), rel=1e-4)
    except AssertionError:
        same = False
    assert not same


def test_a_dynamic_tree_counts_every_call_of_the_draft(pair, monkeypatch):
    calls = []
    for name in ("root", "behind"):
        real = getattr(ModelSource, name)
        monkeypatch.setattr(ModelSource, name, lambda *args, real=real: (calls.append(real), real(*args))[1])
    trace = ersd.run(pair, PROMPTS[3], ersd.Settings("ersd", "dynamic", draft_tokens=10, max_new_tokens=40, seed=3))
    assert statistics(trace.steps).draft_calls == len(calls) > sum(max(step.depths, default=0) for step in trace.steps)
    assert ersd.Trace.from_json(trace.to_json()) == trace


def worths(fresh, prompt, depth):
    """Every vertex down to a depth with its worth, each path scored alone by a drafter of its own: token path -> worth."""
    found = {}

    def grow(path, worth):
        if len(path) == depth:
            return
        drafter, text = fresh(), [*prompt, *path]
        drafter._score([ROOT], drafter.source.root(text), len(text))
        chances = drafter._explored.worth.tolist()
        for token, chance in zip(drafter._explored.tokens[0], chances, strict=False):
            found[(*path, token)] = worth * chance
            grow((*path, token), worth * chance)

    grow((), 1.0)
    return found


@pytest.mark.parametrize(("hope", "share"), [(1.0, 1.0), (BEST_CHILD, 0.99)])
def test_the_tree_is_the_best_one_under_the_law_or_nearly_so(monkeypatch, hope, share):
    monkeypatch.setattr(best_first, "BEST_CHILD", hope)
    pair = tiny_pair(5)
    for seed in range(4):
        settings = ersd.Settings("ersd", "dynamic", draft_tokens=6, seed=seed)
        prompt = pair.encode("abc")
        fresh = partial(drafter_of, pair, settings)
        tree = fresh().grow(prompt, 3)
        best = sorted(worths(fresh, prompt, 3).values(), reverse=True)[:6]
        assert share - 1e-5 <= tree.expected / (1 + sum(best)) <= 1 + 1e-5
        assert len(tree.tokens) == 6


@pytest.mark.parametrize("least", [0.0, 0.02, 0.3, 1.0])
def test_what_is_scored_together_changes_the_calls_not_the_best_tree(pair, least, monkeypatch):
    monkeypatch.setattr(best_first, "BEST_CHILD", 1.0)
    settings = ersd.Settings("ersd", "dynamic", draft_tokens=12, seed=4)
    prompt = pair.encode(PROMPTS[1])
    usual, drafter = drafter_of(pair, settings), drafter_of(pair, settings)
    drafter._least = least
    tree, same = usual.grow(prompt, 20), drafter.grow(prompt, 20)
    assert (tree.tokens, tree.parents, tree.ranks) == (same.tokens, same.parents, same.ranks)
    assert tree.expected == pytest.approx(same.expected, rel=1e-5)


def test_a_tree_takes_few_more_calls_than_it_is_deep(pair, monkeypatch):
    calls, behind = [], ModelSource.after
    monkeypatch.setattr(ModelSource, "behind", lambda self, tree, vertices: calls.append(len(vertices)) or behind(self, tree, vertices))
    steps = [step for step in ersd.run(pair, PROMPTS[2], ersd.Settings("ersd", "dynamic", seed=2)).steps if step.tokens]
    assert len(calls) <= sum(max(step.depths) + 1 for step in steps)
    assert sum(calls) <= 1.5 * sum(len(step.tokens) for step in steps)


def test_children_are_the_first_arrivals_in_their_order():
    pair = tiny_pair(8)
    for step in ersd.run(pair, "abc", ersd.Settings("ersd", "dynamic", draft_tokens=8, max_new_tokens=40, seed=2)).steps:
        for visit in step.walk:
            times = [one.draft_time for one in visit.tries]
            assert times == sorted(times)
            assert times == sorted(row.draft_time for row in visit.rows if row.draft_time)[: len(times)]


def test_dynamic_gives_more_tokens_per_call_than_tau_star_on_the_embedded_pair(pair):
    """Over 60 stories of 128 tokens the gain at k = 16 was 11.5%, over any 12 of them 7-10%; the test asks for 5%."""
    calls = {}
    for topology in ("tau_star", "dynamic"):
        chosen = [ersd.Settings("ersd", topology, max_new_tokens=128, seed=seed) for seed in range(12)]
        runs = [ersd.generate(pair, prompt, one, record=False) for prompt, one in zip(cycle(FOR_TABLE), chosen, strict=False)]
        calls[topology] = sum(1 for run in runs for _ in run)
    assert calls["tau_star"] / calls["dynamic"] > 1.05


def test_a_vertex_with_few_arrivals_is_judged_as_if_it_were_alone(pair):
    grower = drafter_of(pair, ersd.Settings(topology="dynamic"))
    log_times = np.sort(np.random.default_rng(4).normal(size=(4, ARRIVALS)))
    log_times[1, 3:] = log_times[3, 1:] = np.inf  # of these no more tokens come
    probs, entropies = np.exp(-np.arange(4 * ARRIVALS).reshape(4, ARRIVALS) / 10), np.arange(4.0)
    features, chances = grower._judged(log_times, probs, entropies)
    for row, count in enumerate((ARRIVALS, 3, ARRIVALS, 1)):
        alone = arrival_features(log_times[row, :count], np.log(probs[row, :count]), entropies[row])
        assert np.array_equal(features[row], alone)
        assert chances[row].tolist() == pytest.approx([*grower.arrivals.chances(alone)[:-1], *[0.0] * (ARRIVALS - count)])
    together = grower._judged(log_times[::2], probs[::2], entropies[::2])[1]
    assert np.allclose(together, chances[::2], rtol=1e-12)
