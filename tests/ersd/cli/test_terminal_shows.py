"""What the terminal shows: colours, trees, the table of methods; and what is left after Ctrl-C."""

from __future__ import annotations

import dataclasses
import json
import os
import pty
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import ersd
import ersd.cli.comparison
from ersd.cli import bench
from ersd.cli.main import INTERRUPTED, main
from ersd.cli.paint import BLUE, DIM, GREEN, PLAIN, RED
from ersd.formatting import plural, visible
from ersd.models.pair import make_pair
from ersd.trace.model import Step
from tests.ersd.models.test_chat import TEMPLATE
from tests.ersd.tiny import letters, llama

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.usefixtures("loaded")

RUN = ["Once upon", "-k", "4", "--max-new-tokens", "8", "--seed", "3"]


@pytest.fixture(scope="module")
def trace(pair) -> ersd.Trace:
    return ersd.run(pair, "Once upon", ersd.Settings(draft_tokens=4, max_new_tokens=8, seed=3))


@pytest.fixture
def terminal(monkeypatch, capsys):
    """A terminal that takes colours."""
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return capsys


def test_a_terminal_gets_colours_by_where_tokens_come_from(terminal, trace):
    assert main(RUN) == 0
    shown = terminal.readouterr().out
    for step in trace.steps:
        for emitted in step.emitted:
            assert f"{GREEN if emitted.source == 'draft' else BLUE}{emitted.text}{PLAIN}" in shown


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_no_colours_where_they_are_not_wanted(terminal, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    main([*RUN, "--tree"])
    assert "\033" not in terminal.readouterr().out


def test_no_colours_in_a_file(capsys):
    main([*RUN, "--tree"])
    assert "\033" not in capsys.readouterr().out


def test_what_a_model_writes_does_not_control_the_terminal(terminal, monkeypatch, trace):
    hostile = "\033]0;owned\007\033[2J\x9b2J\r"

    def with_text(step: Step) -> Step:
        emitted = [dataclasses.replace(one, text=hostile) for one in step.emitted]
        return dataclasses.replace(step, emitted=emitted, texts=[hostile] * len(step.tokens))

    def hostile_run(*_):
        yield from map(with_text, trace.steps)

    monkeypatch.setattr("ersd.decoding.generate", hostile_run)
    main([*RUN, "--tree"])
    shown = terminal.readouterr().out
    assert "␛]0;owned" in shown
    for sign in (GREEN, BLUE, RED, DIM, PLAIN):
        shown = shown.replace(sign, "")
    assert not set(shown) & set("\033\007\x9b\r")


def test_a_prompt_in_a_chat_template_is_shown_as_it_is_fed(capsys, monkeypatch):
    tokenizer = letters(8)
    tokenizer.chat_template = TEMPLATE
    instruct = make_pair(llama(8, seed=1), llama(8, seed=2), tokenizer)
    monkeypatch.setattr("ersd.models.load.load_pair", lambda *_: instruct)
    settings = ersd.Settings(draft_tokens=2, max_new_tokens=4, chat=True)
    assert main(["abc", "-k", "2", "--max-new-tokens", "4", "--chat", "true", "--tree", "1"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("gabchf" + ersd.run(instruct, "abc", settings).text)
    assert "accepted\ngabchf\n" in shown
    main(["abc", "-k", "2", "--max-new-tokens", "4"])
    assert capsys.readouterr().out.startswith("abc" + ersd.run(instruct, "abc", dataclasses.replace(settings, chat=False)).text)


def test_a_method_is_its_algorithm_and_topology(capsys):
    main(["Once", "--method", "RSD", "--max-new-tokens", "2"])
    assert "gsd_wor · specinfer" in capsys.readouterr().out


def test_the_tree_of_a_step_is_the_one_of_the_trace(capsys, trace):
    main([*RUN, "--tree", "2"])
    shown = capsys.readouterr().out
    assert "step 1: " not in shown
    step = trace.steps[1]
    said, before, *drawn = shown.split("step 2: ")[1].split("\n\n")[0].split("\n")
    assert said == f"{step.accepted} of {len(step.tokens)} drafted tokens accepted"
    assert before == visible("Once upon" + "".join(one.text for one in trace.steps[0].emitted))
    assert sum("─ ✓ " in line for line in drawn) == step.accepted
    assert len(drawn) == len(step.tokens) + (not step.walk[-1].accepted)
    places = [(line.index("─ ") // 3 + 1, line.split("─ ")[1][2:]) for line in drawn]
    for vertex, text in enumerate(step.texts):
        assert (step.depths[vertex], f"{visible(text)}  q = {step.draft_probs[vertex]:.3f}") in places


def test_all_trees(capsys, trace):
    main([*RUN, "--tree"])
    assert len(re.findall(r"^step \d+: ", capsys.readouterr().out, flags=re.MULTILINE)) == len(trace.steps)


def test_a_step_that_the_run_does_not_have(capsys, trace):
    assert main([*RUN, "--tree", "400"]) == 2
    assert f"from 1 to {len(trace.steps)}, or all, got 400" in capsys.readouterr().err


def test_json_goes_to_a_file_beside_the_text(capsys, tmp_path, trace):
    assert main([*RUN, "--json", str(tmp_path / "run.json")]) == 0
    assert capsys.readouterr().out.startswith("Once upon" + trace.text)
    assert ersd.Trace.from_json((tmp_path / "run.json").read_text()).token_ids == trace.token_ids


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ([], "prompt must be given, as in"),
        (["Once", "--method", "foo"], "method must be one of ERSD τ*, ERSD sequence"),
        (["Once", "--method", "block", "--topology", "sequence"], "topology must not be given, got 'sequence'"),
        (["Once", "--bench", "--method", "block"], "method must not be given, got 'block'"),
        (["Once", "--tree", "0"], "tree must be the number of a step, from 1, or all, got 0"),
        (["Once", "--tree", "x"], "tree must be the number of a step, from 1, or all, got 'x'"),
        (["Once", "--threads", "none"], "threads must be a whole number from 1 to 1024, got 'none'"),
        (["Once", "--bench", "--runs", "1"], "runs must be a whole number from 2 to 100, got 1"),
        (["Once", "--bench", "--tree"], "tree is of one run, so it must not be given with --bench, got 'all'"),
        (["Once", "--runs", "7"], "runs is how many --bench makes, so it must not be given without, got 7"),
        (["Once", "--json", "/nowhere/run.json"], "json must be a file in a folder that can be written to, got '/nowhere/run.json'"),
        (["half \udcff of one"], "prompt must be whole characters"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(capsys, flags, words):
    assert main(flags) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert words in told
    assert told.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_an_output_that_cannot_be_written_is_told_in_one_line():
    with open("/dev/full", "w") as full:
        run = subprocess.run([sys.executable, "-m", "ersd", *RUN], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (run.returncode, run.stderr) == (1, "error: the output cannot be written: No space left on device\n")


def test_who_reads_no_further_ends_it_without_a_word():
    run = subprocess.Popen(
        [sys.executable, "-m", "ersd", *RUN, "--tree"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    run.stdout.close()
    assert run.communicate(timeout=60)[1] == ""
    assert run.returncode == 1


def test_a_prompt_that_is_too_long_is_told_in_one_line(capsys, monkeypatch, pair):
    def warn(self, ids, max_length, verbose):
        if verbose:
            print("Token indices sequence length is longer than …", file=sys.stderr)

    monkeypatch.setattr("transformers.PreTrainedTokenizerBase._eventual_warn_about_too_long_sequence", warn)
    assert main(["once " * 2000]) == 2
    assert capsys.readouterr().err == "error: prompt must leave room in the context of 256 tokens, got 2003 tokens\n"


def test_the_help_writes_defaults_as_they_are_given(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = " ".join(capsys.readouterr().out.split())
    for words in ("default 4,2,1,1)", "true or false; default false)", "a number from 0 to 5; default 1)", "from 2 to 100; default 4)"):
        assert words in shown


def test_an_unknown_flag_is_told_in_one_line(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["Once", "--bogus"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == "python -m ersd: unrecognized arguments: --bogus\n"


def test_after_an_interruption_the_figures_and_the_trace_are_of_the_part(capsys, monkeypatch, tmp_path, trace):
    def until_interrupted(*_):
        yield from trace.steps[:2]
        raise KeyboardInterrupt

    monkeypatch.setattr("ersd.decoding.generate", until_interrupted)
    assert main([*RUN, "--json", str(tmp_path / "part.json")]) == INTERRUPTED
    shown = capsys.readouterr()
    part = ersd.Trace.from_json((tmp_path / "part.json").read_text())
    assert part.stopped == "interrupted"
    assert part.steps == trace.steps[:2]
    assert f"{len(part.token_ids)} tokens in 2 target calls" in shown.out
    assert "Interrupted after step 2" in shown.err


def test_ctrl_c_at_a_terminal(tmp_path):
    here, there = pty.openpty()
    run = ["Once upon a time", "-k", "128", "--max-new-tokens", "480", "--json", str(tmp_path / "part.json")]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "ersd", *run]
    # as in a shell at a terminal: what is started in the background, as a whole test run may be, inherits a Ctrl-C that is ignored
    heeds = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(command, cwd=ROOT, stdout=there, stderr=subprocess.PIPE, env=environment, preexec_fn=heeds)
    os.close(there)
    seen = b""
    while GREEN.encode() not in seen:
        seen += os.read(here, 1024)
    process.send_signal(signal.SIGINT)
    try:
        while part := os.read(here, 1024):
            seen += part
    except OSError:  # the terminal has no other side any more
        pass
    _, told = process.communicate(timeout=60)
    os.close(here)
    assert process.returncode == INTERRUPTED
    assert b"Traceback" not in told + seen
    assert b"Interrupted after step" in told
    trace = ersd.Trace.from_json((tmp_path / "part.json").read_text())
    assert f"{plural(len(trace.token_ids), 'token')} in {plural(len(trace.steps), 'target call')}" in seen.decode()
    assert len(trace.token_ids) < 480


BENCH = ["Once upon", "-k", "4", "--max-new-tokens", "6", "--seed", "3", "--bench", "--runs", "2"]


def test_the_table_measures_every_method_with_as_many_drafted_tokens(capsys, pair, tmp_path):
    assert main([*BENCH, "--json", str(tmp_path / "table.json")]) == 0
    shown = capsys.readouterr()
    rows = json.loads((tmp_path / "table.json").read_text())
    assert [row["method"] for row in rows] == list(ersd.METHODS)
    assert {row["drafted"].split()[0] for row in rows} == {"4", "–"}
    assert [line.split("  ")[0] for line in shown.out.split("\n")[1 : 1 + len(rows)]] == list(ersd.METHODS)
    limits = {row["method"]: (row["limit"], row["limit_name"]) for row in rows}
    assert limits["ERSD batch"] == (2, "1 level + 1")
    assert limits["block"] == (5, "4 levels + 1")
    assert limits["one by one"] == (None, "")
    usual = ersd.Settings("ersd", "sequence", draft_tokens=4, max_new_tokens=6)
    runs = [ersd.run(pair, "Once upon", dataclasses.replace(usual, seed=seed)) for seed in (3, 4)]
    assert rows[1]["tokens_per_call"] == pytest.approx(sum(len(run.token_ids) for run in runs) / sum(len(run.steps) for run in runs))
    assert shown.err == ""  # no bar where nobody watches


def test_the_table_after_an_interruption_is_of_the_methods_there_are(capsys, monkeypatch):
    some = ersd.cli.comparison.Measured("ERSD τ*", "4", 2.0, 0.1, 2.1, 4.0, "3 levels + 1", 3.0)

    def until_interrupted(*_):
        yield some
        raise KeyboardInterrupt

    monkeypatch.setattr(bench, "rows", until_interrupted)
    assert main(BENCH) == INTERRUPTED
    shown = capsys.readouterr()
    assert "2.00 ± 0.10" in shown.out
    assert "4 (3 levels + 1)" in shown.out
    assert f"Interrupted after 1 of {len(ersd.METHODS)} methods" in shown.err


@pytest.mark.parametrize("k", [1, 2, 7, 67, 256])
def test_methods_are_compared_at_the_same_number_of_drafted_tokens(pair, k):
    for algorithm, topology in ersd.METHODS.values():
        settings = ersd.cli.comparison.settings_of(pair, ersd.Settings(algorithm, topology, draft_tokens=k))
        assert settings.vertices == (0 if algorithm == "autoregressive" else k)
