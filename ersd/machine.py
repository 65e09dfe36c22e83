"""What this process runs on: cores and memory it may use, the device and precision of models, and the clock of all measured times.

Importing it does not import torch.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from .formatting import quoted

DTYPES = ("float32", "bfloat16", "float16")
DEVICES = ("auto", "cpu", "cuda")
DEVICE_MAPS = ("none", "auto")
GIGA = 1e9
_CGROUP = Path("/sys/fs/cgroup")
_PROC = Path("/proc")


def now_ms() -> float:
    """Milliseconds of a clock that never goes back. Every time in a trace, on the page and in the terminal is a difference of two of them.

    Limits of time (a run's, a message's) are not shown and use `time.monotonic`.
    """
    return 1e3 * perf_counter()


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


def place_and_precision(device: str, dtype: str, device_map: str = "none") -> tuple[str, str]:
    """Device and dtype as `load_pair` takes them, with "auto" resolved. ValueError if they are not available here."""
    import torch

    if device_map not in DEVICE_MAPS:
        raise ValueError(f"device_map must be one of {', '.join(DEVICE_MAPS)}, got {quoted(device_map)}")
    if device_map == "auto" and not find_spec("accelerate"):
        raise ValueError("device_map must be none where accelerate is not installed, got 'auto': pip install accelerate")
    if device not in DEVICES:
        raise ValueError(f"device must be one of {', '.join(DEVICES)}, got {quoted(device)}")
    if device == "cuda" and not torch.cuda.is_available():
        raise ValueError("device must be one this machine has, got 'cuda' without a CUDA GPU")
    if dtype != "auto" and dtype not in DTYPES:
        raise ValueError(f"dtype must be one of auto, {', '.join(DTYPES)}, got {quoted(dtype)}")
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    default = "bfloat16" if device == "cuda" else "float32"
    return device, default if dtype == "auto" else dtype


def hardware(device: str) -> str:
    """One line about the hardware that runs the models; `device` is "cpu" or "cuda"."""
    import torch

    if device == "cuda":
        properties = torch.cuda.get_device_properties(0)
        return f"{properties.name}, {properties.total_memory / GIGA:.1f} GB memory"
    threads, memory = torch.get_num_threads(), usable_memory()
    return f"cpu, {threads} thread{'s' * (threads > 1)}" + (f", {memory / GIGA:.1f} GB memory" if memory else "")


def free_gigabytes(device: str) -> float | None:
    """Gigabytes of memory that are free on a device ("cpu" or "cuda"); None if unknown."""
    if device == "cuda":
        import torch

        # what PyTorch keeps of models that are gone counts as taken for the driver, and is given to the next ones
        kept = torch.cuda.memory_reserved() - torch.cuda.memory_allocated()
        return (torch.cuda.mem_get_info()[0] + kept) / GIGA
    free = free_memory()
    return None if free is None else free / GIGA


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
