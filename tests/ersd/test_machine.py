"""Cores and memory are those that this process may use."""

from __future__ import annotations

import os

import pytest
import torch

from ersd import machine


@pytest.fixture
def group(monkeypatch, tmp_path):
    """Writes the files of a machine with 64 cores, in a cgroup /outer/inner."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(64)), raising=False)
    monkeypatch.setattr(machine, "_CGROUP", tmp_path / "cgroup")
    monkeypatch.setattr(machine, "_PROC", tmp_path / "proc")

    def write(name: str, text: str) -> None:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    write("proc/meminfo", "MemTotal: 1000000 kB\nMemAvailable: 800000 kB\n")
    write("proc/self/cgroup", "0::/outer/inner\n")
    write("cgroup/cpu.max", "max 100000")
    return write


def test_cores_are_limited_by_affinity_and_by_every_group(group, monkeypatch):
    assert machine.usable_cores() == 64
    group("cgroup/outer/cpu.max", "800000 100000\n")
    group("cgroup/outer/inner/cpu.max", "max 100000\n")
    assert machine.usable_cores() == 8
    group("cgroup/outer/inner/cpu.max", "250000 100000\n")
    assert machine.usable_cores() == 2
    group("cgroup/outer/inner/cpu.max", "50000 100000\n")
    assert machine.usable_cores() == 1
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {5})
    assert machine.usable_cores() == 1


def test_memory_is_limited_by_every_group(group):
    assert machine.usable_memory() == 1_024_000_000
    assert machine.free_gigabytes("cpu") == pytest.approx(0.8192)
    group("cgroup/outer/memory.max", "500000000\n")
    group("cgroup/outer/memory.current", "100000000\n")
    group("cgroup/outer/inner/memory.max", "max\n")
    assert machine.usable_memory() == 500_000_000
    assert machine.free_gigabytes("cpu") == pytest.approx(0.4)
    assert machine.hardware("cpu").endswith(", 0.5 GB memory")


def test_an_unknown_machine_has_a_core_and_unknown_memory(monkeypatch, tmp_path):
    monkeypatch.setattr(machine, "_CGROUP", tmp_path)
    monkeypatch.setattr(machine, "_PROC", tmp_path)
    assert machine.usable_cores() >= 1
    assert machine.usable_memory() is None
    assert machine.free_gigabytes("cpu") is None
    assert "memory" not in machine.hardware("cpu")


def test_memory_that_pytorch_keeps_of_models_that_are_gone_is_free_for_others(monkeypatch):
    for name, value in {"mem_get_info": (3e9, 8e9), "memory_reserved": 4e9, "memory_allocated": 1.5e9}.items():
        monkeypatch.setattr(torch.cuda, name, lambda value=value: value)
    assert machine.free_gigabytes("cuda") == pytest.approx(5.5)
