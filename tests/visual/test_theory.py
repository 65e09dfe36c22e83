"""The theory beside the measurement: a limit stands only where it limits, and says what it bounds."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from ersd.cli.bench import HEADINGS, Measured
from ersd.cli.report import report
from ersd.drafts.topologies import TREES, is_allowed
from ersd.rules.registry import TRAITS
from ersd.settings import METHODS, Settings
from ersd.trace.bounds import limit_words, most_per_call
from ersd.trace.statistics import statistics
from visual.payload import theory
from visual.payload.messages import RunMessages, messages
from visual.payload.sentences.exactness import badge

from .fakes import SETTINGS, bare_step, coin_step, race_step, residual_step, trace

LOSSY = Settings(algorithm="lossy", topology="sequence", leniency=0.3)
EVERY_RUN = [
    Settings(algorithm=algorithm, topology=topology) for algorithm in TRAITS for topology in TREES if is_allowed(algorithm, topology)
]


def _lines(settings: Settings) -> dict[str, list[str]]:
    return {cell.id: [line.id for line in cell.lines] for cell in theory.cells(settings)}


def _line(settings: Settings, cell: str, line: str) -> theory.Line:
    return next(each for one in theory.cells(settings) if one.id == cell for each in one.lines if each.id == line)


@pytest.mark.parametrize(
    ("algorithm", "topology", "optimum", "bound"),
    [
        ("ersd", "tau_star", True, True),
        ("ersd", "dynamic", False, False),  # its shape looks at the clocks
        ("gsd", "batch", True, True),
        ("gsd_wor", "specinfer", True, True),
        ("kseq", "batch", True, True),
        ("block", "sequence", False, False),  # decides about a sequence
        ("lossy", "sequence", False, True),  # may accept more than is exact
        ("greedy", "tau_star", False, True),  # children not drawn by chance
        ("greedy", "dynamic", False, False),
    ],
)
def test_no_limit_where_nothing_is_limited(algorithm, topology, optimum, bound):
    settings = Settings(algorithm=algorithm, topology=topology)
    lines = _lines(settings)
    assert ("optimum" in lines["here"]) == ("optimum" in lines["acceptance"]) == optimum
    assert ("H[R]" in _line(settings, "calls", "bound").help) == bound, "its other limit, the levels, holds for every tree"


def test_without_a_draft_only_the_tokens_per_call_are_told():
    assert _lines(Settings(algorithm="autoregressive")) == {"calls": ["measured"]}


def test_the_optimum_says_which_children_it_is_for():
    iid, without = Settings(algorithm="gsd", topology="batch"), Settings(algorithm="ersd", topology="batch")
    for cell in ("here", "acceptance"):
        assert _line(iid, cell, "optimum").help.startswith("optimum for i.i.d. children")
        assert _line(without, cell, "optimum").help.startswith("optimum without replacement")
    assert [cell.label for cell in theory.cells(iid)][:2] == ["acceptance here · i.i.d.", "acceptance so far · i.i.d."]
    assert [cell.label for cell in theory.cells(without)][:2] == [
        "acceptance here · distinct",
        "acceptance so far · distinct",
    ]
    for settings in (replace(without, algorithm="greedy"), replace(without, topology="dynamic"), LOSSY):  # no optimum, no children of its
        assert theory.cells(settings)[0].label == "acceptance here"


@pytest.mark.parametrize(
    ("levels", "bound", "expected", "limit"),
    [
        (0, None, 1.0, (None, "")),
        (1, None, 1.8, (2, "1 level + 1")),
        (4, 5.2, 3.0, (5, "4 levels + 1")),
        (4, 4.2, 3.0, (4.2, "by H[R]")),
        (4, 2.0, 3.0, (5, "4 levels + 1")),  # so few ranks seen that they say less than what is expected
    ],
)
def test_the_smaller_limit_of_the_tokens_per_call_has_its_name(levels, bound, expected, limit):
    assert most_per_call(levels, bound, expected) == limit


@pytest.mark.parametrize("bound", [1.9, 4.2])
def test_page_terminal_and_table_call_the_limit_alike(bound):
    run = trace(replace(residual_step(), bound=bound))
    counted = statistics(run.steps)
    shown = theory.cells(run.settings)
    limit = theory.values(run.steps[-1], counted, shown)["calls"]["bound"]
    name = theory.labels(run.steps[-1], counted, shown)["bound"].removeprefix("≤ ")
    assert f"tokens per call  at most {limit_words(limit, name)}" in list(report(run.steps, run.settings))
    measured = Measured("ERSD τ*", "4", 2.0, 0.1, 2.1, limit, name, 3.0)
    assert measured.cells()[HEADINGS.index("at most")] == limit_words(limit, name)


def test_every_limit_says_that_it_bounds_an_expectation():
    lines = [line for settings in EVERY_RUN for cell in theory.cells(settings) for line in cell.lines]
    limits = [line for line in lines if line.id == "optimum" or (line.id == "bound" and "H[R]" in line.help)]
    assert limits
    assert all("bounds the line above it, an expectation" in line.help and "can be luckier" in line.help for line in limits)
    assert "fixed beforehand" in _line(SETTINGS, "calls", "bound").help
    assert "were the ranks independent" in _line(SETTINGS, "calls", "bound").help


def test_block_predicts_for_the_sequence_that_was_drafted():
    block = Settings(algorithm="block", topology="sequence")
    assert "for the sequence that was drafted" in _line(block, "here", "predicted").help
    assert "accepts one of the children" in _line(SETTINGS, "here", "predicted").help


def test_rejections_are_counted_for_standard_decoding_alone():
    with_it = {
        name for name, (algorithm, topology) in METHODS.items() if "rejections" in _lines(Settings(algorithm=algorithm, topology=topology))
    }
    assert with_it == {"standard"}


def test_a_biased_run_is_warned_about():
    assert "bias" in _lines(LOSSY)
    assert badge(LOSSY)["words"] == "⚠ biased on purpose: off by 0.3 · TV(P, Q) per drafted token"
    exact = replace(LOSSY, leniency=0.0)
    assert "bias" not in _lines(exact)
    assert badge(exact)["kind"] == "same-law"
    assert badge(replace(SETTINGS, leniency=0.3))["kind"] == "same-text"  # another rule knows no leniency


# --- what the cells say ---------------------------------------------------------------------------------------------------------


def _told(*steps, settings=None):
    run = trace(*steps)
    run = replace(run, settings=settings or run.settings)
    return [json.loads(message)["stats"] for message in list(messages(run))[1:-1]]


def test_theory_is_told_up_to_each_step():
    standard = replace(SETTINGS, algorithm="gsd", topology="sequence")
    first, second = (one["theory"] for one in _told(residual_step(), residual_step(accepted=False), settings=standard))
    assert first["acceptance"] == {"measured": 1.0, "predicted": 0.8, "optimum": 0.9}
    assert second["acceptance"] == {"measured": 0.5, "predicted": 0.8, "optimum": 0.9}
    assert (first["rejections"], second["rejections"]) == ({"measured": 0, "tv_sum": 0.2}, {"measured": 1, "tv_sum": 0.4})


def test_tokens_per_call_beside_the_tree_and_the_bound():
    (told,) = _told(residual_step())
    assert told["theory"]["calls"] == {"measured": 1.0, "expected": 1.8, "bound": 2}
    assert told["labels"] == {"expected": "expected, step 1", "bound": "≤ 1 level + 1"}
    assert told["notes"] == {"calls": "H[R] 0.50"}


def test_the_limit_is_the_smaller_of_the_two_and_says_which():
    deep = replace(race_step(), expected=1.8, bound=2.5, rank_entropy=0.5)  # two levels
    narrow = replace(residual_step(), expected=1.8, bound=4.2)  # one
    first, second, third = _told(narrow, deep, narrow)
    assert (first["theory"]["calls"]["bound"], first["labels"]["bound"]) == (2, "≤ 1 level + 1")
    assert (second["theory"]["calls"]["bound"], second["labels"]["bound"]) == (2.5, "≤ by H[R]")
    assert (third["theory"]["calls"]["bound"], third["labels"]["bound"]) == (3, "≤ 2 levels + 1"), "an earlier tree was deeper"
    assert second["labels"]["expected"] == "expected, step 2"
    # ranks so few that the law known before expects more: the other limit is told
    (early,) = _told(replace(deep, expected=2.8))
    assert early["labels"]["bound"] == "≤ 2 levels + 1"
    block = Settings(algorithm="block", topology="sequence")
    assert _line(block, "calls", "expected").least
    assert not _line(SETTINGS, "calls", "expected").least


def test_what_is_not_known_is_none():
    told = _told(bare_step(), settings=SETTINGS)[0]
    assert told["theory"]["acceptance"] == {"measured": None, "predicted": None, "optimum": None}
    assert told["theory"]["calls"] == {"measured": 1.0, "expected": None, "bound": None}
    assert told["notes"] == {}
    assert told["labels"] == {"expected": "expected, step 1"}
    assert _told(race_step())[0]["theory"]["acceptance"]["predicted"] is None


def test_what_is_paid_and_what_is_rejected_are_told_over_the_same_tokens():
    decided = coin_step()
    decided = replace(decided, walk=[replace(decided.walk[0], bias=0.06)])
    free = bare_step("coins")  # a token that was not drafted pays nothing, and is not counted
    assert _told(decided, free, decided, settings=LOSSY)[-1]["theory"]["bias"] == {"paid": 0.06, "rejected": 1.0, "tv": 0.2}
    assert "bias" not in _told(coin_step())[0]["theory"]


@pytest.mark.parametrize("settings", EVERY_RUN, ids=lambda settings: f"{settings.algorithm} {settings.topology}")
def test_every_line_of_a_cell_of_the_run_has_its_value(settings):
    told = json.loads(RunMessages("Once", settings, "a pair").step(residual_step()))["stats"]["theory"]
    assert {cell: list(values) for cell, values in told.items()} == {
        cell: lines for cell, lines in _lines(settings).items() if cell != "here"
    }


def test_the_values_of_the_vertex_are_facts_of_its_panel():
    (here,) = (cell for cell in theory.cells(SETTINGS) if cell.of == "vertex")
    facts = json.loads(RunMessages("Once", SETTINGS, "a pair").step(residual_step()))["decisions"]["-1"]["facts"]
    assert [facts[line.id] for line in here.lines] == [0.8, 0.9]


def test_a_tie_is_rounded_as_on_the_tile():
    told = _told(*[bare_step()] * 7, race_step())[-1]
    assert told["theory"]["calls"]["measured"] == 1.125, "the browser rounds it, to 1.13"
    assert told["tiles"]["per-call"]["value"] == "1.13"
