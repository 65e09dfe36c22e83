"""The measurement on a pair whose distributions never change: there lines and dots must both agree with the formulas.

Errors are compared with four standard errors at fixed seeds, which chance alone exceeds once in 16,000 comparisons.
"""

import itertools
import math
import statistics
from dataclasses import replace

import pytest
import torch

import ersd
from ersd import theory
from ersd.curves import Plan, measure, whole
from ersd.curves.acceptance import DRAFTED, TOKENS, Acceptance
from ersd.curves.results import CURVES, Curves, Measured
from ersd.curves.runs import _mean
from ersd.drafts.rank_distribution import usual_hazard
from ersd.models.pair import make_pair
from ersd.settings import Settings
from tests.ersd.tiny import OneLayer, letters, llama

P = [0.4, 0.25, 0.15, 0.1, 0.06, 0.04]
Q = [0.15, 0.3, 0.25, 0.05, 0.05, 0.2]
PLAN = Plan(temperatures=(1.0,), drafted=(2, 6), texts=4, calls=25, prompts=["a"], seed=5)
SIGMAS = 4


def constant(probabilities):
    """A model with this next-token distribution everywhere."""
    model = OneLayer(len(probabilities), seed=1, context=1024).eval()
    with torch.no_grad():
        model.head.weight.zero_()
        model.head.bias.copy_(torch.tensor(probabilities).log() / 1.5)
    return model


@pytest.fixture(scope="module")
def pair():
    return make_pair(constant(P), constant(Q), letters(len(P)))


@pytest.fixture(scope="module")
def measured(pair):
    return whole(pair, PLAN)


def race_ranks():
    sums = theory.race_acceptances(P, Q, range(1, len(P) + 1))
    return [after - before for before, after in zip([0.0, *sums], [*sums, 1.0], strict=False)]


def accepted_by_theory(curve, k):
    if curve == "tau_star":
        return theory.tau_star(sorted(race_ranks(), reverse=True), k)[2]
    if curve == "specinfer":
        return theory.best_branchings(theory.gsd_acceptances(P, Q, k), k, 16)[-1][k].accepted
    if curve == "batch":
        return theory.race_acceptance(P, Q, k)
    return sum(theory.race_match(P, Q) ** length for length in range(1, k + 1))


@pytest.mark.parametrize("curve", CURVES)
def test_dots_and_lines_agree_with_the_formulas(measured, curve):
    (lines,) = measured.lines
    for k in PLAN.drafted:
        wanted = accepted_by_theory(curve, k)
        (point,) = [point for point in measured.points if point.curve == curve and point.k == k]
        assert point.calls == PLAN.texts * PLAN.calls
        assert abs(point.accepted.mean - wanted) <= SIGMAS * point.accepted.error
        slope = sum(length * 0.55 ** (length - 1) for length in range(1, k + 1))  # how an error of the acceptance adds up on a path
        assert abs(lines.lines[curve].accepted[k - 1] - wanted) < SIGMAS * slope * math.sqrt(0.25 / lines.decisions)


def test_recursive_rejection_is_known_from_the_distributions_alone(measured):
    """Its line needs no counting: with constant distributions it is exact."""
    assert measured.lines[0].lines["specinfer"].accepted[5] == pytest.approx(accepted_by_theory("specinfer", 6), abs=1e-5)


def test_single_tokens_add_up_to_the_accepted_ones(measured):
    for point in measured.points:
        total = sum(each.share.mean * (each.last - each.first + 1) for each in point.next)
        assert total == pytest.approx(point.accepted.mean)
        assert [each.first for each in point.next] == [1, 2, 3, 5][: len(point.next)]


def test_the_error_of_a_mean_is_its_standard_error(measured):
    """Of 1, 2, 3, 4: √(5 ÷ 3) ÷ √4 = 0.6455. Calls that accept one token or none have √(m (1 - m) ÷ (n - 1))."""
    assert _mean([1, 2, 3, 4]) == Measured(2.5, pytest.approx(0.645497, abs=1e-6))
    assert _mean([3]) == Measured(3, None)
    for point in (point for point in measured.points if point.curve == "batch"):
        share = point.accepted.mean
        assert point.accepted.error == pytest.approx(math.sqrt(share * (1 - share) / (point.calls - 1)))


def test_lines_rise_and_next_tokens_fall(measured):
    for line in measured.lines[0].lines.values():
        assert line.accepted == sorted(line.accepted)
        assert line.next == sorted(line.next, reverse=True)
        best = [max(values) for values in zip(*line.by_levels, strict=True)]
        assert best == pytest.approx(line.accepted, abs=1e-4)


def test_the_bound_is_above_the_best_tree(measured):
    lines = measured.lines[0]
    assert all(limit > accepted for limit, accepted in zip(lines.limit, lines.lines["tau_star"].accepted, strict=True))
    wanted = -sum(rank * math.log(rank) for rank in race_ranks() if rank > 0)
    assert lines.entropy == pytest.approx(wanted, abs=0.15)


def test_a_measurement_survives_json(measured):
    assert Curves.from_json(measured.to_json()) == measured
    with pytest.raises(ValueError, match="models"):
        Curves.from_json("{}")


def test_progress_rises_and_the_measurement_can_be_ended(pair):
    plan = Plan(temperatures=(0.5, 0.0), drafted=(3,), texts=1, calls=3, prompts=["ab"])
    progress = list(measure(pair, plan))
    done = [each.done for each in progress]
    assert done == sorted(done)
    assert done[-1] == pytest.approx(1)
    assert [each.lines.temperature for each in progress if each.lines] == [0.5, 0.0]
    assert sum(each.point is not None for each in progress) == 2 * len(CURVES)
    assert max(each.tokens for each in progress) <= 1 + max(3, DRAFTED), "an item is one step: whoever ends it waits no longer"
    greedy = next(each.lines for each in progress if each.lines and each.lines.temperature == 0)
    assert greedy.lines["batch"].accepted[0] < 0.01  # the models' favourites differ everywhere
    running = measure(pair, plan)
    next(running)
    running.close()
    assert next(running, None) is None


def test_direct_runs_begin_at_different_places_of_a_text(pair):
    acceptance = Acceptance(1.0)
    for place in (0.0, 0.5):
        list(acceptance.add(pair, "ab", 1, place))
    first, second = acceptance.beginnings
    assert first == "ab"
    assert second.startswith("ab")
    assert len(second) == 2 + 48


def test_a_prompt_after_which_nothing_can_be_drafted_is_refused(pair):
    with pytest.raises(ValueError, match="prompts must leave room in the draft's context"):
        list(measure(replace(pair, draft=replace(pair.draft, context=1)), PLAN))


def test_a_pair_without_a_draft_is_refused(pair):
    with pytest.raises(ValueError, match="source must be one of ngram for pair, which has no draft model"):
        list(measure(replace(pair, draft=None), PLAN))


@pytest.mark.parametrize("source", ["ngram", "exit", "routed"])
def test_a_source_is_measured_by_its_own_guesses(source):
    """Every first guess of its run counts, and where it had none that is a guess that failed."""
    pair = make_pair(llama(26, layers=2, seed=1), llama(26, seed=2), letters(26))
    acceptance = Acceptance(0.3, source)
    list(acceptance.add(pair, "abcabc", 3, 0.0))
    settings = Settings("ersd", "sequence", DRAFTED, 0.3, max_new_tokens=TOKENS, seed=3, source=source)
    steps = ersd.run(pair, "abcabc", settings).steps
    asked = [visit for step in steps for visit in step.walk if visit.tv is not None]
    silent = sum(step.draft_calls > 0 and not step.tokens for step in steps)
    assert acceptance.decisions == len(asked) + silent > 20
    assert (silent > 0) == (source == "ngram")  # without a table nothing is known of a token that is new
    first = sum(visit.rank == 1 for visit in asked)
    assert acceptance.hazards()[0] == pytest.approx((first + usual_hazard(1)) / (acceptance.decisions + 1))
    measured = whole(pair, Plan((0.3,), (4,), texts=1, calls=5, prompts=["abcabc"], seed=3, source=source))
    assert (measured.source, measured.costs) == (source, pair.costs.get(source))
    assert measured.lines[0].decisions == acceptance.decisions
    assert Curves.from_json(measured.to_json()) == measured
    (point,) = [each for each in measured.points if each.curve == "batch"]
    run = ersd.generate(pair, "abcabc", replace(settings, topology="batch", max_new_tokens=60))
    assert point.accepted.mean == statistics.fmean(step.accepted for step in itertools.islice(run, 5))


def test_a_source_that_the_pair_does_not_have_is_refused_with_the_reason(pair):
    with pytest.raises(ValueError, match=r"source must be one of .*, got .foreign."):
        whole(pair, replace(PLAN, source="foreign"))
