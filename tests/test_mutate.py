"""The list of faults fits the code as it is, and `mutate` tells what became of one."""

from __future__ import annotations

from subprocess import CompletedProcess

import pytest

from tests import mutate
from tests.mutate import FAULTS, OUTDATED, ROOT, SURVIVED, UNCLEAR, Fault

FAULT = Fault(what="one is two", file="one.py", old="1", new="2", tests=("tests",))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.what)
def test_a_fault_is_one_text_of_one_file_and_its_tests_are_there(fault):
    assert (ROOT / fault.file).read_text(encoding="utf-8").count(fault.old) == 1
    assert fault.new != fault.old
    files = [name.split("::")[0] for name in fault.tests if name.startswith("tests/")]
    assert files
    assert all((ROOT / name).exists() for name in files)


@pytest.mark.parametrize(
    ("code", "printed", "told"),
    [
        (0, "3 passed", SURVIVED),
        (1, "FAILED tests/test_one.py::test_it_is_one - assert 2 == 1", "test_it_is_one"),
        (1, "ERROR tests/test_one.py::test_it_is_one", "test_it_is_one"),
        (5, "3 deselected", f"{OUTDATED}: none of its tests is there"),
        (2, "interrupted", f"{UNCLEAR}: interrupted"),
        (-9, "", f"{UNCLEAR}: nothing was printed"),
    ],
)
def test_what_becomes_of_a_fault(tmp_path, monkeypatch, code, printed, told):
    seen = []

    def tested(place, tests) -> CompletedProcess:
        seen.append((place / "one.py").read_text())
        return CompletedProcess([], code, printed, "")

    monkeypatch.setattr(mutate, "tested", tested)
    (tmp_path / "one.py").write_text("1")
    assert mutate.fate(FAULT, tmp_path) == told
    assert set(seen) == {"2"}
    assert len(seen) == 1 + told.startswith(UNCLEAR), "an unclear end is asked a second time"
    assert (tmp_path / "one.py").read_text() == "1"


def test_a_test_that_only_waited_too_long_is_asked_a_second_time(tmp_path, monkeypatch):
    ends = iter([CompletedProcess([], 1, "FAILED tests/x.py::test_x - TimeoutError", ""), CompletedProcess([], 0, "", "")])
    monkeypatch.setattr(mutate, "tested", lambda place, tests: next(ends))
    (tmp_path / "one.py").write_text("1")
    assert mutate.fate(FAULT, tmp_path) == SURVIVED


def test_a_text_that_is_not_found_is_outdated(tmp_path):
    assert mutate.fate(FAULT, tmp_path) == f"{OUTDATED}: its text is found 0 times"
