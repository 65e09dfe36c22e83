"""Deciding all vertices of a tree at once, as on a GPU, is deciding those the walk comes to."""

import json

import pytest

import ersd
from ersd.drafts.topologies import TOPOLOGIES, is_allowed
from ersd.rules.at_once import decided_at_once
from ersd.rules.builtin import RULES

from ..test_engine import PROMPTS

WAYS = [(algorithm, topology) for algorithm in RULES for topology in TOPOLOGIES if is_allowed(algorithm, topology)]


def told(trace):
    """All but the times; ρ* of many vertices together is solved to other last digits than alone."""
    steps = json.loads(trace.to_json(), parse_float=lambda digits: float(f"{float(digits):.9g}"))["steps"]
    return [{name: value for name, value in step.items() if not name.endswith("_ms")} for step in steps]


@pytest.mark.parametrize(("algorithm", "topology"), [way for way in WAYS if way[0] != "block"])
def test_the_same_steps_as_vertex_by_vertex(pair, algorithm, topology, monkeypatch):
    chosen = ersd.Settings(algorithm, topology, draft_tokens=8, max_new_tokens=14, seed=8, top_k=30, leniency=0.3)
    expected = ersd.run(pair, PROMPTS[4], chosen)
    asked = []
    rule = type(RULES[algorithm])
    monkeypatch.setattr(rule, "deciding", lambda self, scored: asked.append(1) or decided_at_once(self, scored))
    trace = ersd.run(pair, PROMPTS[4], chosen)
    assert len(asked) == len(trace.steps)
    assert told(trace) == told(expected)
