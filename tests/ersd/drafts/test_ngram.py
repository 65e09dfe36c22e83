"""Drafts that no model makes: a source entered in a table of `drafting/`, and nothing else anywhere."""

import dataclasses

import pytest

import ersd
from ersd.rules.registry import TRAITS
from tests.ersd.rules.test_output_law import enumerated, follows_through_the_engine

from ..ngram import drafted_by_ngrams
from ..statistical import DRAFTING, tokens_of
from ..test_engine import PROMPTS
from ..tiny import tiny_pair

SMOOTHINGS = (0.0, 0.001)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@pytest.mark.parametrize("topology", ersd.TOPOLOGIES)
@pytest.mark.parametrize("algorithm", ["ersd", "greedy"])
def test_what_the_target_alone_decides_stays_as_it_is(monkeypatch, algorithm, topology, smoothing):
    tiny = tiny_pair(8)
    alone, accepted = drafted_by_ngrams(tiny, monkeypatch, smoothing), 0
    for seed in range(3):
        settings = ersd.Settings(algorithm, topology, draft_tokens=8, seed=seed, max_new_tokens=40, temperature=0.6)
        one_by_one = {"ersd": "autoregressive", "greedy": "greedy"}[algorithm]
        steps = list(ersd.generate(alone, "abc", settings, record=False))
        expected = tokens_of(tiny, "abc", dataclasses.replace(settings, algorithm=one_by_one, topology="sequence"))
        assert [token for step in steps for token in step] == expected
        accepted += len(expected) - len(steps)
    assert accepted


@pytest.mark.parametrize("topology", ["tau_star", "dynamic"])
def test_ersd_writes_the_autoregressive_text_of_the_embedded_target(pair, monkeypatch, topology):
    alone = drafted_by_ngrams(pair, monkeypatch)
    settings = ersd.Settings("ersd", topology, draft_tokens=8, seed=1, top_p=0.9, max_new_tokens=48)
    steps = list(ersd.generate(alone, PROMPTS[0], settings, record=False))
    expected = tokens_of(pair, PROMPTS[0], dataclasses.replace(settings, algorithm="autoregressive"))
    assert [token for step in steps for token in step] == expected
    assert len(steps) < len(expected)


@pytest.mark.parametrize("algorithm", DRAFTING)
def test_joint_law(monkeypatch, algorithm):
    tiny = tiny_pair(6)
    topology = "sequence" if TRAITS[algorithm].most_children == 1 else "tau_star"
    alone = drafted_by_ngrams(tiny, monkeypatch)
    # something to count: of a text of one token nothing is known
    assert follows_through_the_engine(alone, enumerated(tiny, prompt="abcabdabcab"), algorithm, topology, 5, prompt="abcabdabcab")


def test_a_record_of_a_run_without_a_draft_model_is_whole(pair, monkeypatch):
    alone = drafted_by_ngrams(pair, monkeypatch)
    trace = ersd.run(alone, PROMPTS[2], ersd.Settings("gsd_wor", "specinfer", max_new_tokens=48))
    assert ersd.Trace.from_json(trace.to_json()) == trace
    assert trace.stats["accepted"] > 0
    for step in trace.steps:
        for vertex, parent in enumerate(step.parents):
            assert 0 < step.draft_probs[vertex] <= 1
            assert step.depths[vertex] == (1 if parent < 0 else step.depths[parent] + 1)


def test_a_pair_without_a_draft_model_is_refused_at_once_where_a_model_must_draft(pair):
    alone = dataclasses.replace(pair, draft=None)
    with pytest.raises(ValueError, match=r"algorithm must be autoregressive for embedded storyteller .*, which has no draft model"):
        ersd.generate(alone, "Once", ersd.Settings("gsd", "batch"))
    expected = ersd.run(pair, "Once", ersd.Settings("autoregressive", max_new_tokens=12))
    assert ersd.run(alone, "Once", ersd.Settings("autoregressive", max_new_tokens=12)).token_ids == expected.token_ids
