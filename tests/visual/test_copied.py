"""N-grams: which guesses stand earlier in the text, where, and how many of them were kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ersd
from visual.payload.copied import MAX_MATCHED, copied
from visual.payload.messages import recording

from .fakes import race_step, row, step, visit

BEFORE = "A fox said, I will help you. An owl said, I will go. The bear said,"


def guessing(*texts: str, parents: list[int] | None = None, kept: int = 0):
    """A step whose tree has these tokens, a chain unless `parents` are given; the first `kept` are accepted."""
    parents = list(range(-1, len(texts) - 1)) if parents is None else parents
    walk = [visit("race", [row(99, " x", p=1.0, q=0.5, clock=1.0)], token=99)]
    made = step(walk, parents=parents, tokens=range(1, 1 + len(texts)), texts=list(texts))
    own = made.emitted[-1]
    return replace(made, emitted=[*(replace(own, token=1 + at, text=texts[at], source="draft") for at in range(kept)), own])


@pytest.mark.parametrize(
    ("texts", "parents", "span", "words", "kept"),
    [
        ((" I", " will", " help", " you"), None, " I will help you", "4 guesses", 2),
        ((" I", " will", " go", "."), None, " I will go.", "4 guesses", 4),
        ((" I", " will", " eat"), None, " I will", "2 guesses", 0),  # of two places that read alike the latest
        ((" The", " I", " will", " go"), [-1, -1, 1, 2], " I will go", "3 guesses", 0),  # another branch of the tree
    ],
)  # fmt: skip
def test_the_longest_guess_that_stands_earlier_is_found_after_the_same_words(texts, parents, span, words, kept):
    found = copied(guessing(*texts, parents=parents, kept=kept), BEFORE)
    assert BEFORE[found["start"] : found["end"]] == span
    assert found["start"] == (BEFORE.rfind(f"said,{span}") + 5)
    assert BEFORE[found["start"] - found["matched"] : found["start"]] == "said,"
    assert found["words"] == f"{words} copied from earlier in the text"
    assert found["kept"] == f"{kept} kept"


@pytest.mark.parametrize(
    ("texts", "before"),
    [
        ((" I",), BEFORE),
        ((" We", " will"), BEFORE),
        ((" I", " will"), ""),
        ((" I", " will"), "   "),
        ((" I", " will"), "said,"),
        ((), BEFORE),
    ],
)
def test_what_is_not_there_or_a_single_word_is_not_called_a_copy(texts, before):
    assert copied(guessing(*texts), before) is None


def test_positions_count_as_the_browser_does_and_the_same_words_are_not_shown_without_end():
    before = "\U0001f98a" * 60 + " said, I will. " + "\U0001f98a" * 60 + " said,"
    found = copied(guessing(" I", " will"), before)
    units = before.encode("utf-16-le")
    assert units[2 * found["start"] : 2 * found["end"]].decode("utf-16-le") == " I will"
    assert found["matched"] <= 2 * MAX_MATCHED + 2


def test_only_runs_with_n_grams_carry_it(pair):
    prompt = "Tom said, I like the big red ball. Sue said, I like the big red ball. Ann said, I like the"
    for source, expected in (("ngram", True), ("model", False)):
        settings = ersd.Settings("ersd", "sequence", draft_tokens=6, max_new_tokens=6, seed=1, source=source)
        sent = recording(ersd.run(pair, prompt, settings), "recorded")
        assert ('"copied":' in sent) == expected
    assert "copied" not in str(race_step())
