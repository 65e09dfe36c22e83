"""What several tests share: one thread, no network, the embedded pair loaded once."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ["OMP_NUM_THREADS"] = "1"  # of torch, which the process that only hands out tests need not load
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):  # each program that a test starts would compile its libraries
    os.environ["PYTHONPYCACHEPREFIX"] = str(Path(__file__).parent.parent / ".pytest_cache" / "bytecode")

import hypothesis
import pytest

import ersd

# the same examples in every run: what fails in one fails in all; `pytest --hypothesis-profile=others` looks for others
hypothesis.settings.register_profile("same", derandomize=True, deadline=None)
hypothesis.settings.register_profile("others", deadline=None)
hypothesis.settings.load_profile("same")


def pytest_configure() -> None:
    """Leave out a grammar of addresses that takes two seconds to build: jsonschema, loaded by Gradio, does without."""
    sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three workers for folders of tests, since a page test waits a third of its time for frames, timers and answers.

    None for single files, which are done before a second process has loaded torch.
    """
    return 3 if any(Path(argument.split("::")[0]).is_dir() for argument in config.args) else 0


@pytest.fixture(scope="session")
def pair() -> Iterator[ersd.ModelPair]:
    """The embedded pair on the CPU in float32. From then on pairs are timed in one round: no test needs exact costs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ersd.calibration.ROUNDS", 1)
        yield ersd.load_pair(device="cpu", dtype="float32")


@pytest.fixture
def loaded(monkeypatch, pair) -> ersd.ModelPair:
    """The terminal loads nothing and has this pair: to load it takes longer than most runs."""
    monkeypatch.setattr("ersd.load.load_pair", lambda *_: pair)
    return pair
