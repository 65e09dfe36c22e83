"""The engine at both ends of every setting: each rule on each topology writes what the limit means, recorded or not."""

from __future__ import annotations

import math

import pytest
import torch

import ersd
from ersd.rules.registry import TRAITS

from .hostile import refusal
from .statistical import COMBINATIONS, tokens_of
from .tiny import OneLayer, letters, make_pair

CONTEXT = 300
"""More than the 256 tokens of the longest chain."""
PROMPT, LENGTH = "abc", 4
RACES = [each for each in COMBINATIONS if TRAITS[each[0]].kind == "race" and TRAITS[each[0]].drafts]
CHAINS = [each for each in COMBINATIONS if each[1] == "sequence"]
"""Every rule once."""


@pytest.fixture(scope="module")
def tiny() -> ersd.ModelPair:
    return make_pair(OneLayer(8, seed=1, context=CONTEXT).eval(), OneLayer(8, seed=2, context=CONTEXT).eval(), letters(8))


@pytest.fixture(scope="module")
def greedy_text(tiny) -> list[int]:
    """The likeliest token of a plain forward pass over the whole text, again and again."""
    return continued(tiny, tiny.target.model, tiny.encode(PROMPT), LENGTH)


@torch.inference_mode()
def continued(tiny, model, ids: list[int], count: int) -> list[int]:
    new: list[int] = []
    while len(new) < count:
        new.append(model(torch.tensor([ids + new])).logits[0, -1].argmax().item())
    return new


def settings(algorithm: str, topology: str, **fields) -> ersd.Settings:
    return ersd.Settings(
        algorithm, topology, **{"draft_tokens": 4, "branching": (2, 1), "sequences": 2, "max_new_tokens": LENGTH, **fields}
    )


def trace_of(tiny, prompt: str, chosen: ersd.Settings) -> ersd.Trace:
    """A recorded run, checked to write what the unrecorded one writes and to hold numbers only."""
    trace = ersd.run(tiny, prompt, chosen)
    assert trace.token_ids == tokens_of(tiny, prompt, chosen)
    whole = trace.to_json()
    assert "NaN" not in whole
    assert "Infinity" not in whole
    assert ersd.Trace.from_json(whole).token_ids == trace.token_ids
    return trace


# --- one token is left ------------------------------------------------------------------------------------------------------------------

LEAST = {
    "temperature 5e-324": {"temperature": 5e-324},
    "top_k 1": {"top_k": 1, "temperature": 5},
    "top_p 5e-324": {"top_p": 5e-324, "temperature": 5},
}
"""Sampling settings that leave the target's likeliest token."""
NEAR = {
    "temperature 0": {"temperature": 0},
    "temperature 1e-310": {"temperature": 1e-310, "top_p": math.nextafter(1, 0), "top_k": 7},
    "temperature 1e-40": {"temperature": 1e-40},
    "top_p 1e-310": {"top_p": 1e-310, "top_k": 1_000_000},
}
"""More such settings; `test_sampling` has the distributions of all."""
GREEDY = [
    pytest.param(way, sampling, id="-".join((*way, name)))
    for turn, way in enumerate(COMBINATIONS)
    for place, (name, sampling) in enumerate((LEAST | NEAR).items())
    if way in CHAINS or place == turn % len(LEAST)
]
"""All for every rule once, on its other trees one of LEAST in turns."""


@pytest.mark.parametrize(("way", "sampling"), GREEDY)
def test_the_text_is_greedy_where_one_token_is_left(tiny, greedy_text, way, sampling):
    """Also by the lossy rule, which is exact at its leniency of 0."""
    assert trace_of(tiny, PROMPT, settings(*way, seed=3, **sampling)).token_ids == greedy_text


@pytest.mark.parametrize("leniency", [math.nextafter(1, 0), 1])
@pytest.mark.parametrize("sampling", LEAST.values(), ids=LEAST)
def test_the_most_lenient_rule_writes_the_drafts_greedy_tokens_and_one_of_the_target_a_step(tiny, sampling, leniency):
    ids = tiny.encode(PROMPT)
    for step in trace_of(tiny, PROMPT, settings("lossy", "sequence", leniency=leniency, **sampling)).steps:
        new = [one.token for one in step.emitted]
        assert new[:-1] == continued(tiny, tiny.draft.model, ids, len(new) - 1) == step.tokens
        assert new[-1:] == continued(tiny, tiny.target.model, ids + new[:-1], 1)
        ids += new


# --- nothing is cut, or almost nothing --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", CHAINS, ids="-".join)
def test_settings_that_cut_nothing_change_nothing(tiny, way):
    whole = tokens_of(tiny, PROMPT, settings(*way))
    for same in ({"top_k": 8}, {"top_k": 1_000_000}, {"top_p": math.nextafter(1, 0)}, {"temperature": math.nextafter(1, 2)}):
        assert trace_of(tiny, PROMPT, settings(*way, **same)).token_ids == whole, same


SEEDS = [{"seed": seed} for seed in (0, 9_007_199_254_740_990, 9_007_199_254_740_991)]
HOT = [{"temperature": temperature} for temperature in (math.nextafter(5, 0), 5)]


@pytest.mark.parametrize("fields", [*HOT, *SEEDS], ids=str)
@pytest.mark.parametrize("way", RACES, ids="-".join)
def test_races_write_the_text_of_plain_decoding_at_the_greatest_temperature_and_seed(tiny, way, fields):
    assert trace_of(tiny, PROMPT, settings(*way, **fields)).token_ids == tokens_of(
        tiny, PROMPT, settings("autoregressive", way[1], **fields)
    )


@pytest.mark.parametrize("fields", [HOT[-1], SEEDS[-1]], ids=str)
@pytest.mark.parametrize("way", CHAINS, ids="-".join)
def test_every_rule_runs_at_the_greatest_temperature_and_seed(tiny, way, fields):
    assert len(trace_of(tiny, PROMPT, settings(*way, **fields)).token_ids) == LENGTH


def test_neighbouring_seeds_write_different_texts_up_to_the_greatest(tiny):
    texts = [
        tuple(tokens_of(tiny, PROMPT, settings("ersd", "sequence", seed=seed, max_new_tokens=40)))
        for seed in (0, 1, 9_007_199_254_740_990, 9_007_199_254_740_991)
    ]
    assert len(set(texts)) == 4


def test_the_least_leniency_is_standard_decoding_and_1_accepts_all_that_is_drafted(tiny):
    standard = trace_of(tiny, PROMPT, settings("gsd", "sequence", max_new_tokens=40))
    for leniency in (0, 5e-324):
        lenient = trace_of(tiny, PROMPT, settings("lossy", "sequence", leniency=leniency, max_new_tokens=40))
        assert [step.emitted for step in lenient.steps] == [step.emitted for step in standard.steps]
    assert any(step.accepted < len(step.tokens) for step in standard.steps)
    for leniency in (math.nextafter(1, 0), 1):
        lenient = trace_of(tiny, PROMPT, settings("lossy", "sequence", leniency=leniency, max_new_tokens=40))
        assert [step.accepted for step in lenient.steps] == [4] * 8


# --- trees ------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("draft_tokens", [1, 256])
@pytest.mark.parametrize("way", COMBINATIONS, ids="-".join)
def test_a_tree_of_1_or_256_tokens_fits_what_is_left_of_the_text(tiny, way, draft_tokens):
    trace = trace_of(tiny, PROMPT, settings(*way, draft_tokens=draft_tokens, branching=(64, 3), sequences=64))
    assert len(trace.token_ids) == LENGTH
    left = LENGTH
    for step in trace.steps:
        assert len(step.tokens) <= (256 if way[1] == "specinfer" else draft_tokens)
        assert max(step.depths, default=0) < left
        left -= len(step.emitted)


@pytest.mark.parametrize("algorithm", [name for name, _ in CHAINS if TRAITS[name].drafts])
def test_a_chain_of_256_tokens_is_drafted_whole(tiny, algorithm):
    chosen = settings(algorithm, "sequence", draft_tokens=256, max_new_tokens=257, temperature=5e-324)
    assert len(next(ersd.generate(tiny, PROMPT, chosen)).tokens) == 256


@pytest.mark.parametrize("topology", ["tau_star", "dynamic"])
def test_a_tree_of_the_race_has_256_tokens(topology):
    pair = make_pair(OneLayer(26, seed=1).eval(), OneLayer(26, seed=2).eval(), letters(26))  # more tokens than siblings
    assert len(next(ersd.generate(pair, PROMPT, settings("ersd", topology, draft_tokens=256, max_new_tokens=32))).tokens) == 256


@pytest.mark.parametrize("branching", [(1,), (64,), (1,) * 16, (16, 15), (64, 3)], ids=str)
@pytest.mark.parametrize("algorithm", [name for name, topology in COMBINATIONS if topology == "specinfer"])
def test_a_branching_at_its_ends_writes_the_greedy_text(tiny, greedy_text, algorithm, branching):
    assert trace_of(tiny, PROMPT, settings(algorithm, "specinfer", branching=branching, temperature=5e-324)).token_ids == greedy_text


@pytest.mark.parametrize(("sequences", "draft_tokens"), [(1, 6), (64, 1), (64, 256)])
@pytest.mark.parametrize("algorithm", [name for name, topology in COMBINATIONS if topology == "multi_sequence"])
def test_1_or_64_sequences_write_the_greedy_text(tiny, greedy_text, algorithm, sequences, draft_tokens):
    fields = {"sequences": sequences, "draft_tokens": draft_tokens}
    assert trace_of(tiny, PROMPT, settings(algorithm, "multi_sequence", **fields, temperature=5e-324)).token_ids == greedy_text


# --- ends of the text -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", COMBINATIONS, ids="-".join)
def test_one_token_asked_for_is_one_step_without_a_draft(tiny, greedy_text, way):
    trace = trace_of(tiny, PROMPT, settings(*way, draft_tokens=256, max_new_tokens=1, temperature=5e-324))
    assert ([step.tokens for step in trace.steps], trace.token_ids, trace.stopped) == ([[]], greedy_text[:1], "max_new_tokens")


@pytest.mark.parametrize("left", [1, 2])
@pytest.mark.parametrize("way", COMBINATIONS, ids="-".join)
def test_the_last_tokens_of_the_context_are_written(tiny, way, left):
    prompt = ("abcdefgh" * CONTEXT)[: CONTEXT - left]
    trace = trace_of(tiny, prompt, settings(*way, draft_tokens=256, temperature=5e-324))
    assert trace.token_ids == continued(tiny, tiny.target.model, tiny.encode(prompt), left)
    assert trace.stopped == "end of context"


def test_a_prompt_that_fills_the_context_is_refused_and_a_token_less_is_not(tiny):
    assert len(tiny.encode("a" * 299)) == 299
    for count in (300, 301):
        message = f"prompt must leave room in the target's context of 300 tokens, got {count} tokens"
        assert refusal(lambda count=count: tiny.encode("a" * count)) == message
