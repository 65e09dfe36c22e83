"""Prompts, given anything at all: either they are encoded, or a ValueError says in one sentence what is wrong."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

from .hostile import LONGEST, anything, refusal


@settings(max_examples=100)
@given(st.one_of(anything, st.text(max_size=200)))
def test_a_prompt_is_encoded_or_refused_in_one_sentence(pair, prompt):
    message = refusal(lambda: pair.encode(prompt))
    assert not message or message.startswith("prompt must ")
    assert len(message) < LONGEST


def test_the_longest_prompt_is_counted_before_it_is_read(pair):
    assert refusal(lambda: pair.encode(" " * 1_000_000)).startswith("prompt must be some text, got ")
    assert "at most 1,000,000 characters, got 1,000,001" in refusal(lambda: pair.encode("x" * 1_000_001))
