"""What several tests share: one thread, no network, the embedded pair loaded once."""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import hypothesis
import pytest
import torch

import ersd

torch.set_num_threads(1)

# the same examples in every run: what fails in one fails in all; `pytest --hypothesis-profile=others` looks for others
hypothesis.settings.register_profile("same", derandomize=True, deadline=None)
hypothesis.settings.register_profile("others", deadline=None)
hypothesis.settings.load_profile("same")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two workers for folders of tests; none for single files, which are done before a second process has loaded torch."""
    return 2 if any(Path(argument.split("::")[0]).is_dir() for argument in config.args) else 0


@pytest.fixture(scope="session")
def pair() -> ersd.ModelPair:
    """The embedded pair on the CPU in float32."""
    return ersd.load_pair(device="cpu", dtype="float32")


@pytest.fixture
def loaded(monkeypatch, pair) -> ersd.ModelPair:
    """The terminal loads nothing and has this pair: to load it takes longer than most runs."""
    monkeypatch.setattr("ersd.load.load_pair", lambda *_: pair)
    return pair
