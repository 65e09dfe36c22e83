"""Standard streams that are closed, full, or left by their reader; and Ctrl-C at a real terminal."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from contextlib import suppress
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
        assert main([*RUN, *flags]) == 1
    assert capsys.readouterr().err == ""


def _shell(line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", f'"$@" {line}', "bash", *COMMAND, *RUN], cwd=ROOT, capture_output=True, text=True)


def test_closed_streams_are_no_reason_to_fail(tmp_path, loaded, pair, monkeypatch):
    run = _shell("--pays 0.72,0.48 --target-ms 13 --draft-ms 0.5 <&- >&- 2>&-")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    file = tmp_path / "run.json"
    for name in ("stdin", "stdout", "stderr"):  # as Python has them then
        monkeypatch.setattr(sys, name, None)
    assert main([*RUN, "--json", str(file)]) == 0
    trace = ersd.run(pair, "Once upon", ersd.Settings(draft_tokens=4, max_new_tokens=8, seed=3))
    assert ersd.Trace.from_json(file.read_text()).token_ids == trace.token_ids


def test_an_output_that_is_closed_is_one_line():
    for line in (">&-", "--json >&-"):
        run = _shell(line)
        assert (run.returncode, run.stderr) == (1, "error: the output cannot be written: standard output is closed\n")
    assert _shell("--top-p 3 2>/dev/full").returncode == 2


def test_ctrl_c_at_a_terminal(tmp_path):
    here, there = pty.openpty()
    command = [*COMMAND, "Once upon a time", "-k", "128", "--max-new-tokens", "480", "--json", str(tmp_path / "part.json")]
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"}
    # a process started in the background, as a whole test run may be, inherits a Ctrl-C that is ignored
    heeds = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(command, cwd=ROOT, stdout=there, stderr=subprocess.PIPE, env=environment, preexec_fn=heeds)
    os.close(there)
    seen = b""
    while b"\033[32m" not in seen:
        seen += os.read(here, 1024)
    process.send_signal(signal.SIGINT)
    with suppress(OSError), open(here, "rb", buffering=0) as screen:  # reading fails when the program has ended
        while part := screen.read(1024):
            seen += part
    errors = process.communicate(timeout=60)[1]
    trace = ersd.Trace.from_json((tmp_path / "part.json").read_text())
    assert (process.returncode, trace.stopped) == (INTERRUPTED, "interrupted")
    assert errors == f"Interrupted after step {len(trace.steps)}; the figures are of this part.\n".encode()
    assert f"{plural(len(trace.token_ids), 'token')} in {plural(len(trace.steps), 'target call')}" in seen.decode()
    assert len(trace.token_ids) < 480
