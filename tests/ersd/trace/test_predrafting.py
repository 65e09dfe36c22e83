"""Drafting while the target verifies: which outcomes a recorded run would have prepared, and what that takes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from ersd.costs import Costs
from ersd.drafts.rank_distribution import RankDistribution
from ersd.settings import Settings
from ersd.trace.model import Trace
from ersd.trace.predrafting import MAX_OUTCOMES, OutcomeRecorder, is_computed_for
from tests.visual.fakes import bare_step, large_step, leaf_step, race_step

RECORDED = Path(__file__).resolve().parents[3] / "assets" / "recorded"
COSTS = Costs(target_1_ms=4.0, target_5_ms=5.0, target_17_ms=8.0, choice_ms=0.5, draft_ms=0.5, wider_ms=0.1)


def recorded_by(*steps, costs=COSTS) -> OutcomeRecorder:
    recorder = OutcomeRecorder(costs)
    for step in steps:
        recorder.add(step)
    return recorder


def likeliest_first(step, ranks: RankDistribution) -> list[tuple[int, int]]:
    """Every outcome (node, rank) of a step, written down one by one."""
    found = []
    chances = ranks.probabilities(200)
    for node in range(-1, len(step.tokens)):
        reached, at = 1.0, node
        while at >= 0:
            reached *= chances[step.ranks[at] - 1]
            at = step.parents[at]
        children = step.parents.count(node)
        found += [(-reached * chances[rank - 1], node, rank) for rank in range(children + 1, children + 1 + MAX_OUTCOMES)]
    return [(node, rank) for _, node, rank in sorted(found)]


@pytest.mark.parametrize("name", ["first-look.json", "gallery/ersd.json", "gallery/large-tree.json"])
def test_of_a_recorded_run_the_outcomes_are_found_where_they_lie(name):
    trace = Trace.from_json((RECORDED / name).read_text(encoding="utf-8"))
    recorder, ranks = recorded_by(*trace.steps), RankDistribution()
    for place, (before, step) in zip(recorder.places, pairwise(trace.steps), strict=True):
        last = before.walk[-1]
        outcome = (last.vertex, last.rank if last.rank is not None else step.leaf_rank)
        expected = 1 + likeliest_first(before, ranks).index(outcome)
        assert place == expected or (place > MAX_OUTCOMES and expected > MAX_OUTCOMES)
        for visit in before.walk:
            if visit.tries:
                ranks.observe(visit.rank, len(visit.tries))
    hits = [recorder.with_outcomes(count).hits for count in range(1, MAX_OUTCOMES + 1)]
    assert hits == sorted(hits), "whoever prepares more finds as many"
    assert recorder.best(is_wide_free=True).hits == hits[-1]


def test_what_preparing_takes():
    # the first step ends at node 1 with rank 9 of one child drafted there: the 8th arrival after it
    recorder = recorded_by(race_step(), replace(race_step(), draft_ms=2.0))
    draft, busy, first, more = recorder.times[0]
    assert (draft, busy) == pytest.approx((2.0, 2.0 + 0.1))
    assert first == pytest.approx(2.0 + 0.5 + 0.1), "a level more, which scores two leaves"
    assert more == pytest.approx(0.3), "the root and two nodes with children"
    one, four = recorder.with_outcomes(1), recorder.with_outcomes(4)
    assert four.drafting_ms[0] - one.drafting_ms[0] == pytest.approx(0.9)
    assert recorder.with_outcomes(4, is_wide_free=True).drafting_ms == pytest.approx([2.5])


def test_a_prepared_step_waits_for_the_rest_and_another_for_a_draft():
    rare = replace(leaf_step("race"), leaf_rank=60, draft_ms=1.5)
    usual = replace(leaf_step("race"), leaf_rank=1, draft_ms=1.5)
    recorder = recorded_by(leaf_step("race"), usual, rare)
    run = recorder.with_outcomes(2)
    assert run.is_prepared == [True, False]
    # one leaf; the tree scores its root: 1.5 + 0.5 for the leaf + 0.1 for the second outcome, and the call takes 2.1
    assert run.drafting_ms == pytest.approx([2.1, 2.1])
    assert run.waits_ms == pytest.approx([0.0, 1.5])
    late = recorded_by(leaf_step("race"), replace(usual, draft_ms=4.0)).with_outcomes(1)
    assert late.waits_ms == pytest.approx([4.5 - 2.1])


def test_what_the_draft_never_reaches_is_never_prepared():
    for rank in (None, 0, -3):
        recorder = recorded_by(leaf_step("race"), replace(leaf_step("race"), leaf_rank=rank))
        assert recorder.best(is_wide_free=True).hits == 0
    assert recorded_by(race_step()).best() is None
    last = recorded_by(leaf_step("race"), replace(bare_step(), draft_ms=0.0)).with_outcomes(1)
    assert (last.waits_ms, last.drafting_ms) == ([0.0], [0.0]), "the text ends before another draft"
    assert recorded_by(large_step([-1] * 3), leaf_step("race")).best() is not None


@pytest.mark.parametrize(
    ("settings", "is_computed"),
    [
        (Settings("ersd", "tau_star"), True),
        (Settings("ersd", "poisson"), True),
        (Settings("ersd", "sequence", source="ngram"), True),
        (Settings("ersd", "sequence", source="exit"), False),
        (Settings("gsd", "sequence"), False),
        (Settings("autoregressive"), False),
    ],
)
def test_only_for_races_with_a_draft_of_its_own(settings, is_computed):
    assert is_computed_for(settings) == is_computed
