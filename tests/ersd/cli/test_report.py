"""The figures of a run and the table of methods, with the theory next to what was measured."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest

import ersd
from ersd.cli import bench
from ersd.cli.main import INTERRUPTED, main
from ersd.cli.report import report
from ersd.costs import Costs
from ersd.trace.statistics import statistics


@pytest.fixture(scope="module")
def trace(pair) -> ersd.Trace:
    return ersd.run(pair, "Once upon", ersd.Settings(draft_tokens=4, max_new_tokens=12, seed=3))


def test_the_counts_are_those_of_the_trace(loaded, capsys, trace):
    assert main(["Once upon", "-k", "4", "--max-new-tokens", "12", "--seed", "3"]) == 0
    shown = capsys.readouterr().out
    counted = {rank: count for rank, count in statistics(trace.steps).accepted_by_rank().items() if count}
    accepted, drafted = sum(counted.values()), sum(len(step.tokens) for step in trace.steps)
    ranks, visits = re.search(r"accepted by rank  (.*)  of (\d+) visits?", shown).groups()
    assert {rank: int(count) for rank, count in re.findall(r"(\S+): (\d+)", ranks)} == counted
    assert f"\n12 tokens in {len(trace.steps)} target calls" in shown
    assert f"{accepted} of {drafted} drafted tokens accepted" in shown
    assert f"acceptance  {accepted / int(visits):.2f} measured" in shown
    for emitted, line in (
        ([1], "1 token in 1 target call: 1.00 per call"),
        ([4, *7 * [3]], "25 tokens in 8 target calls: 3.13 per call"),  # 3.125, rounded as a reader does
        ([*27 * [3], *13 * [2]], "107 tokens in 40 target calls: 2.68 per call"),
    ):
        steps = [dataclasses.replace(trace.steps[0], emitted=count * trace.steps[0].emitted[:1]) for count in emitted]
        assert next(report(steps, trace.settings)).startswith(line)


def test_theory_stands_next_to_the_measured(pair):
    def shown(*setting, **more) -> tuple[str, ersd.Trace]:
        run = ersd.run(pair, "Once upon", ersd.Settings(*setting, **more))
        return "\n".join(report(run.steps, run.settings)), run

    text, run = shown("lossy", "sequence", leniency=0.5, max_new_tokens=30)
    assert f"{run.stats['acceptance']:.2f} measured · {run.stats['predicted_acceptance']:.2f} predicted" in text
    assert f"biased on purpose: TV(output, P) is {run.stats['bias']:.3f}" in text
    text, run = shown(max_new_tokens=30)
    levels = max(depth for step in run.steps for depth in step.depths)
    assert f"predicted at most {run.stats['optimal_acceptance']:.2f} for any exact rule" in text
    assert f"at most {levels + 1} ({levels} levels + 1)" in text
    assert "fixed beforehand" not in text
    text, run = shown(topology="sequence", draft_tokens=40, max_new_tokens=60)  # so deep that the ranks give the smaller bound
    assert f"at most {run.steps[-1].bound:.1f} (by H[R])\n  expected of any tree of 40 tokens that is fixed beforehand" in text


@pytest.mark.parametrize("tree_ms", [10.0, 80.0])
def test_the_speed_is_compared_with_decoding_without_a_draft(trace, tree_ms):
    steps = [dataclasses.replace(step, draft_ms=3.0, target_ms=tree_ms, verify_ms=1.0) for step in trace.steps]
    costs = Costs(target_1_ms=9.0, target_5_ms=tree_ms, target_17_ms=2 * tree_ms, choice_ms=1.0, draft_ms=1.0)
    text = "\n".join(report(steps, trace.settings, costs))
    here = float(re.search(r"([\d.]+) ms per token from the second call on; without a draft 10.00 ms per token", text)[1])
    assert here == round(sum(step.ms for step in steps[1:]) / sum(len(step.emitted) for step in steps[1:]), 2)
    if here > 10:
        assert f"Slower than without a draft, measured: {10 / here:.2f}× the speed. On this machine a call for" in text
    else:
        assert f"{10 / here:.2f}× the speed of decoding without a draft on this machine, measured" in text
    assert ("Slower" in text) == (tree_ms == 80)
    estimates = re.findall(r"([\d.]+)× = (.*) where a target call costs [\d.]+ draft calls  \(", text)
    assert len(estimates) == 3
    for factor, formula in estimates:
        assert float(factor) == round(eval(re.sub(r"ms|draft|verify|accept", "", formula).replace("·", "*")), 2), "with a calculator"
    (_, _, alone, *_) = report(steps, ersd.Settings("autoregressive"), costs)
    assert alone == "without a draft 10.00 ms per token (measured at load, scaled by this run's target calls)"
    for source in ("this machine: measured at load, idle", "1B → 8B on an H100: measured", "1B → 70B: weights read a call"):
        assert source in text


BENCH = ["Once upon", "-k", "4", "--max-new-tokens", "6", "--seed", "3", "--bench", "--runs", "2"]


def test_the_table_measures_every_method_with_as_many_drafted_tokens(loaded, capsys, tmp_path):
    assert main([*BENCH, "--json", str(tmp_path / "table.json")]) == 0
    shown = capsys.readouterr()
    rows = json.loads((tmp_path / "table.json").read_text())
    assert [row["method"] for row in rows] == list(ersd.METHODS)
    assert {row["drafted"].split()[0] for row in rows} == {"4", "–"}
    heading, *lines = shown.out.split("\n")
    assert re.split(r"  +", heading) == list(bench.HEADINGS)
    for line, row in zip(lines, rows, strict=False):
        assert re.split(r"  +", line) == bench.Measured(**row).cells()
    limits = {row["method"]: (row["limit"], row["limit_name"]) for row in rows}
    assert limits["ERSD batch"] == (2, "1 level + 1")
    assert limits["block"] == (5, "4 levels + 1")
    assert limits["one by one"] == (None, "")
    settings = ersd.Settings("ersd", "sequence", draft_tokens=4, max_new_tokens=6)
    runs = [ersd.run(loaded, "Once upon", dataclasses.replace(settings, seed=seed)) for seed in (3, 4)]
    assert rows[1]["tokens_per_call"] == pytest.approx(sum(len(run.token_ids) for run in runs) / sum(len(run.steps) for run in runs))
    assert shown.err == ""  # no progress bar outside a terminal


def test_the_table_after_an_interruption_has_the_methods_measured_so_far(loaded, capsys, monkeypatch):
    def until_interrupted(*_):
        yield bench.Measured("ERSD τ*", "4", 2.0, 0.1, 2.1, 4.0, "3 levels + 1", 3.0)
        raise KeyboardInterrupt

    monkeypatch.setattr(bench, "measure_all", until_interrupted)
    assert main(BENCH) == INTERRUPTED
    shown = capsys.readouterr()
    assert re.search(r"2\.00 ± 0\.10 +2\.10  4 \(3 levels \+ 1\) +3\.0\n", shown.out)
    assert f"Interrupted after 1 of {len(ersd.METHODS)} methods" in shown.err


@pytest.mark.parametrize("k", [1, 2, 7, 67, 256])
def test_methods_are_compared_at_the_same_number_of_drafted_tokens(pair, k):
    for algorithm, topology in ersd.METHODS.values():
        settings = bench.with_all_drafted(pair, ersd.Settings(algorithm, topology, draft_tokens=k))
        assert settings.vertices == (0 if algorithm == "autoregressive" else k)
