"""Reading traces: a large one in a process of its own, with the same answers and the same refusals as a small one."""

from __future__ import annotations

import re
import sys

import pytest

from visual.server import trace_reader
from visual.server.recorded import first_look
from visual.server.trace_reader import read


def nameless(message: bytes) -> bytes:
    """A message without the random name of its run, and without the time of compression in the header of its trace."""
    return re.sub(rb'"run":"[0-9a-f]{8}"|"trace":"H4sI.{8}', b"", message)


@pytest.fixture
def all_are_large(monkeypatch):
    monkeypatch.setattr(trace_reader, "LARGE", 0)


def test_a_large_trace_is_read_by_another_process_with_the_same_answer(monkeypatch):
    content = first_look().to_json().encode()
    assert len(content) < trace_reader.LARGE
    small = read(content).result()
    monkeypatch.setattr(trace_reader, "LARGE", 0)
    monkeypatch.setattr(trace_reader, "_message", lambda _: pytest.fail("read in this process"))
    assert nameless(read(content).result()) == nameless(small)


@pytest.mark.parametrize("content", [b"{}", b"[" * 200_000])
def test_both_refuse_with_the_same_words(monkeypatch, content):
    refusals = []
    for large in (trace_reader.LARGE, 0):
        monkeypatch.setattr(trace_reader, "LARGE", large)
        with pytest.raises(ValueError) as refused:  # noqa: PT011
            read(content).result()
        refusals.append(str(refused.value))
    assert refusals[0] == refusals[1]


def test_a_process_that_dies_hangs_or_cannot_be_started_is_reported(all_are_large, monkeypatch):
    for command, words in (("/bin/false", "ended with code 1"), ("/nowhere", "cannot start a process to read it")):
        monkeypatch.setattr(sys, "executable", command)
        with pytest.raises(ValueError, match=words):
            read(b"{}").result()
    monkeypatch.undo()
    monkeypatch.setattr(trace_reader, "LARGE", 0)
    monkeypatch.setattr(trace_reader, "SECONDS", 1e-3)
    with pytest.raises(ValueError, match=r"reading it may take 0.001 s here"):
        read(b"{}").result()
