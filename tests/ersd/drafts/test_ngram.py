"""Drafts that no model makes: a source entered in two tables, and nothing else anywhere."""

import dataclasses

import pytest
import torch

import ersd
from ersd.drafts.source import MAKERS
from ersd.rerun import ranks_of
from ersd.rules.gsd import RecursiveRejection
from ersd.rules.registry import TRAITS

from ..ngram import drafted_by_ngrams
from ..rules.test_engine_output import VOCAB, enumerated, follows_through_the_engine
from ..statistical import DRAFTING, tokens_of
from ..test_decoding import PROMPTS
from ..tiny import tiny_pair


@pytest.mark.parametrize("topology", ersd.TOPOLOGIES)
@pytest.mark.parametrize("algorithm", ["ersd", "greedy"])
def test_the_text_is_still_the_targets_own(monkeypatch, algorithm, topology):
    tiny, accepted = tiny_pair(8), 0
    for seed, (smoothing, least) in enumerate(((0.0, 0), (0.001, 0), (0.0, 1), (0.0, 2))):
        by_ngrams = drafted_by_ngrams(tiny, monkeypatch, smoothing, least)
        settings = ersd.Settings(algorithm, topology, draft_tokens=8, seed=seed, max_new_tokens=40, temperature=0.6, source="ngram")
        plain = {"ersd": "autoregressive", "greedy": "greedy"}[algorithm]
        steps = list(ersd.generate(by_ngrams, "abc", settings, record=False))
        expected = tokens_of(tiny, "abc", dataclasses.replace(settings, algorithm=plain, topology="sequence", source="model"))
        assert [token for step in steps for token in step] == expected
        accepted += len(expected) - len(steps)
    assert accepted


def test_joint_distribution(monkeypatch):
    """With one rule that judges the drafted tokens by their distribution; every other rule is tested with a model as its source."""
    tiny, algorithm = tiny_pair(6), DRAFTING[1]
    topology = "sequence" if TRAITS[algorithm].most_children == 1 else "tau_star"
    by_ngrams = drafted_by_ngrams(tiny, monkeypatch)
    # something to count: nothing is known after a text of one token
    text = "abcabdabcab"
    assert follows_through_the_engine(by_ngrams, enumerated(tiny, prompt=text), algorithm, topology, 5, prompt=text, source="ngram")


@pytest.mark.parametrize("algorithm", ["gsd", "gsd_wor", "block"])
def test_joint_distribution_where_some_nodes_have_no_guess(monkeypatch, algorithm):
    tiny, text = tiny_pair(6), "abcabdabcab"
    sparse = drafted_by_ngrams(tiny, monkeypatch, least=2)
    topology = "sequence" if algorithm == "block" else "specinfer"
    assert follows_through_the_engine(sparse, enumerated(tiny, prompt=text), algorithm, topology, 5, prompt=text, source="ngram")


def test_a_guess_that_is_taken_back_once_it_is_drawn_is_caught(monkeypatch):
    """Whether there is a guess must follow from the path alone: here it is taken back if the token drawn has a large id."""
    tiny, text = tiny_pair(6), "abcabdabcab"
    peeking = drafted_by_ngrams(tiny, monkeypatch, smoothing=0.5)
    draft = RecursiveRejection.draft

    def taken_back(self, q, k, noise, slots):
        drawn = draft(self, q, k, noise, slots)
        return drawn.masked_fill(drawn >= VOCAB // 2, -1)

    monkeypatch.setattr(RecursiveRejection, "draft", taken_back)
    assert not follows_through_the_engine(peeking, enumerated(tiny, prompt=text), "gsd", "sequence", 5, prompt=text, source="ngram")


@pytest.mark.parametrize("topology", ["tau_star", "dynamic"])
def test_where_there_is_no_guess_nothing_is_drafted_and_the_record_is_whole(pair, monkeypatch, topology):
    sparse = drafted_by_ngrams(pair, monkeypatch, least=2)
    trace = ersd.run(sparse, PROMPTS[2], ersd.Settings("ersd", topology, max_new_tokens=48, source="ngram"))
    assert ersd.Trace.from_json(trace.to_json()) == trace
    empty = [step for step in trace.steps if not step.tokens]
    assert empty
    assert any(step.tokens for step in trace.steps)
    assert all(len(step.emitted) == 1 for step in empty)
    assert all(rank is not None for rank in ranks_of(sparse, trace).ranks)


def test_a_record_of_a_run_without_a_draft_model_is_whole(pair, monkeypatch):
    trace = ersd.run(
        drafted_by_ngrams(pair, monkeypatch), PROMPTS[2], ersd.Settings("gsd_wor", "specinfer", max_new_tokens=48, source="ngram")
    )
    assert ersd.Trace.from_json(trace.to_json()) == trace
    assert trace.stats["accepted"] > 0
    assert all(0 < q <= 1 for step in trace.steps for q in step.draft_probs)


@pytest.mark.parametrize("topology", ["tau_star", "dynamic"])
@pytest.mark.parametrize(
    ("spoilt", "message"),
    [
        (lambda logits: logits * torch.nan, "logits that are not numbers"),
        (lambda logits: logits[:, :5], "a logit for each of 8 tokens, got 5"),
    ],
)
def test_a_source_whose_logits_cannot_be_used_is_an_error_in_words(monkeypatch, topology, spoilt, message):
    by_ngrams = drafted_by_ngrams(tiny_pair(8), monkeypatch)
    make = MAKERS["ngram"]

    def spoilt_source(pair):
        source = make(pair)
        root = source.root
        source.root = lambda sequence: spoilt(root(sequence))
        return source

    monkeypatch.setitem(MAKERS, "ngram", spoilt_source)
    with pytest.raises(ValueError, match=f"step 1: the draft .*{message}"):
        ersd.run(by_ngrams, "abc", ersd.Settings("ersd", topology, source="ngram"))


def test_a_pair_without_a_draft_model_is_refused_immediately_where_a_model_must_draft(pair):
    no_draft = dataclasses.replace(pair, draft=None)
    with pytest.raises(ValueError, match=r"algorithm must be autoregressive for embedded storyteller .*, which has no draft model"):
        ersd.generate(no_draft, "Once", ersd.Settings("gsd", "batch"))
    plain = ersd.Settings("autoregressive", max_new_tokens=12)
    assert tokens_of(no_draft, "Once", plain) == tokens_of(pair, "Once", plain)
