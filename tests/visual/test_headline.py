"""The headline of a step: every case, one line, and counts that come out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ersd.rules.registry import ALGORITHMS, TRAITS
from ersd.settings import Settings
from ersd.trace.step import Emitted
from visual.payload.sentences.formatting import width
from visual.payload.sentences.headline import MAX_COLUMNS, headline, running_text

from .fakes import BY_KIND, SETTINGS, bare_step, block_step, coin_step, greedy_step, large_step, leaf_step, race_step, silent_step

SIGNS = {"": "", "accepted": "✓ ", "target": "★ "}
LOSSY = Settings(algorithm="lossy", topology="sequence", leniency=0.3)


def test_a_biased_rule_from_outside_has_the_headline_of_one(monkeypatch):
    monkeypatch.setitem(TRAITS, "lax", TRAITS["lossy"])
    monkeypatch.setitem(ALGORITHMS, "lax", "")
    assert "no guess was close enough" in written(coin_step(), replace(LOSSY, algorithm="lax"))


def written(step, settings=SETTINGS) -> str:
    return "".join(SIGNS[kind] + words for kind, words in headline(step, settings))


@pytest.mark.parametrize(
    ("step", "settings", "expected"),
    [
        (race_step(), SETTINGS, "2 tokens from one call: the draft guessed ✓ loved and the target added ★ swim"),
        (large_step([-1, -1]), SETTINGS, "1 token from one call: no guess was right, the target added ★ own"),
        (bare_step(), SETTINGS, "1 token from one call: nothing was drafted, the target wrote ★ loved"),
        (silent_step(), SETTINGS, "1 token from one call: the draft guessed ✓ <|end|> and the text ends there"),
        (coin_step(), BY_KIND["coins"], "1 token from one call: no guess survived its coin, the target added ★ y"),
        (block_step((0.9, 0.9, 0.9)), BY_KIND["block"], "1 token from one call: no guess survived its coin, the target added ★ own"),
        (block_step((0.1, 0.1, 0.1)), BY_KIND["block"], "4 tokens from one call: the draft guessed ✓ a b c and the target added ★ own"),
        (greedy_step(), BY_KIND["likelihood"], "1 token from one call: no guess was right, the target added ★ end"),
        (leaf_step("coins"), LOSSY, "2 tokens from one call: close enough were ✓ a and the target added ★ b"),
        (coin_step(), LOSSY, "1 token from one call: no guess was close enough, the target added ★ y"),
        (coin_step(), replace(LOSSY, leniency=0.0), "1 token from one call: no guess survived its coin, the target added ★ y"),
    ],
)
def test_the_headline_of_a_step(step, settings, expected):
    assert written(step, settings) == expected


def test_a_long_path_is_cut_in_its_middle_between_words():
    texts = [" toys", " when", " she", " saw", " that", " it", " had", " bumped"]
    assert running_text(texts, [], 22) == "toys when … bumped"
    for room in range(12, 60):
        assert width(running_text(texts, [], room)) <= room
    assert running_text([" Donaudampfschiff", "fahrts", "gesellschaft"], [], 16).count("…") == 1


def test_line_breaks_are_seen_and_tokens_without_letters_are_named():
    assert running_text([" end", ".", "\n", "Once"], [], 30) == "end. ↵ Once"
    assert running_text([""], ["<|end|>"], 30) == "<|end|>"


def test_a_headline_is_one_line_however_long_its_tokens_are():
    step = race_step()
    long = replace(step, emitted=[Emitted(token=2, text=" supercalifragilistic" * 3, source="draft"), step.emitted[1]])
    kinds = [kind for kind, _ in headline(long, SETTINGS)]
    assert kinds == ["", "accepted", "", "target"]
    assert sum(width(words) for kind, words in headline(long, SETTINGS) if kind) <= MAX_COLUMNS
