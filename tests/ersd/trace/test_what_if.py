"""The ranks along one ERSD text give the steps of every static tree on it, exactly as the engine makes them."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ersd
from ersd.trace.rank_sequence import RankSequence, cut, recorded_ranks, static_topologies
from ersd.trace.replay import RankRecorder, ranks_of

PROMPT = "Once upon a time there was a little girl named"
USUAL = ersd.Settings(max_new_tokens=40, draft_tokens=4, topology="sequence", branching=(3, 2, 1))
RUNS = {
    "usual": USUAL,
    "top-k": replace(USUAL, top_k=3, seed=1),
    "top-p": replace(USUAL, top_p=0.7, topology="batch", seed=2),
    "cold": replace(USUAL, temperature=0.0),
    "hot": replace(USUAL, temperature=1.6, topology="tau_star", seed=3),
    "dynamic": replace(USUAL, topology="dynamic", seed=4),
    "short": replace(USUAL, max_new_tokens=5, topology="tau_star", seed=5),
}


def real(pair, settings, prompt=PROMPT):
    """The tokens of every step of a real run."""
    return list(ersd.generate(pair, prompt, settings, record=False))


def others(settings):
    """The same text with other trees: each static one, at several sizes."""
    return [replace(settings, topology=name, draft_tokens=k) for name in static_topologies() for k in (2, 12)]


@pytest.mark.parametrize("settings", RUNS.values(), ids=RUNS)
def test_other_trees_take_the_steps_that_the_ranks_foretell(pair, settings):
    trace = ersd.run(pair, PROMPT, settings)
    ranks = ranks_of(pair, trace)
    for other in others(settings):
        steps = real(pair, other)
        assert [token for step in steps for token in step] == trace.token_ids
        assert [step.tokens for step in cut(ranks, other)] == [len(step) for step in steps], (other.topology, other.draft_tokens)


def test_the_run_itself_is_cut_as_it_was(pair):
    for topology in static_topologies():
        trace = ersd.run(pair, PROMPT, replace(USUAL, topology=topology, draft_tokens=12, seed=6))
        foretold = cut(ranks_of(pair, trace), trace.settings)
        assert [step.tokens for step in foretold] == [len(step.emitted) for step in trace.steps]
        assert [step.accepted for step in foretold] == [step.accepted for step in trace.steps]
        assert [step.levels for step in foretold] == [max(step.depths, default=0) for step in trace.steps]


def test_a_text_that_ends_by_itself(pair):
    settings = replace(USUAL, max_new_tokens=400, topology="tau_star", draft_tokens=16, temperature=0.3)
    ended = (ersd.run(pair, "The end.", replace(settings, seed=seed)) for seed in range(8))
    trace = next(run for run in ended if run.stopped == "end of text")
    ranks = ranks_of(pair, trace)
    assert ranks.room > len(ranks.ranks)
    for other in others(trace.settings):
        steps = real(pair, other, "The end.")
        assert [step.tokens for step in cut(ranks, other)] == [len(step) for step in steps]


def test_a_context_that_ends(pair):
    small = replace(pair, context=len(pair.encode(PROMPT)) + 20)
    trace = ersd.run(small, PROMPT, USUAL)
    assert trace.stopped == "end of context"
    ranks = ranks_of(small, trace)
    assert ranks.room == 20
    for other in others(USUAL):
        assert [step.tokens for step in cut(ranks, other)] == [len(step) for step in real(small, other)]


def test_a_pair_that_nothing_was_measured_of(pair):
    unmeasured = replace(pair, hazards={})
    ranks = ranks_of(unmeasured, ersd.run(unmeasured, PROMPT, USUAL))
    for k in (2, 9, 40):
        other = replace(USUAL, topology="tau_star", draft_tokens=k)
        assert [step.tokens for step in cut(ranks, other)] == [len(step) for step in real(unmeasured, other)]


def test_a_rank_is_the_same_whoever_asks_for_it(pair):
    """Behind a leaf the draft is asked again; a run with other leaves has the rank on record."""
    known = ranks_of(pair, ersd.run(pair, PROMPT, replace(USUAL, topology="batch", draft_tokens=2))).ranks
    assert ranks_of(pair, ersd.run(pair, PROMPT, replace(USUAL, draft_tokens=16))).ranks == known


@pytest.mark.parametrize("cut", [{}, {"top_k": 2}, {"temperature": 0.7}])
@pytest.mark.parametrize("topology", ["tau_star", "dynamic", "sequence", "specinfer"])
def test_the_rank_behind_a_leaf_comes_with_the_next_step(pair, topology, cut, monkeypatch):
    """It is what the draft says there when it is asked for it alone."""
    trace = ersd.run(pair, PROMPT, replace(USUAL, topology=topology, max_new_tokens=60, **cut))
    asked = ranks_of(pair, replace(trace, steps=[replace(step, leaf_rank=None) for step in trace.steps]))
    ends = [step.walk[-1] for step in trace.steps[:-1]]
    told = [step.leaf_rank for step in trace.steps[1:]]
    with_draft = [step.tokens != [] for step in trace.steps[1:]]
    assert [rank is not None for rank in told] == [not end.tries and drafts for end, drafts in zip(ends, with_draft, strict=True)]
    assert sum(rank is not None for rank in told) > 3
    asks = []
    monkeypatch.setattr(RankRecorder, "_missing", lambda ranks, token, ask=RankRecorder._missing: asks.append(token) or ask(ranks, token))
    assert ranks_of(pair, trace) == asked
    never = sum(visit.rank is None for step in trace.steps for visit in step.walk if visit.tries)
    assert len(asks) <= 2 + never, "of the last steps, and how many tokens the draft reaches where it never reaches the one chosen"


def test_ranks_may_be_added_as_the_steps_come(pair):
    trace = ersd.run(pair, PROMPT, USUAL)
    whole = ranks_of(pair, trace)
    assert any(visit.rank is None for step in trace.steps for visit in step.walk), "some come with the next step"
    ranks = RankRecorder(pair, PROMPT, USUAL)
    for step in trace.steps:
        ranks.add(recorded_ranks([step]), step.leaf_rank)
        so_far = ranks.sequence().ranks
        assert so_far == whole.ranks[: len(so_far)]
    assert ranks.sequence() == whole


def test_the_law_learns_what_a_draft_with_few_tokens_shows():
    """One that reaches two tokens has two children at most: the law hears of two that were not accepted, and not of eight."""
    two = RankSequence([-2] * 12, 12, [0.5], 1)
    many = RankSequence([-40] * 12, 12, [0.5], 1)
    settings = replace(USUAL, topology="tau_star", draft_tokens=8)
    assert [step.levels for step in cut(two, settings)] != [step.levels for step in cut(many, settings)]


def test_only_ersd_writes_the_same_text_with_every_tree(pair):
    with pytest.raises(ValueError, match="algorithm must be ersd"):
        ranks_of(pair, ersd.run(pair, PROMPT, replace(USUAL, algorithm="gsd", max_new_tokens=4)))
