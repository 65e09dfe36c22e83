"""A trace against a pair: the same text, or where it begins to differ."""

from dataclasses import replace

import pytest

import ersd
from ersd.rerun import Replay
from ersd.settings import Settings
from tests.ersd.tiny import tiny_pair


@pytest.fixture(scope="module")
def pair():
    return tiny_pair()


@pytest.mark.parametrize("algorithm", ["ersd", "gsd", "block", "autoregressive"])
def test_the_same_machine_writes_the_same_text(pair, algorithm):
    trace = ersd.run(pair, "abc", Settings(algorithm, "sequence", 3, max_new_tokens=20, seed=5))
    found = ersd.replay(trace, pair)
    assert found.differs_at is None
    assert str(found) == "the same text: all 20 tokens"


def test_another_text_is_told_from_its_first_token_on(pair):
    trace = ersd.run(pair, "abc", Settings("ersd", "sequence", 3, max_new_tokens=20, seed=5))
    other = ersd.replay(replace(trace, settings=replace(trace.settings, seed=6)), pair)
    assert other.differs_at is not None
    assert trace.token_ids[: other.differs_at] == other.here[: other.differs_at]
    assert f"from token {other.differs_at + 1} on" in str(other)


def test_a_trace_says_what_wrote_it_and_a_replay_what_is_different_here(pair):
    trace = ersd.run(pair, "abc", Settings("ersd", "sequence", 3, max_new_tokens=8))
    assert set(trace.made_with) == {"precision", "device", "torch", "transformers", "target", "draft"}
    assert trace.made_with["precision"] == "float32"
    assert trace.made_with["target"].startswith("sample ")
    assert trace.made_with["target"] != trace.made_with["draft"]
    assert tiny_pair().made_with == trace.made_with, "the same weights have the same name"
    elsewhere = replace(trace, made_with={**trace.made_with, "precision": "bfloat16"}, token_ids=[*trace.token_ids[:-1], 99])
    found = ersd.replay(elsewhere, pair)
    assert found.changed == ["precision"]
    assert str(found).endswith("; different here: precision")


def test_a_text_that_ends_earlier_differs_where_it_ends():
    assert Replay([1, 2], [1, 2, 3]).differs_at == 2
    assert Replay([1, 2, 3], [1, 2]).differs_at == 2
    assert Replay([], []).differs_at is None
