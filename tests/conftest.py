"""What several tests share: one thread, no network, the embedded pair loaded once."""

from __future__ import annotations

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import pytest
import torch

import ersd
from ersd.trace import Visit

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def pair() -> ersd.ModelPair:
    """The embedded pair on the CPU in float32."""
    return ersd.load_pair(device="cpu", dtype="float32")


@pytest.fixture
def plain_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps without the table and the theory at every vertex, which take no part in what is generated: for tests of many runs."""

    def bare(self, scored, decision):
        return Visit(
            kind=decision.rule.traits.kind, vertex=decision.vertex, tries=[], token=decision.token, text="",
            accepted=decision.accepted >= 0, rank=None, rows=[], entropy=0.0,
        )  # fmt: skip

    monkeypatch.setattr("ersd.recorder.Recorder._visit", bare)
