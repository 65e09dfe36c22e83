"""What models run on: device and precision."""

from __future__ import annotations

from importlib.util import find_spec

import torch

from .formatting import quoted
from .machine import free_memory, usable_memory

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
DEVICES = ("auto", "cpu", "cuda")
DEVICE_MAPS = ("none", "auto")
GIGA = 1e9


def place_and_precision(device: str, dtype: str, device_map: str = "none") -> tuple[str, str]:
    """Device and dtype as `load_pair` takes them, with "auto" resolved. ValueError if they are not available here."""
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
    if device == "cuda":
        properties = torch.cuda.get_device_properties(0)
        return f"{properties.name}, {properties.total_memory / GIGA:.1f} GB memory"
    threads, memory = torch.get_num_threads(), usable_memory()
    return f"cpu, {threads} thread{'s' * (threads > 1)}" + (f", {memory / GIGA:.1f} GB memory" if memory else "")


def free_gigabytes(device: str) -> float | None:
    """Gigabytes of memory that are free on a device ("cpu" or "cuda"); None if unknown."""
    if device == "cuda":
        # what PyTorch keeps of models that are gone counts as taken for the driver, and is given to the next ones
        kept = torch.cuda.memory_reserved() - torch.cuda.memory_allocated()
        return (torch.cuda.mem_get_info()[0] + kept) / GIGA
    free = free_memory()
    return None if free is None else free / GIGA
