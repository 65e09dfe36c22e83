"""The machine a server runs on, in words."""

from __future__ import annotations

import os

import torch


def machine(device: str) -> str:
    """What models run on, and how much memory that has: `device` is "cpu" or "cuda"."""
    if device == "cuda":
        properties = torch.cuda.get_device_properties(0)
        return f"{properties.name}, {properties.total_memory / 1e9:.1f} GB memory"
    threads = torch.get_num_threads()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9 if hasattr(os, "sysconf") else None
    return f"cpu, {threads} thread{'s' * (threads > 1)}" + (f", {memory:.1f} GB memory" if memory else "")
