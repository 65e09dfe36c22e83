"""The ranks along one ERSD text give the steps of every static tree on it, exactly as the engine makes them."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ersd
from ersd.rerun import RankRecorder, ranks_of
from ersd.settings import SOURCES
from ersd.trace.model import RankSequence
from ersd.trace.rank_sequence import STEPWISE, recorded_ranks, static_topologies

from ..replayed_steps import replayed_steps

PROMPT = "Once upon a time there was a little girl named"
USUAL = ersd.Settings(max_new_tokens=32, draft_tokens=4, topology="sequence", branching=(3, 2, 1))
RUNS = {
    "top-k": replace(USUAL, top_k=3, seed=1),
    "hot": replace(USUAL, temperature=1.6, topology="tau_star", seed=3),
    "dynamic": replace(USUAL, topology="dynamic", top_p=0.7, seed=4),
    "short and cold": replace(USUAL, temperature=0.0, max_new_tokens=5, topology="tau_star", seed=5),
}


def lengths(pair, settings, prompt=PROMPT):
    """Tokens per step of a real run."""
    return [len(step) for step in ersd.generate(pair, prompt, settings, record=False)]


def predicted(ranks, settings):
    """The same, cut from the ranks of another run."""
    return [step.tokens for step in replayed_steps(ranks, settings)]


def others(settings):
    """The same text with other trees: each static one."""
    return [replace(settings, topology=name, draft_tokens=12) for name in static_topologies()]


@pytest.mark.parametrize("settings", RUNS.values(), ids=RUNS)
def test_other_trees_take_the_steps_that_the_ranks_predict(pair, settings):
    ranks = ranks_of(pair, ersd.run(pair, PROMPT, settings))
    for other in others(settings):
        assert predicted(ranks, other) == lengths(pair, other), (other.topology, other.draft_tokens)


def test_the_run_itself_is_cut_as_it_was(pair):
    for topology in static_topologies():
        trace = ersd.run(pair, PROMPT, replace(USUAL, topology=topology, draft_tokens=12, seed=6))
        steps = replayed_steps(ranks_of(pair, trace), trace.settings)
        assert [step.tokens for step in steps] == [len(step.emitted) for step in trace.steps]
        assert [step.accepted for step in steps] == [step.accepted for step in trace.steps]
        assert [step.levels for step in steps] == [max(step.depths, default=0) for step in trace.steps]


def test_a_text_that_ends_by_itself(pair):
    settings = replace(USUAL, max_new_tokens=400, topology="tau_star", draft_tokens=16, temperature=0.3)
    ended = (ersd.run(pair, "The end.", replace(settings, seed=seed)) for seed in range(8))
    trace = next(run for run in ended if run.stopped == "end of text")
    ranks = ranks_of(pair, trace)
    assert ranks.room > len(ranks.ranks)
    for other in others(trace.settings):
        assert predicted(ranks, other) == lengths(pair, other, "The end.")


def test_a_context_that_ends_and_a_pair_without_measured_ranks(pair):
    small = replace(pair, target=replace(pair.target, context=len(pair.encode(PROMPT)) + 20), hazards={})
    trace = ersd.run(small, PROMPT, USUAL)
    assert trace.stopped == "end of context"
    ranks = ranks_of(small, trace)
    assert ranks.room == 20
    for other in [*others(USUAL), replace(USUAL, topology="tau_star", draft_tokens=40)]:
        assert predicted(ranks, other) == lengths(small, other)


@pytest.mark.parametrize(("topology", "sampling"), [("tau_star", {"top_k": 2}), ("dynamic", {}), ("sequence", {"top_k": 2})])
def test_the_rank_after_a_leaf_comes_with_the_next_step(pair, topology, sampling, monkeypatch):
    """It is the one the draft gives when it is asked separately, and the same in a run with other leaves."""
    settings = replace(USUAL, topology=topology, max_new_tokens=60, **sampling)
    trace = ersd.run(pair, PROMPT, settings)
    separately = ranks_of(pair, replace(trace, steps=[replace(step, leaf_rank=None) for step in trace.steps]))
    assert ranks_of(pair, ersd.run(pair, PROMPT, replace(settings, topology="batch", draft_tokens=2))) == separately
    ends = [step.walk[-1] for step in trace.steps[:-1]]
    received = [step.leaf_rank is not None for step in trace.steps[1:]]
    assert received == [not end.tries and step.tokens != [] for end, step in zip(ends, trace.steps[1:], strict=True)]
    assert sum(received) > 3
    asked, missing = [], RankRecorder._missing
    monkeypatch.setattr(RankRecorder, "_missing", lambda ranks, token: asked.append(token) or missing(ranks, token))
    assert ranks_of(pair, trace) == separately
    never = sum(visit.rank is None for step in trace.steps for visit in step.walk if visit.tries)
    assert len(asked) <= 2 + never, "the last steps' ranks, and how many tokens the draft reaches where it never reaches the one chosen"


def test_ranks_may_be_added_as_the_steps_come(pair):
    trace = ersd.run(pair, PROMPT, USUAL)
    whole, ranks = ranks_of(pair, trace), RankRecorder(pair, PROMPT, USUAL)
    assert any(visit.rank is None for step in trace.steps for visit in step.walk), "some come with the next step"
    for step in trace.steps:
        ranks.add(recorded_ranks([step]), step.leaf_rank)
        so_far = ranks.sequence().ranks
        assert so_far == whole.ranks[: len(so_far)]
    assert ranks.sequence() == whole


def test_the_rank_distribution_learns_what_a_draft_with_few_tokens_shows():
    """One that reaches two tokens has two children at most: two that were not accepted are observed, not eight."""
    two = RankSequence([-2] * 12, 12, [0.5], 1)
    many = RankSequence([-40] * 12, 12, [0.5], 1)
    settings = replace(USUAL, topology="tau_star", draft_tokens=8)
    assert [step.levels for step in replayed_steps(two, settings)] != [step.levels for step in replayed_steps(many, settings)]


def test_only_ersd_writes_the_same_text_with_every_tree(pair):
    with pytest.raises(ValueError, match="algorithm must be ersd"):
        ranks_of(pair, ersd.run(pair, PROMPT, replace(USUAL, algorithm="gsd", max_new_tokens=4)))


@pytest.mark.parametrize("source", SOURCES)
def test_other_trees_are_computed_where_guesses_depend_on_the_text_alone(pair, source):
    """With other sources the steps of another tree have other guesses: of the first layers most predictions were wrong."""
    settings = replace(USUAL, source=source, max_new_tokens=48, seed=7)
    if source in STEPWISE:
        with pytest.raises(ValueError, match=f"source must be one of model, frequent .*, got '{source}': {STEPWISE[source]}"):
            RankRecorder(pair, PROMPT, settings)
        return
    ranks = ranks_of(pair, ersd.run(pair, PROMPT, settings))
    for other in others(settings):
        assert predicted(ranks, other) == lengths(pair, other), other.topology
