"""The preview's words, without a browser."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from ersd.drafts.topologies import is_allowed
from ersd.rules.registry import TRAITS
from ersd.settings import METHODS, Settings
from visual.server.pairs import Pairs
from visual.ui.preview import Preview


@dataclass
class FakePair:
    name: str = "fake"
    decoding: str = "Nothing is decoded."
    hazards: dict[str, list[float]] = field(default_factory=lambda: {name: [0.5, 0.3] for name in TRAITS})


def preview(pair: FakePair | None = None) -> Preview:
    """With a pair in memory, or with one that is not loaded yet."""
    pairs = Pairs({"fake": lambda: pair or FakePair()})
    if pair:
        pairs.get("fake")
    return Preview(pairs, topology_menu="second-topology")


def html(which: Preview, **fields) -> str:
    return which.html({**Settings().to_dict(), "models": "fake", **fields})


@pytest.mark.parametrize("algorithm", TRAITS)
def test_it_promises_no_more_than_the_law_counts(algorithm):
    topology = "tau_star" if is_allowed(algorithm, "tau_star") else "sequence"
    traits = TRAITS[algorithm]
    for leniency in (0, 0.5):
        words = html(preview(FakePair()), algorithm=algorithm, topology=topology, leniency=leniency)
        biased = leniency > 0 and not traits.lossless
        assert ("Biased: the text is off by 0.50" in words) == biased
        assert ("at least" in words) == (traits.joint or biased)
        assert ("nothing is drafted" in words) == (not traits.drafts)


def test_it_says_where_the_expectation_is_from():
    assert "by the rank law measured for ersd on this pair" in html(preview(FakePair()))
    assert "is known once it is loaded" in html(preview())
    assert "nothing is measured for ersd on this one" in html(preview(FakePair(hazards={})))


@pytest.mark.parametrize("method", METHODS)
def test_it_marks_what_the_rule_refuses_in_its_own_menu(method):
    algorithm, topology = METHODS[method]
    words = html(preview(), algorithm=algorithm, topology=topology)
    assert ("✕ not for" in words) == (not all(is_allowed(algorithm, name) for name in ("batch", "dynamic")))
    assert "#topology" not in words.replace("#second-topology", "")


def test_what_is_wrong_is_said_in_the_words_of_settings():
    assert "seed" not in html(preview(), draft_tokens=999)
    assert "Drafted tokens must be a whole number from 1 to 256, got 999" in html(preview(), draft_tokens=999)
    assert "got '&lt;b&gt;'" in html(preview(), branching="<b>")
