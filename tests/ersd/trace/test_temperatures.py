"""What a race is at other temperatures: all that could be first there is recorded, and the recorded sums are those of all tokens."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import torch

import ersd
from ersd.randomness import clocks
from ersd.trace.temperatures import TEMPERATURES
from ersd.trace.tempering import other_temperatures

from ..hostile import refusal

PROMPT = "Once upon a time there was a little girl named"
VOCAB = 3000


def distribution(seed: int) -> torch.Tensor:
    logits = torch.randn(VOCAB, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
    return (3 * logits).softmax(-1)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("temperature", [0.1, 0.8, 2.0, 5.0])
def test_whoever_is_first_somewhere_is_listed(seed, temperature):
    p, q, clock = distribution(seed), distribution(seed + 100), clocks(seed, 7, VOCAB)
    rows = (clock / q).topk(5, largest=False).indices.tolist()
    found = other_temperatures(p, q, clock, temperature, rows, 3, str)
    listed = {*rows, *found.tokens}
    assert found.texts == [str(token) for token in found.tokens]
    assert not set(rows) & set(found.tokens)
    for place, other in enumerate(TEMPERATURES):
        power = temperature / other
        target, draft = clock.log() - power * p.log(), clock.log() - power * q.log()
        assert int(target.argmin()) in listed
        assert set(draft.topk(found.ranks, largest=False).indices.tolist()) <= listed
        for values, sums in ((p, found.log_p_sums), (q, found.log_q_sums)):
            assert sums[place] == pytest.approx((power * values.log()).logsumexp(-1).item(), rel=1e-5, abs=1e-5)
    assert found.ranks >= 1


def test_a_token_that_was_left_out_would_be_missed():
    p, clock = distribution(1), clocks(1, 7, VOCAB)
    found = other_temperatures(p, None, clock, 0.8, [], 0, str)
    assert len(found.tokens) > 1, "the first arrival changes with the temperature"
    assert (found.q, found.log_q_sums, found.ranks) == ([], [], 0)


USUAL = ersd.Settings(draft_tokens=8, temperature=0.8, max_new_tokens=16, seed=12)


@pytest.mark.parametrize(
    "other",
    [
        {"temperature": 0.0}, {"temperature": 0.05}, {"top_k": 5}, {"top_p": 0.9}, {"topology": "dynamic"},
        {"algorithm": "greedy"}, {"algorithm": "gsd"}, {"algorithm": "autoregressive"},
    ],
)  # fmt: skip
def test_nothing_is_recorded_where_it_would_not_be_known(pair, other):
    run = ersd.run(pair, PROMPT, replace(USUAL, max_new_tokens=4, **other))
    assert all(visit.other_temperatures is None for step in run.steps for visit in step.walk)
    assert "other_temperatures" not in run.to_json()


@pytest.mark.parametrize(
    "tree", [{}, {"topology": "batch", "draft_tokens": 16, "temperature": 1.0}, {"draft_tokens": 64, "temperature": 1.6}]
)
def test_a_trace_grows_by_less_than_a_quarter(pair, tree):
    text = ersd.run(pair, PROMPT, replace(USUAL, **tree)).to_json()
    data = json.loads(text)
    for visit in (visit for step in data["steps"] for visit in step["walk"]):
        del visit["other_temperatures"]
    assert len(text) < 1.25 * len(json.dumps(data, ensure_ascii=False, separators=(",", ":")))


def test_columns_that_do_not_fit_are_refused(pair):
    data = json.loads(ersd.run(pair, PROMPT, replace(USUAL, max_new_tokens=4)).to_json())
    others = data["steps"][0]["walk"][0]["other_temperatures"]
    others["log_p_sums"] = others["log_p_sums"][1:]
    message = refusal(lambda: ersd.Trace.from_json(json.dumps(data)))
    assert message == f"trace.steps[0].walk[0].other_temperatures.log_p_sums must be {len(TEMPERATURES)} numbers or texts, got 19"
