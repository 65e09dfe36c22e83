"""The text of the preview, without a browser."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from ersd.costs import Costs
from ersd.drafts.topologies import TREES, is_allowed
from ersd.rules.registry import TRAITS
from ersd.settings import METHODS, Settings
from visual.server.pairs import Pairs
from visual.ui.preview import preview

MEASURED = {name: [0.5, 0.3] for name in TRAITS}


def html(hazards: dict | None = MEASURED, costs: dict | None = None, **fields) -> str:
    """The preview for a pair with these hazards and costs; None: a pair that is not loaded."""
    prior = lambda settings: (hazards or {}).get(settings.algorithm, ())  # noqa: E731
    fake = SimpleNamespace(name="fake", decoding="", prior=prior, costs=costs or {}, notices=())
    pairs = Pairs({"fake": lambda: fake})
    if hazards is not None:
        pairs.get("fake")
    return preview(pairs, {**Settings().to_dict(), "models": "fake", **fields})


@pytest.mark.parametrize("algorithm", TRAITS)
def test_it_promises_no_more_than_the_rank_distribution_counts(algorithm):
    topology = "tau_star" if is_allowed(algorithm, "tau_star") else "sequence"
    traits = TRAITS[algorithm]
    for leniency in (0, 0.5):
        text = html(algorithm=algorithm, topology=topology, leniency=leniency)
        is_biased = leniency > 0 and not traits.lossless
        assert ("Biased: the text is off by 0.50" in text) == is_biased
        assert ("at least" in text) == (traits.joint or traits.from_leaves or is_biased)
        assert ("nothing is drafted" in text) == (not traits.drafts)


def test_it_names_the_source_of_its_expectation():
    assert ">measured for this pair at temperature 1<" in html(temperature=0.3)
    assert ">measured for this pair<" in html(algorithm="greedy")
    assert "a typical small pair: this one is not loaded yet" in html(None)
    assert "a typical small pair: this one was not measured for ersd<" in html({})
    assert "this one was not measured for ersd with n-grams<" in html({}, source="ngram")


def test_it_says_how_good_a_guess_is_and_what_it_costs_as_measured():
    costs = {"model": Costs(3.0, 3.5, 5.0, 0.1, draft_ms=0.75), "ngram": Costs(3.0, 3.5, 5.0, 0.1, draft_ms=4.5, source="ngram")}
    text = html(costs=costs)
    assert "<span>first guess is the target’s token</span> <b>50%</b>" in text
    assert "<span>draft call ÷ target call</span> <b>0.25</b>" in text
    assert "--share: 0.250" in text
    assert "0.75 ms against 3.0 ms" in text
    dear = html(costs=costs, source="ngram")
    assert "<b>1.50</b>" in dear
    assert "--share: 1.000" in dear, "a bar is no wider than its card"
    assert "first guess is accepted" in html(algorithm="gsd", topology="sequence", costs=costs)
    for without in (html(None), html({}), html(algorithm="autoregressive", costs=costs)):
        assert "meter" not in without


@pytest.mark.parametrize("certain", [{"temperature": 0}, {"top_k": 1}], ids=str)
def test_where_one_token_is_possible_it_draws_and_estimates_the_chain_that_can_be_drafted(certain):
    """A tree of two levels of three: only its first children exist, and 1 + 0.5 + 0.25 tokens come by the hazard of greedy decoding."""
    hazards = {name: [0.5, 0.4] if name == "greedy" else [0.9, 0.05] for name in TRAITS}
    text = html(hazards, topology="specinfer", branching=(3, 3), **certain)
    assert "2 drafted tokens, 2 levels" in text
    assert "1.75 tokens per call expected" in text
    assert ">measured for this pair<" in text
    assert "12 drafted tokens, 2 levels" in html(hazards, topology="specinfer", branching=(3, 3))
    assert "12 drafted tokens, 2 levels" in html(hazards, algorithm="greedy", topology="specinfer", branching=(3, 3), **certain)


@pytest.mark.parametrize("method", METHODS)
def test_it_marks_the_trees_that_the_rule_refuses(method):
    algorithm, topology = METHODS[method]
    refuses = not all(is_allowed(algorithm, name) for name in TREES)
    assert ("✕ not for" in html(algorithm=algorithm, topology=topology)) == refuses


def test_it_shows_what_settings_refuse():
    assert "Drafted tokens must be a whole number from 1 to 256, got 999" in html(draft_tokens=999)
    assert "seed" not in html(draft_tokens=999)
    assert "got '&lt;b&gt;'" in html(branching="<b>")


def test_it_says_how_many_arrivals_a_tree_of_laps_has():
    text = html(topology="poisson", draft_tokens=60, sequences=12)
    assert "12 arrivals on each of 5 levels; equal tokens are merged" in text
    assert "the more often a token arrives, the more guesses follow it" in text
