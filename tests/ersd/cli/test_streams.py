"""Standard streams that are closed, full, or left by their reader; and Ctrl-C at a real terminal."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import ersd
from ersd.cli.main import INTERRUPTED, main
from ersd.formatting import plural

ROOT = Path(__file__).resolve().parents[3]
COMMAND = [sys.executable, "-m", "ersd"]
RUN = ["Once upon", "-k", "4", "--max-new-tokens", "8", "--seed", "3"]


@pytest.mark.parametrize("flags", [[], ["--json"]])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_an_output_that_cannot_be_written_is_one_line(loaded, capsys, monkeypatch, flags):
    with open("/dev/full", "w") as full:  # to close it fails if something is left in its buffer
        monkeypatch.setattr(sys, "stdout", full)
        assert main([*RUN, *flags]) == 1
    assert capsys.readouterr().err == "error: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize("flags", [["--tree"], ["--json"]])
def test_a_reader_that_leaves_gets_no_message(loaded, capsys, monkeypatch, flags):
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as left:
        monkeypatch.setattr(sys, "stdout", left)
        try:
            code = main([*RUN, *flags])
        except SystemExit as ended:
            code = ended.code
    assert (code, capsys.readouterr().err) == (1, "")


def _shell(line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", f'"$@" {line}', "bash", *COMMAND, *RUN], cwd=ROOT, capture_output=True, text=True)


def test_closed_streams_are_no_reason_to_fail(tmp_path, pair):
    file = tmp_path / "run.json"
    run = _shell(f"--json {file} <&- >&- 2>&-")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    trace = ersd.run(pair, "Once upon", ersd.Settings(draft_tokens=4, max_new_tokens=8, seed=3))
    assert ersd.Trace.from_json(file.read_text()).token_ids == trace.token_ids


def test_an_output_that_is_closed_is_one_line():
    for line in (">&-", "--json >&-"):
        run = _shell(line)
        assert (run.returncode, run.stderr) == (1, "error: the output cannot be written: standard output is closed\n")
    assert _shell("--top-p 3 2>/dev/full").returncode == 2


def test_ctrl_c_at_a_terminal(tmp_path):
    here, there = pty.openpty()
    run = ["Once upon a time", "-k", "128", "--max-new-tokens", "480", "--json", str(tmp_path / "part.json")]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    # a process started in the background, as a whole test run may be, inherits a Ctrl-C that is ignored
    heeds = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen([*COMMAND, *run], cwd=ROOT, stdout=there, stderr=subprocess.PIPE, env=environment, preexec_fn=heeds)
    os.close(there)
    seen = b""
    while b"\033[32m" not in seen:
        seen += os.read(here, 1024)
    process.send_signal(signal.SIGINT)
    try:
        while part := os.read(here, 1024):
            seen += part
    except OSError:  # the other side of the terminal is closed
        pass
    _, errors = process.communicate(timeout=60)
    os.close(here)
    assert process.returncode == INTERRUPTED
    assert b"Traceback" not in errors + seen
    assert b"Interrupted after step" in errors
    trace = ersd.Trace.from_json((tmp_path / "part.json").read_text())
    assert f"{plural(len(trace.token_ids), 'token')} in {plural(len(trace.steps), 'target call')}" in seen.decode()
    assert len(trace.token_ids) < 480
