"""Links with arbitrary values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

import ersd
from tests.ersd.hostile import LONGEST, TRICKY, refusal
from visual.payload.sentences.names import field_of, in_labels
from visual.server.tabs.compare import NO_METHOD, CompareRequest
from visual.ui.links import NAMES, for_generate_tab, models_in, settings_in
from visual.ui.tabs import compare_link

texts = st.one_of(st.sampled_from([str(one) for one in TRICKY]), st.text(max_size=30), st.integers().map(str), st.floats().map(str))
methods = st.lists(st.sampled_from([*ersd.METHODS, NO_METHOD, *map(str, TRICKY)]), max_size=4).map(",".join)


def names_its_field(message: str, longest: int) -> bool:
    return bool(field_of(message)) and in_labels(message) != message and len(message) < longest


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from([*NAMES, "tab", "x"]), texts, max_size=4))
def test_a_link_opens_a_run_or_names_the_invalid_field(query):
    message = refusal(lambda: settings_in(for_generate_tab(query), ersd.Settings()))
    assert not message or names_its_field(message, LONGEST)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"algorithm": "gsd", "topology": "dynamic"}, "the shape would depend on the drafted tokens"),
        ({"method": "none"}, "Method must be one of"),
        ({"seed": "9" * 5000}, "Seed must be "),
        ({"method": "SpecInfer", "branching": "9" * 5000}, "Branching must be "),
        ({"temperature": "1e400"}, "Temperature must be "),
    ],
)
def test_a_wrong_link_is_explained_briefly(query, words):
    message = in_labels(refusal(lambda: settings_in(for_generate_tab(query), ersd.Settings())))
    assert words in message
    assert len(message) < 500


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(compare_link.ASKS), texts, max_size=3), st.none() | methods)
def test_a_link_to_a_comparison_opens_it_or_names_the_invalid_field(query, named):
    query |= {"methods": named} if named is not None else {}
    usual = ("ERSD τ*", "standard", "one by one")
    message = refusal(lambda: compare_link.values_in(query, ersd.Settings(), usual))
    if message:
        assert names_its_field(message, LONGEST)
    else:
        assert len(CompareRequest(compare_link.values_in(query, ersd.Settings(), usual)).runs()) in (2, 3)


@given(st.dictionaries(st.just("models"), texts))
def test_a_link_opens_a_pair_of_this_server_or_names_the_one_it_wants(query):
    for offered in (["own", "public"], ["own", *query.values()]):
        models, problem = models_in(query, offered)
        assert models == (query["models"] if query.get("models") in offered else "own")
        assert bool(problem) == (query.get("models", "own") not in offered)
        assert not problem or names_its_field(problem, LONGEST)


def test_a_link_to_a_comparison_has_at_most_one_number_per_method_and_an_empty_field_stays_empty():
    usual = ("ERSD τ*", "standard", "one by one")
    query = {"methods": "ERSD τ*,standard", "draft_tokens": "4,"}
    values = compare_link.values_in(query, ersd.Settings(), usual)
    assert (values["draft_tokens_1"], values["draft_tokens_2"]) == (4, None)
    message = refusal(lambda: compare_link.values_in({**query, "draft_tokens": "4,5,6"}, ersd.Settings(), usual))
    assert message == "draft_tokens must be one number per method, got 3 for 2"


def test_a_link_to_a_comparison_may_have_a_source_for_each_method():
    usual = ("ERSD τ*", "standard", "one by one")
    query = {"methods": "ERSD τ*,ERSD τ*,block", "source": "model,ngram, exit"}
    runs = CompareRequest(compare_link.values_in(query, ersd.Settings(), usual)).runs()
    assert [run.source for run in runs] == ["model", "ngram", "exit"]
    runs = CompareRequest(compare_link.values_in({**query, "source": "ngram"}, ersd.Settings(), usual)).runs()
    assert {run.source for run in runs} == {"ngram"}
    every = CompareRequest(compare_link.values_in({**query, "source": "all"}, ersd.Settings(), usual)).runs(("ngram", "exit"))
    assert [(run.algorithm, run.source) for run in every[:-1]] == [("ersd", "ngram"), ("ersd", "exit")]
    assert every[-1].algorithm == "autoregressive"
    nothing = refusal(lambda: compare_link.values_in({"methods": "one by one,block", "source": "all"}, ersd.Settings(), usual))
    assert nothing == "method must be one that drafts, to compare sources of guesses, got 'one by one'"
    too_few = refusal(lambda: compare_link.values_in({**query, "source": "model,ngram"}, ersd.Settings(), usual))
    assert too_few == "source must be one for all methods or one per method, got 2 for 3"
    unknown = refusal(lambda: compare_link.values_in({**query, "source": "model,x,exit"}, ersd.Settings(), usual))
    assert unknown.startswith("source must be one of model, ngram, exit, frequent, foreign, routed, got")
