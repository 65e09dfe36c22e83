"""A rule from outside the package: the tests of the registry's rules find it and it passes them, and the record of a run of it is true."""

import dataclasses

import pytest

import ersd
from ersd.cli.report import report
from ersd.drafts.topologies import is_allowed
from ersd.formatting import decimal
from ersd.rules.builtin import RULES, register
from ersd.trace.model import Trace

from . import statistical, test_redecide
from .lab import test_simulation
from .naive import Naive, add_naive
from .rules import test_engine_output, test_joint_output, test_output
from .tiny import tiny_pair


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    add_naive(monkeypatch)


def test_the_parametrised_tests_would_find_it():
    """Every test of the output distribution is parametrised by these lists of the registry's rules."""
    assert statistical.lossless() == [*statistical.LOSSLESS, "naive"]
    assert statistical.drafting() == [*statistical.DRAFTING, "naive"]
    found = [each for each in statistical.combinations() if each not in statistical.COMBINATIONS]
    assert found == [("naive", topology) for topology in ersd.TOPOLOGIES if topology not in ("dynamic", "poisson")]
    assert "naive" in RULES
    assert "naive" in ersd.ALGORITHMS


def test_it_passes_the_tests_of_rules():
    test_joint_output.test_joint_distribution("naive", (3, 1, 2))
    test_output.test_output_and_acceptance("naive")
    test_output.test_children_follow_the_draft("naive")
    test_output.test_a_rule_does_not_touch_its_inputs("naive")
    for p, q in test_simulation.EDGES.values():
        test_simulation.test_edges_behave("naive", 3, p, q)


def test_it_passes_the_tests_through_the_engine(monkeypatch):
    tiny = tiny_pair(test_engine_output.VOCAB)
    assert test_engine_output.follows_through_the_engine(tiny, test_engine_output.enumerated(tiny), "naive", "tau_star", 5)
    for topology in ("tau_star", "multi_sequence"):
        test_redecide.test_every_decision_of_the_engine_is_the_rules_own("naive", topology, "cut", tiny_pair(8), monkeypatch)


def test_it_is_refused_only_for_having_no_order():
    assert [topology for topology in ersd.TOPOLOGIES if not is_allowed("naive", topology)] == ["dynamic", "poisson"]
    with pytest.raises(ValueError, match="the draft of naive has no order of all tokens to grow the tree by"):
        ersd.Settings("naive", "dynamic")


@pytest.mark.parametrize("k", [1, 6])
def test_the_record_holds_no_figure_that_is_not_known(pair, k):
    settings = ersd.Settings("naive", "specinfer", branching=(3, 1) if k > 1 else (1,), max_new_tokens=40, seed=k, top_k=40)
    trace = ersd.run(pair, "Once upon a time", settings)
    for step in trace.steps:
        assert step.block == []
        for visit in step.walk:
            assert visit.kind == "own draw"
            assert (visit.match, visit.rho, visit.bias, visit.margin, visit.predicted) == (None,) * 5
            assert (visit.optimum is None) == (not visit.tries)
            assert all((one.ratio, one.coin, one.left, one.drawn, one.draft_time) == (None,) * 5 for one in visit.tries)
            assert all((row.clock, row.draft_time, row.target_time, row.left) == (None, None, None, []) for row in visit.rows)
    assert trace.stats["predicted_acceptance"] is None
    assert trace.stats["optimal_acceptance"] is not None
    assert Trace.from_json(trace.to_json()) == trace
    assert f"acceptance  {decimal(trace.stats['acceptance'])} measured" in list(report(trace.steps, trace.settings))


def test_a_rule_that_says_joint_without_being_one_is_refused():
    rule = Naive()
    rule.traits = dataclasses.replace(rule.traits, joint=True)
    with pytest.raises(TypeError, match="must be a JointRule if its traits say joint"):
        register(rule)
