"""Figures and theory: bounds only where they apply, and values up to each step."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from ersd.drafts.topologies import TREES, is_allowed
from ersd.rules.registry import TRAITS
from ersd.settings import METHODS, Settings
from ersd.trace.bounds import most_per_call
from ersd.trace.statistics import Statistics
from visual.payload import theory
from visual.payload.messages import RunMessages, messages

from .fakes import SETTINGS, bare_step, coin_step, race_step, residual_step, trace

LOSSY = Settings(algorithm="lossy", topology="sequence", leniency=0.3)
STANDARD = Settings(algorithm="gsd", topology="sequence")
EVERY_RUN = [
    Settings(algorithm=algorithm, topology=topology) for algorithm in TRAITS for topology in TREES if is_allowed(algorithm, topology)
]


def lines_of(settings: Settings) -> dict[str, list[str]]:
    return {cell["id"]: [line["id"] for line in cell["lines"]] for cell in theory.cells(settings)}


def line_of(settings: Settings, cell: str, line: str) -> theory.Line:
    return next(each for one in theory.cells(settings) if one["id"] == cell for each in one["lines"] if each["id"] == line)


def sent(*steps, settings: Settings | None = None) -> list[dict]:
    run = trace(*steps)
    run = replace(run, settings=settings or run.settings)
    return [json.loads(message)["stats"] for message in list(messages(run))[1:-1]]


# --- which cells and bounds -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("algorithm", "topology", "optimum", "bound"),
    [
        ("ersd", "tau_star", "distinct", True),
        ("ersd", "dynamic", "", False),  # its shape depends on the clocks
        ("gsd", "batch", "i.i.d.", True),
        ("gsd_wor", "specinfer", "distinct", True),
        ("kseq", "batch", "i.i.d.", True),
        ("block", "sequence", "", False),  # decides about a sequence
        ("lossy", "sequence", "", True),  # may accept more than is exact
        ("greedy", "tau_star", "", True),  # children not drawn by chance
        ("greedy", "dynamic", "", False),
        ("ersd", "poisson", "", False),
        ("spechub", "batch", "", True),  # the favourites are not drawn
        ("half_race", "sequence", "", True),
    ],
)
def test_bounds_are_shown_only_where_they_apply(algorithm, topology, optimum, bound):
    settings = Settings(algorithm=algorithm, topology=topology)
    suffix = f" · {optimum}" if optimum else ""
    assert [cell["label"] for cell in theory.cells(settings)][:2] == [f"acceptance here{suffix}", f"acceptance so far{suffix}"]
    for cell in ("here", "acceptance"):
        assert ("optimum" in lines_of(settings)[cell]) == bool(optimum)
        if optimum:
            kind = "optimum for i.i.d. children" if optimum == "i.i.d." else "optimum without replacement"
            assert line_of(settings, cell, "optimum")["help"].startswith(kind)
    assert ("H[R]" in line_of(settings, "calls", "bound")["help"]) == bound, "its other bound, by levels, holds for every tree"


def test_cells_of_plain_decoding_of_biased_runs_and_of_standard():
    assert lines_of(Settings(algorithm="autoregressive")) == {"calls": ["measured"], "speed": ["measured"]}
    with_rejections = {name for name, parts in METHODS.items() if "rejections" in lines_of(Settings(*parts))}
    assert with_rejections == {"standard"}
    assert "bias" in lines_of(LOSSY)
    assert "bias" not in lines_of(replace(LOSSY, leniency=0.0))
    assert [line_of(Settings(*METHODS[name]), "calls", "expected")["least"] for name in ("block", "ERSD τ*")] == [True, False]


def test_every_bound_is_said_to_bound_an_expectation():
    lines = [line for settings in EVERY_RUN for cell in theory.cells(settings) for line in cell["lines"]]
    bounds = [line for line in lines if line["id"] == "optimum" or (line["id"] == "bound" and "H[R]" in line["help"])]
    assert bounds
    assert all("bounds an expectation" in line["help"] and "can still do better" in line["help"] for line in bounds)
    assert "fixed beforehand" in line_of(SETTINGS, "calls", "bound")["help"]
    assert "if ranks are independent" in line_of(SETTINGS, "calls", "bound")["help"]


@pytest.mark.parametrize(
    ("levels", "bound", "expected", "smaller"),
    [
        (0, None, 1.0, (None, "")),
        (1, None, 1.8, (2, "1 level + 1")),
        (4, 5.2, 3.0, (5, "4 levels + 1")),
        (4, 4.2, 3.0, (4.2, "by H[R]")),
        (4, 2.0, 3.0, (5, "4 levels + 1")),  # too few ranks seen: their bound is below what is expected
    ],
)
def test_the_smaller_bound_on_tokens_per_call_has_its_name(levels, bound, expected, smaller):
    assert most_per_call(levels, bound, expected) == smaller


# --- values ---------------------------------------------------------------------------------------------------------------------


def test_theory_is_sent_up_to_each_step():
    first, second = (one["theory"] for one in sent(residual_step(), residual_step(accepted=False), settings=STANDARD))
    # by chance 1.96 · √(0.8 · 0.2) after one node, 1.96 · √(2 · 0.8 · 0.2) ÷ 2 after two
    assert first["acceptance"] == {"measured": 1.0, "predicted": 0.8, "optimum": 0.9, "chance": 0.784}
    assert second["acceptance"] == {"measured": 0.5, "predicted": 0.8, "optimum": 0.9, "chance": 0.554372}
    assert first["rejections"] == {"measured": 0, "tv_sum": 0.2, "chance": 0.784}
    assert second["rejections"] == {"measured": 1, "tv_sum": 0.4, "chance": 1.10874}


def test_tokens_per_call_have_expectation_bound_and_their_names():
    deep = replace(race_step(), expected=1.8, bound=2.5, rank_entropy=0.5)  # two levels
    narrow = replace(residual_step(), expected=1.8, bound=4.2)  # one
    first, second, third = sent(narrow, deep, narrow)
    assert first["theory"]["calls"] == {"measured": 1.0, "expected": 1.8, "bound": 2}
    assert (first["labels"], first["notes"]) == ({"expected": "expected, step 1", "bound": "≤ 1 level + 1"}, {"calls": "H[R] 0.50"})
    assert (second["theory"]["calls"]["bound"], second["labels"]) == (2.5, {"expected": "expected, step 2", "bound": "≤ by H[R]"})
    assert (third["theory"]["calls"]["bound"], third["labels"]["bound"]) == (3, "≤ 2 levels + 1"), "an earlier tree was deeper"


def test_unknown_values_are_none():
    (one,) = sent(bare_step(), settings=SETTINGS)
    assert one["theory"]["acceptance"] == {"measured": None, "predicted": None, "optimum": None, "chance": None}
    assert one["theory"]["calls"] == {"measured": 1.0, "expected": None, "bound": None}
    assert (one["notes"], one["labels"]) == ({}, {"expected": "expected, step 1"})


def test_bias_paid_and_rejections_are_over_the_same_tokens():
    decided = coin_step()
    decided = replace(decided, walk=[replace(decided.walk[0], bias=0.06)])
    free = bare_step("coins")  # a token that was not drafted pays nothing, and is not counted
    assert sent(decided, free, decided, settings=LOSSY)[-1]["theory"]["bias"] == {"paid": 0.06, "rejected": 1.0, "tv": 0.2, "chance": None}


@pytest.mark.parametrize("settings", EVERY_RUN, ids=lambda settings: f"{settings.algorithm} {settings.topology}")
def test_every_line_has_its_value(settings):
    message = json.loads(RunMessages("Once", settings, "a pair").step(residual_step()))
    known = {cell: list(values) for cell, values in message["stats"]["theory"].items()}
    lines = lines_of(settings)
    here = lines.pop("here", [])
    assert known == lines
    facts = message["decisions"]["-1"]["facts"]
    expected = {"predicted": 0.8, "optimum": 0.9, "tv": 0.2}
    assert {line: facts[line] for line in here} == {line: expected[line] for line in here}, (
        "those of the node shown are facts of its decision"
    )


# --- tiles ----------------------------------------------------------------------------------------------------------------------


def test_figures_up_to_each_step():
    found = sent(race_step(), race_step(), bare_step())
    assert [(one["per_call"], one["tokens"]) for one in found] == [("2.00", 2), ("2.00", 4), ("1.67", 5)]


def test_a_tie_is_rounded_alike_in_the_figures_and_in_theory():
    one = sent(*[bare_step()] * 7, race_step())[-1]
    assert (one["theory"]["calls"]["measured"], one["per_call"]) == (1.125, "1.13")


def test_ranks_and_times_of_a_step():
    (one,) = sent(race_step())
    assert one["theory"]["ranks"] == {"1": 0, "2": 1, "3": 0, "4": 0, "5": 0, "6+": 0}
    assert one["times"] == {"draft": 1.0, "verify": 2.0, "accept": 0.1}
    counted = Statistics(ranks=Counter({1: 5, 6: 2, 9: 1, 31: 4})).accepted_by_rank()
    assert counted == {"1": 5, "2": 0, "3": 0, "4": 0, "5": 0, "6+": 7}
