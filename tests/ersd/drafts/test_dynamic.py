"""Dynamic trees: the arrival model learns, the tree is the best under it, and it pays off."""

from functools import partial
from itertools import cycle

import numpy as np
import pytest
import torch

import ersd
from assets.openings import FOR_TABLE
from ersd.draft_tree import ROOT
from ersd.drafts import dynamic
from ersd.drafts.arrival_model import ARRIVALS, ArrivalModel, arrival_features
from ersd.drafts.dynamic import BEST_CHILD, DynamicDrafter
from ersd.drafts.rank_distribution import RankDistribution
from ersd.drafts.shapes import shape_of
from ersd.drafts.source import ModelSource
from ersd.drafts.static import StaticDrafter
from ersd.rules.builtin import RULES

from ..test_decoding import PROMPTS
from ..tiny import tiny_pair


def losses_while_learning():
    """Log loss of 2,000 picks drawn from a model with other weights, less that of the true model; and the learned weights."""
    generator = np.random.default_rng(1)
    true, model, losses = ArrivalModel(mean=(-2.0, 0.2, 0.0, -1.0, 0.3, 0.2)), ArrivalModel(), []
    for _ in range(2000):
        times = np.sort(generator.normal(size=6))
        features = arrival_features(times, -np.abs(generator.normal(size=6)), generator.uniform(0, 3))
        picked = generator.choice(7, p=true.chances(features))
        losses.append(-np.log(model.chances(features)[picked]) + np.log(true.chances(features)[picked]))
        model.observe(features, picked)
    return losses, model.weights


def test_the_arrival_model_learns_what_it_is_shown(monkeypatch):
    losses, weights = losses_while_learning()
    assert np.mean(losses[-1000:]) < 0.01 < np.mean(losses[:300])
    assert weights[0] == pytest.approx(-2.0, abs=0.25)
    monkeypatch.setattr(ArrivalModel, "observe", lambda self, features, picked: None)
    assert np.mean(losses_while_learning()[0][-1000:]) > 0.05  # one that never learns is caught


def drafter_of(pair, settings):
    return DynamicDrafter(
        ModelSource(pair.open_draft(), pair.vocab_size, pair.vocab_size), RULES[settings.algorithm], settings, pair.vocab_size
    )


def expected_again(pair, trace):
    """The expected yield of every tree of a run, once more: each grown by a new drafter, which reads the whole text and is handed what was
    seen before, learned here, and the weakest node of the tree before."""
    settings, text, found = trace.settings, pair.encode(trace.prompt), []
    end = min(len(text) + settings.max_new_tokens, pair.context)
    arrivals, ranks, weakest = ArrivalModel(), RankDistribution(pair.prior(settings)), 0.0
    for step in trace.steps:
        room, is_dynamic = end - len(text) - 1, settings.topology == "dynamic"
        if room < 1:
            return found
        if is_dynamic:
            drafter = drafter_of(pair, settings)
            drafter.arrivals, drafter._weakest = arrivals, weakest
            tree = drafter.grow(text, room)
            weakest = drafter._weakest
            assert (tree.tokens, tree.parents) == (step.tokens, step.parents)
            found.append(tree.expected)
        else:
            found.append(shape_of(settings, ranks, room).expected)
        for visit in step.walk:
            if visit.tries and is_dynamic:
                scored = 0 if visit.vertex == ROOT else 1 + drafter._search.node_of[drafter._arrival_of[visit.vertex]]
                features = drafter._search.features[scored]
                arrivals.observe(features, len(features) - 1 if visit.rank is None else min(visit.rank - 1, len(features) - 1))
            elif visit.tries:
                ranks.observe(visit.rank, len(visit.tries))
        text += [one.token for one in step.emitted]
    return found


def recorded(trace):
    return [step.expected for step in trace.steps if step.tokens]


LEARNING = [("ersd", "dynamic"), ("greedy", "dynamic"), ("ersd", "tau_star"), ("gsd_wor", "specinfer"), ("block", "sequence")]


@pytest.mark.parametrize(("algorithm", "topology"), LEARNING)
def test_every_tree_knows_what_the_run_has_shown_so_far(pair, algorithm, topology):
    trace = ersd.run(pair, PROMPTS[3], ersd.Settings(algorithm, topology, draft_tokens=10, max_new_tokens=40, seed=3))
    assert expected_again(pair, trace) == pytest.approx(recorded(trace), rel=1e-4)
    assert len({round(each, 6) for each in recorded(trace)}) > 3


@pytest.mark.parametrize(("algorithm", "topology"), [("ersd", "dynamic"), ("gsd", "tau_star")])
def test_trees_that_never_learn_are_caught(pair, algorithm, topology, monkeypatch):
    for drafter in (DynamicDrafter, StaticDrafter):
        monkeypatch.setattr(drafter, "learn", lambda self, visited: None)
    trace = ersd.run(pair, PROMPTS[3], ersd.Settings(algorithm, topology, draft_tokens=10, max_new_tokens=40, seed=3))
    try:
        same = expected_again(pair, trace) == pytest.approx(recorded(trace), rel=1e-4)
    except AssertionError:
        same = False
    assert not same


def test_a_tree_takes_few_more_draft_calls_than_it_is_deep(pair, monkeypatch):
    sizes, after = [], ModelSource.after
    monkeypatch.setattr(ModelSource, "after", lambda self, tree, nodes: (sizes.append(len(nodes)), after(self, tree, nodes))[1])
    trace = ersd.run(pair, PROMPTS[3], ersd.Settings("ersd", "dynamic", draft_tokens=10, max_new_tokens=40, seed=3))
    assert len(sizes) <= sum(max(step.depths) + 1 for step in trace.steps if step.tokens)
    assert sum(sizes) <= 1.5 * sum(len(step.tokens) for step in trace.steps)


def worths(fresh, prompt, depth):
    """Every node down to a depth with its worth, each path scored by a drafter of its own: token path -> worth."""
    found = {}

    def grow(path, worth):
        if len(path) == depth:
            return
        drafter, text = fresh(), [*prompt, *path]
        drafter._score([ROOT], drafter.source.root(text), len(text), 0.0)
        for token, chance in zip(drafter._search.tokens[0], drafter._search.worth.tolist(), strict=False):
            found[(*path, token)] = worth * chance
            grow((*path, token), worth * chance)

    grow((), 1.0)
    return found


@pytest.mark.parametrize(("best_child", "share"), [(1.0, 1.0), (BEST_CHILD, 0.99)])
def test_the_tree_is_the_best_one_under_the_model_or_nearly_so(monkeypatch, best_child, share):
    monkeypatch.setattr(dynamic, "BEST_CHILD", best_child)
    pair = tiny_pair(5)
    prompt = pair.encode("abc")
    for seed in range(4):
        fresh = partial(drafter_of, pair, ersd.Settings("ersd", "dynamic", draft_tokens=6, seed=seed))
        tree = fresh().grow(prompt, 3)
        best = sorted(worths(fresh, prompt, 3).values(), reverse=True)[:6]
        assert share - 1e-5 <= tree.expected / (1 + sum(best)) <= 1 + 1e-5
        assert len(tree.tokens) == 6


@pytest.mark.parametrize("weakest", [0.02, 0.3, 1.0])
def test_what_is_scored_together_changes_the_calls_not_the_best_tree(pair, weakest, monkeypatch):
    monkeypatch.setattr(dynamic, "BEST_CHILD", 1.0)
    settings, prompt = ersd.Settings("ersd", "dynamic", draft_tokens=12, seed=4), pair.encode(PROMPTS[1])
    usual, drafter = drafter_of(pair, settings), drafter_of(pair, settings)
    drafter._weakest = weakest
    tree, same = usual.grow(prompt, 20), drafter.grow(prompt, 20)
    assert (tree.tokens, tree.parents, tree.ranks) == (same.tokens, same.parents, same.ranks)
    assert tree.expected == pytest.approx(same.expected, rel=1e-5)


def test_children_are_the_first_arrivals_in_their_order():
    for step in ersd.generate(tiny_pair(8), "abc", ersd.Settings("ersd", "dynamic", draft_tokens=8, max_new_tokens=40, seed=2)):
        for visit in step.walk:
            times = [one.draft_time for one in visit.tries]
            assert times == sorted(row.draft_time for row in visit.rows if row.draft_time)[: len(times)]


def test_dynamic_gives_more_tokens_per_call_than_tau_star_on_the_embedded_pair(pair):
    """Over 60 stories of 128 tokens the gain at k = 16 was 11.5%, over any 12 of them 7-10%; the test demands 5% over 6 of 48 tokens."""
    calls = {}
    for topology in ("tau_star", "dynamic"):
        chosen = [ersd.Settings("ersd", topology, max_new_tokens=48, seed=seed) for seed in range(6)]
        runs = [ersd.generate(pair, prompt, one, record=False) for prompt, one in zip(cycle(FOR_TABLE), chosen, strict=False)]
        calls[topology] = sum(1 for run in runs for _ in run)
    assert calls["tau_star"] / calls["dynamic"] > 1.05


def test_a_node_with_few_arrivals_is_judged_as_if_it_were_the_only_one(pair):
    drafter = drafter_of(pair, ersd.Settings(topology="dynamic"))
    log_times = np.sort(np.random.default_rng(4).normal(size=(4, ARRIVALS)))
    log_times[1, 3:] = log_times[3, 1:] = np.inf  # no more tokens come there
    probs, entropies = np.exp(-np.arange(4 * ARRIVALS).reshape(4, ARRIVALS) / 10), np.arange(4.0)
    features, chances = drafter._judged(log_times, probs, entropies)
    for row, count in enumerate((ARRIVALS, 3, ARRIVALS, 1)):
        single = arrival_features(log_times[row, :count], np.log(probs[row, :count]), entropies[row])
        assert np.array_equal(features[row], single)
        assert chances[row].tolist() == pytest.approx([*drafter.arrivals.chances(single)[:-1], *[0.0] * (ARRIVALS - count)])


@pytest.mark.parametrize("price", [0.05, 0.3])
def test_a_price_takes_every_token_that_is_worth_more_and_no_other(pair, price):
    settings = ersd.Settings("ersd", "dynamic", draft_tokens=64, max_new_tokens=32, price=price)
    drafter, text = drafter_of(pair, settings), pair.encode(PROMPTS[0])
    with torch.inference_mode():
        tree = drafter.grow(text, 24)
        search = drafter._search
        worths = search.priority[drafter._arrival_of]
        assert 0 < len(tree.tokens) < 64
        assert worths.min() > price
        assert len(worths) == (search.priority > price).sum()
        # one more level below every token that was left as a leaf: BEST_CHILD of its worth is the most that it is expected to hold
        unscored = [arrival for arrival in drafter._arrival_of if arrival not in search.node_of]
        assert all(BEST_CHILD * search.priority[arrival] <= price for arrival in unscored)
        drafter.commit([])


def test_a_price_drafts_less_and_writes_the_same_text(pair):
    runs = {}
    for price in (0.0, 0.1, 0.9):
        settings = ersd.Settings("ersd", "dynamic", draft_tokens=16, max_new_tokens=48, price=price)
        runs[price] = ersd.run(pair, PROMPTS[0], settings)
    assert runs[0.0].text == runs[0.1].text == runs[0.9].text
    drafted = {price: sum(len(step.tokens) for step in trace.steps) / len(trace.steps) for price, trace in runs.items()}
    assert drafted[0.9] < drafted[0.1] < drafted[0.0] <= 16
    assert len(runs[0.9].steps) > len(runs[0.0].steps)
    assert '"price":0.1' in runs[0.1].to_json()
