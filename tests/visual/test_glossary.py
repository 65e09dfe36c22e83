"""The table of terms."""

from __future__ import annotations

import re

from visual.payload.messages import kit
from visual.payload.sentences.exactness import badge
from visual.payload.sentences.glossary import BY_ID, TERMS

from .fakes import BY_KIND


def test_every_symbol_that_newcomers_asked_for_is_in_the_table():
    signs = {sign for term in TERMS for sign in term.signs}
    asked = {
        "P",
        "Q",
        "E",
        "TV",
        "D_HM",
        "H[R]",
        "KL",
        "rank law",
        "τ*",
        "k",
        "ρ*",
        "joint",
        "keep",
        "␣",
        "by parts",
        "embedded storyteller",
    }
    assert asked <= signs


def test_every_term_is_one_sentence_and_stands_once():
    assert len(BY_ID) == len(TERMS)
    signs = [sign for term in TERMS for sign in term.signs]
    assert len(set(signs)) == len(signs)
    for term in TERMS:
        assert term.sentence.endswith(".")
        assert not re.search(r"\.\s+[A-Z]", term.sentence), term.id
        assert not term.paper or re.fullmatch(r"\d{4}\.\d{5}", term.paper)


def test_the_browser_gets_the_whole_table_and_badges_are_in_it():
    assert [term["id"] for term in kit()["glossary"]] == [term.id for term in TERMS]
    assert all(badge(settings)["term"] in BY_ID for settings in BY_KIND.values())
