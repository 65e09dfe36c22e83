"""The text of the preview, without a browser."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from ersd.drafts.topologies import is_allowed
from ersd.rules.registry import TRAITS
from ersd.settings import METHODS, Settings
from visual.server.pairs import Pairs
from visual.ui.preview import preview

MEASURED = {name: [0.5, 0.3] for name in TRAITS}


def html(hazards: dict | None = MEASURED, **fields) -> str:
    """The preview for a pair with these hazards; None: a pair that is not loaded."""
    pairs = Pairs({"fake": lambda: SimpleNamespace(name="fake", decoding="", hazards=hazards, notices=())})
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
        assert ("at least" in text) == (traits.joint or is_biased)
        assert ("nothing is drafted" in text) == (not traits.drafts)


def test_it_names_the_source_of_its_expectation():
    assert "measured for this pair" in html()
    assert "a typical small pair: this one is not loaded yet" in html(None)
    assert "a typical small pair: this one was not measured for ersd" in html({})


@pytest.mark.parametrize("method", METHODS)
def test_it_marks_the_trees_that_the_rule_refuses(method):
    algorithm, topology = METHODS[method]
    refuses = not all(is_allowed(algorithm, name) for name in ("batch", "dynamic"))
    assert ("✕ not for" in html(algorithm=algorithm, topology=topology)) == refuses


def test_it_shows_what_settings_refuse():
    assert "Drafted tokens must be a whole number from 1 to 256, got 999" in html(draft_tokens=999)
    assert "seed" not in html(draft_tokens=999)
    assert "got '&lt;b&gt;'" in html(branching="<b>")
