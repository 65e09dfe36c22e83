"""The cores and the memory that this process may use, which can be less than the machine has. Importing it does not import torch."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_CGROUP = Path("/sys/fs/cgroup")
_PROC = Path("/proc")


def usable_cores() -> int:
    """CPU cores that this process may use: its affinity, and the CPU quota of its cgroup; at least 1."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    for folder in _groups():
        quota, _, period = _read(folder / "cpu.max").partition(" ")
        if quota.isdigit() and period.strip().isdigit():
            cores = min(cores, int(quota) // int(period))
    return max(1, cores)


def usable_memory() -> int | None:
    """Bytes of memory that this process may use, of the machine and of its cgroup; None if unknown."""
    known = [number for folder in _groups() if (number := _number(folder / "memory.max")) is not None]
    total = _meminfo("MemTotal")
    return min(known if total is None else [*known, total], default=None)


def free_memory() -> int | None:
    """Bytes of memory that are free for this process; None if unknown."""
    free = []
    for folder in _groups():
        limit, used = _number(folder / "memory.max"), _number(folder / "memory.current")
        if limit is not None and used is not None:
            free.append(limit - used)
    available = _meminfo("MemAvailable")
    free += [] if available is None else [available]
    return min(free, default=None)


def _groups() -> Iterator[Path]:
    """The folders of this process' cgroup (version 2) and of the groups around it, each of which may set limits."""
    own = next((line[3:] for line in _read(_PROC / "self/cgroup").splitlines() if line.startswith("0::")), "/")
    folder = _CGROUP / own.strip("/")
    yield from (each for each in (folder, *folder.parents) if each.is_relative_to(_CGROUP))


def _number(file: Path) -> int | None:
    """The number in a file; None if there is no such file, or it reads "max"."""
    text = _read(file).strip()
    return int(text) if text.isdigit() else None


def _meminfo(name: str) -> int | None:
    """Bytes, from a line of /proc/meminfo in kB."""
    lines = (line.split() for line in _read(_PROC / "meminfo").splitlines())
    return next((int(words[1]) * 1024 for words in lines if words[:1] == [f"{name}:"]), None)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""
