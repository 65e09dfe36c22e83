import re
import runpy
import sys
from dataclasses import replace

import pytest

import ersd
from ersd.cli.main import main
from ersd.cli.report import report
from ersd.theory.speed import speedup
from ersd.trace.beside import BESIDE
from ersd.trace.statistics import statistics


def test_text_and_statistics_are_printed(pair, capsys):
    assert main(["Once upon a time", "--draft-tokens", "4", "--max-new-tokens", "12", "--seed", "3"]) == 0
    shown = capsys.readouterr().out
    trace = ersd.run(pair, "Once upon a time", ersd.Settings(draft_tokens=4, max_new_tokens=12, seed=3))
    assert shown.startswith("Once upon a time" + trace.text)
    assert f"12 tokens in {len(trace.steps)} target calls" in shown
    ranks, visits = re.search(r"accepted by rank  (.*)  of (\d+) visits?", shown).groups()
    told = {rank: int(count) for rank, count in re.findall(r"(\S+): (\d+)", ranks)}
    assert told == {rank: count for rank, count in statistics(trace.steps).accepted_by_rank().items() if count}
    accepted = sum(told.values())
    assert f"{accepted} of {sum(len(step.tokens) for step in trace.steps)} drafted tokens accepted" in shown
    assert f"acceptance  {accepted / int(visits):.2f} measured" in shown


def test_theory_stands_beside_the_measured(loaded, capsys):
    assert main(["Once upon", "--algorithm", "lossy", "--topology", "sequence", "--leniency", "0.5", "--max-new-tokens", "30"]) == 0
    shown = capsys.readouterr().out
    figures = ersd.run(loaded, "Once upon", ersd.Settings("lossy", "sequence", leniency=0.5, max_new_tokens=30)).stats
    assert f"{figures['acceptance']:.2f} measured · {figures['predicted_acceptance']:.2f} predicted" in shown
    assert f"biased on purpose: TV(output, P) is {figures['bias']:.3f}" in shown
    main(["Once upon", "--max-new-tokens", "30"])
    shown = capsys.readouterr().out
    levels = max(max(step.depths) for step in ersd.run(loaded, "Once upon", ersd.Settings(max_new_tokens=30)).steps)
    assert f"at most {levels + 1} ({levels} levels + 1)" in shown
    assert "fixed beforehand" not in shown
    main(["Once upon", "--max-new-tokens", "60", "--topology", "sequence", "-k", "40"])  # a tree so deep that its ranks limit more
    assert "fixed beforehand" in capsys.readouterr().out


def test_time_stands_beside_one_by_one_here_and_elsewhere(loaded, capsys):
    main(["Once upon", "--max-new-tokens", "20"])
    shown = capsys.readouterr().out
    patterns = ("([\\d.]+) times as fast as one by one on this machine", "([\\d.]+) ms a token from", "one by one ([\\d.]+) ms a token")
    factor, here, alone = (float(re.search(pattern, shown)[1]) for pattern in patterns)
    assert factor == round(alone / here, 2)
    assert ("too small to wait for" in shown) == (factor < 1)
    assert f"one by one {alone:.2f} ms a token, timed between the calls" in shown
    for place in ("this machine: at load", "1B → 8B: weights read a call", "1B → 70B: weights read a call"):
        assert place in shown
    per_call, levels = float(re.search("([\\d.]+) per call", shown)[1]), float(re.search("([\\d.]+) draft levels a call", shown)[1])
    told = re.findall("([\\d.]+) times one by one where a target call costs ([\\d.]+) draft levels(?:, ([\\d.]+) with the tree)?", shown)
    for give, ratio, tree in told:
        assert float(give) == round(speedup(per_call, float(ratio), levels, float(tree or ratio)), 2)
    assert [bool(tree) for *_, tree in told] == [True, False, False], "here a tree takes longer than one token"
    main(["Once upon", "--algorithm", "autoregressive", "--max-new-tokens", "4"])
    assert "times as fast" not in capsys.readouterr().out


def test_from_a_shell_steps_are_written_down_in_a_process_of_its_own(loaded, monkeypatch, capsys):
    """Which is ready, or has failed, before the first call: else the first steps would be slower than the others."""
    happened = []
    monkeypatch.setattr(BESIDE, "start", lambda: happened.append("started"))
    monkeypatch.setattr(BESIDE, "wait", lambda: happened.append("ready"))
    monkeypatch.setattr("ersd.decoding.generate", lambda *_, **__: happened.append("generate") or (_ for _ in ()))
    monkeypatch.setattr(sys, "argv", ["ersd", "Once upon"])
    monkeypatch.delitem(sys.modules, "ersd.cli.main")  # or runpy warns that it is there already
    with pytest.raises(SystemExit):
        runpy.run_module("ersd", run_name="__main__", alter_sys=True)
    assert happened == ["started", "ready", "generate"]


def test_quotients_are_rounded_as_a_reader_does(pair):
    (step, *_) = ersd.generate(pair, "Once upon", ersd.Settings(max_new_tokens=2))
    for counts, said in (
        ([4, *7 * [3]], "25 tokens in 8 target calls: 3.13"),
        ([*27 * [3], *13 * [2]], "107 tokens in 40 target calls: 2.68"),
    ):
        steps = [replace(step, emitted=count * step.emitted[:1]) for count in counts]
        assert next(report(steps, ersd.Settings())).startswith(f"{said} per call")


def test_one_call_is_one(loaded, capsys):
    main(["Once", "--max-new-tokens", "1"])
    assert "\n1 token in 1 target call: 1.00 per call" in capsys.readouterr().out


def test_the_branching_decides_how_many_are_drafted(loaded, capsys):
    for branching, count in (("2,1", 4), ("3", 3)):
        assert main(["Once", "--algorithm", "gsd", "--topology", "specinfer", "--branching", branching, "--max-new-tokens", "4"]) == 0
        assert f"specinfer · k = {count}" in capsys.readouterr().out


def test_json_is_a_trace(loaded, capsys):
    assert main(["Once", "--algorithm", "gsd", "--topology", "batch", "--max-new-tokens", "5", "--json"]) == 0
    trace = ersd.Trace.from_json(capsys.readouterr().out)
    assert trace.settings == ersd.Settings(algorithm="gsd", topology="batch", max_new_tokens=5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["Once", "--top-p", "3"], "error: top_p must be a number above 0 and at most 1, got 3"),
        (["Once", "--seed", "abc"], "error: seed must be a whole number from 0 to 9007199254740991, got 'abc'"),
        (["Once", "--algorithm", "magic"], "error: algorithm must be one of ersd"),
        (["  "], "error: prompt must be some text"),
        (["Once", "--target", "x"], "error: target and draft must be given together"),
    ],
)
def test_bad_input_is_told_in_words(capsys, arguments, message):
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("text", ["[]", '{"version": 0}', "{}"])
def test_another_version_is_refused(text):
    with pytest.raises(ValueError, match="not a trace of version 2"):
        ersd.Trace.from_json(text)
