"""The source `frequent`: the draft's head on its most frequent tokens."""

import dataclasses

import pytest
import torch

import ersd
from ersd.drafts.frequent import Frequent
from ersd.models.pair import make_pair
from ersd.rules.builtin import RULES

from ..rules.test_engine_output import VOCAB, enumerated, follows_through_the_engine
from ..statistical import DRAFTING
from ..test_decoding import PROMPTS
from ..tiny import TINY_PAIRS, letters, llama, tiny_pair
from .test_ngram import table_of, topology_of

KEPT = {"source": "frequent", "frequent_tokens": 3}


@pytest.mark.parametrize("way", TINY_PAIRS)
def test_the_guesses_are_the_drafts_own_on_the_frequent_tokens(way):
    pair = TINY_PAIRS[way](8)
    object.__setattr__(pair, "by_frequency", [5, 1, 6, 0, 2, 3, 4, 7])
    source = Frequent(pair, 3)
    with torch.inference_mode():
        q = source.root(pair.encode("abcab"))[-1].softmax(-1)
        own = pair.draft.model(torch.tensor([pair.encode("abcab")])).logits[0, -1].softmax(-1)
    assert q[[0, 2, 3, 4, 7]].sum() == 0
    assert q[[1, 5, 6]].tolist() == pytest.approx((own[[1, 5, 6]] / own[[1, 5, 6]].sum()).tolist(), abs=1e-5)


def test_the_order_of_frequency():
    pair = dataclasses.replace(tiny_pair(4), ngrams=table_of(4))
    object.__setattr__(pair.ngrams, "counts", (torch.tensor([2.0, 7.0, 1.0, 7.0]).numpy(), *pair.ngrams.counts[1:]))
    assert pair.by_frequency == [1, 3, 0, 2]
    target = llama(8, seed=1)
    target.generation_config.eos_token_id = 6
    assert make_pair(target, None, letters(8)).by_frequency == [6, 0, 1, 2, 3, 4, 5, 7]


@pytest.mark.parametrize("algorithm", DRAFTING)
def test_joint_distribution(algorithm):
    tiny = tiny_pair(VOCAB)
    assert follows_through_the_engine(tiny, enumerated(tiny), algorithm, topology_of(algorithm), 5, **KEPT)


def test_guesses_judged_by_the_whole_heads_distribution_are_caught(monkeypatch):
    """Drawn from the frequent tokens alone, but judged as if drawn from all: they are accepted too often."""
    gsd, tiny = RULES["gsd"], tiny_pair(VOCAB)
    verify = gsd.verify
    monkeypatch.setattr(
        gsd, "verify", lambda p, q, children, noise: verify(p, None if q is None else q * 0.5, children, noise), raising=False
    )
    assert not follows_through_the_engine(tiny, enumerated(tiny), "gsd", "sequence", 5, **KEPT)


def test_a_token_that_could_not_be_guessed_is_known_by_its_rank(pair):
    trace = ersd.run(pair, PROMPTS[1], ersd.Settings(max_new_tokens=64, source="frequent", frequent_tokens=200))
    assert ersd.Trace.from_json(trace.to_json()) == trace
    outside = [one for step in trace.steps for one in step.emitted if one.frequency_rank > 200]
    assert outside
    assert {one.source for one in outside} == {"target"}
    assert all(pair.by_frequency[one.frequency_rank - 1] == one.token for one in outside)
    rows = [row for step in trace.steps for visit in step.walk if visit.tries for row in visit.rows]
    assert all((row.q > 0) == (pair.by_frequency.index(row.token) < 200) for row in rows)
    plain = ersd.run(pair, "Once", ersd.Settings(max_new_tokens=4)).to_json()
    assert "frequency_rank" not in plain
    assert "routing" not in plain


def test_more_tokens_than_there_are_is_the_whole_head():
    tiny = tiny_pair(8)
    settings = ersd.Settings(draft_tokens=4, max_new_tokens=20)
    whole = ersd.run(tiny, "abc", settings)
    frequent = ersd.run(tiny, "abc", dataclasses.replace(settings, **{**KEPT, "frequent_tokens": 1000}))
    assert [step.tokens for step in frequent.steps] == [step.tokens for step in whole.steps]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"frequent_tokens": 0, "source": "frequent"}, "frequent_tokens must be a whole number from 1 to 1000000, got 0"),
        ({"frequent_tokens": 5}, "frequent_tokens must be 1024 for source model, which may guess every token, got 5"),
        ({"price": 0.1}, "price must be 0 for tau_star, whose size is fixed before anything is drafted, got 0.1"),
        ({"price": 1.5, "topology": "dynamic"}, "price must be a number from 0 to 1, got 1.5"),
    ],
)
def test_settings_that_a_source_or_a_tree_does_not_have_are_refused(fields, message):
    with pytest.raises(ValueError, match=message):
        ersd.Settings(**fields)


def test_a_rule_that_drafts_nothing_ignores_them():
    ersd.Settings("autoregressive", frequent_tokens=5, price=0.5)


def test_without_a_draft_model_there_is_no_head(pair):
    with pytest.raises(ValueError, match=r"must be one of ngram, exit, routed for pair, which has no draft model, got .frequent."):
        ersd.generate(make_pair(llama(8), None, letters(8)), "abc", ersd.Settings(source="frequent"))
