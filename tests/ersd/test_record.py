"""What a rule did is written down as it was: residuals, laws drawn from, ρ*, bias, blocks, running theory."""

import json
import math

import pytest

import ersd
from ersd import theory
from ersd.trace import statistics

from .tiny import tiny_pair

PROMPT = "Once upon a time there was"


def run(pair, algorithm, topology, **more):
    return ersd.run(pair, PROMPT, ersd.Settings(algorithm, topology, **{"draft_tokens": 6, "max_new_tokens": 48, "seed": 4, **more}))


def visits(trace):
    return [(step, visit) for step in trace.steps for visit in step.walk if visit.tries]


@pytest.mark.parametrize("algorithm", ["gsd", "gsd_wor"])
def test_every_try_meets_what_the_rejections_before_left(pair, algorithm):
    trace = run(pair, algorithm, "batch")
    rejected = 0
    for step, visit in visits(trace):
        rows = {row.token: row for row in visit.rows}
        gone = 0.0
        for number, one in enumerate(visit.tries):
            row = rows[step.tokens[one.vertex]]
            assert one.left == pytest.approx(row.left[number - 1] if number else row.p)
            assert one.drawn == pytest.approx(row.q / (1 - gone) if algorithm == "gsd_wor" else row.q)
            assert one.ratio == pytest.approx(one.left / one.drawn)
            assert one.accepted == (one.coin < one.ratio)
            gone += row.q
        failed = len(visit.tries) - visit.accepted
        rejected += failed
        assert all(len(row.left) == failed for row in visit.rows)
        assert all(0 <= left <= 1 for row in visit.rows for left in row.left)
        if not visit.accepted:
            assert rows[visit.token].left[-1] > 0
    assert rejected > 5


def test_kseq_scales_by_rho(pair):
    trace = run(pair, "kseq", "batch")
    scaled = 0
    for step, visit in visits(trace):
        assert 1 <= visit.rho <= 6
        scaled += visit.rho > 1
        for one in visit.tries:
            assert one.ratio == pytest.approx(one.p / (visit.rho * one.q))
            assert one.left == one.p
        if not visit.accepted:
            own = next(row for row in visit.rows if row.token == visit.token)
            assert own.p > visit.rho * own.q
        assert step.block == []
    assert scaled


def test_leniency_is_paid_in_tv(pair):
    for step, visit in visits(run(pair, "lossy", "sequence", leniency=0.25)):
        assert visit.bias == pytest.approx(0.25 * visit.tv)
        assert visit.predicted == pytest.approx(1 - 0.75 * visit.tv)
        for one in visit.tries:
            exact = min(1.0, one.p / one.q)
            assert one.ratio == pytest.approx(exact + 0.25 * (1 - exact))
        assert step.block == []
    assert statistics(run(pair, "lossy", "sequence", leniency=0.25).steps).bias > 0


def test_a_block_is_written_down_whole(pair):
    cut = 0
    for step in run(pair, "block", "sequence").steps:
        if not step.tokens:
            continue
        assert [one.vertex for one in step.block] == list(range(len(step.tokens)))
        reached, last = 1.0, 0
        for place, one in enumerate(step.block, start=1):
            reached = min(1.0, reached * one.ratio)
            assert one.joint == pytest.approx(reached)
            assert 0 <= one.keep <= 1
            last = place if one.coin < one.keep else last
        assert step.block[-1].keep == step.block[-1].joint
        fails = 1.0
        for one in reversed(step.block):
            fails *= 1 - one.keep
        assert step.walk[0].predicted == pytest.approx(1 - fails)  # that the first token is kept: any coin may do it
        assert step.accepted == last
        cut += last < len(step.tokens)
    assert cut


def test_predicted_and_optimal_acceptance_are_those_of_the_theory(pair):
    for algorithm, topology in (("ersd", "tau_star"), ("gsd", "batch"), ("kseq", "multi_sequence"), ("gsd_wor", "specinfer")):
        for _, visit in visits(run(pair, algorithm, topology)):
            assert 0 <= visit.predicted <= 1 + 1e-9
            if algorithm in ("gsd", "kseq"):
                assert visit.predicted <= visit.optimum + 1e-9
            if algorithm == "ersd" and len(visit.tries) == 1:
                assert visit.predicted == visit.match


def test_the_bound_uses_the_entropy_measured_so_far(pair):
    trace = run(pair, "ersd", "tau_star", draft_tokens=16)
    ranks = []
    for step in trace.steps:
        ranks += [visit.rank for visit in step.walk if visit.tries]
        shares = [ranks.count(rank) / len(ranks) for rank in set(ranks)]
        assert step.rank_entropy == pytest.approx(-sum(r * math.log(r) for r in shares), abs=1e-9)
        if step.rank_entropy:
            assert step.bound == pytest.approx(theory.length_bound(pair.vocab_size, 16, step.rank_entropy))
        else:
            assert step.bound is None
    assert trace.steps[-1].bound > trace.stats["tokens_per_call"]


def test_observed_rejections_keep_to_the_sum_of_tv(pair):
    """Yin et al.: both count the same in expectation, so the difference is a martingale with steps of at most 1."""
    figures = statistics(run(pair, "gsd", "sequence", max_new_tokens=200).steps)
    assert figures.rejections > 10
    assert abs(figures.rejections - figures.tv) < 4 * math.sqrt(figures.visits) / 2
    assert figures.predicted / figures.visits == pytest.approx(1 - figures.tv / figures.visits)


def test_repeated_draws_go_on_after_each_under_kseq_and_after_the_first_under_gsd():
    """SpecTr keeps every sequence that agrees with the accepted prefix, Yin et al. keep one."""
    pair = tiny_pair(3)
    below = {}
    for algorithm in ("gsd", "kseq"):
        settings = ersd.Settings(algorithm, "multi_sequence", draft_tokens=12, sequences=6, max_new_tokens=60, seed=1)
        tries = [len(visit.tries) for step in ersd.run(pair, "abc", settings).steps for visit in step.walk[1:] if visit.tries]
        below[algorithm] = max(tries)
    assert below["gsd"] == 1
    assert below["kseq"] > 1


def test_a_trace_without_the_newer_fields_is_read(pair):
    trace = run(pair, "ersd", "batch", max_new_tokens=8)
    data = json.loads(trace.to_json())
    for step in data["steps"]:
        for name in ("block", "rank_entropy", "bound"):
            del step[name]
        for visit in step["walk"]:
            del visit["rho"], visit["bias"]
    assert len(ersd.Trace.from_json(json.dumps(data)).steps) == len(trace.steps)
