"""The pairs of the catalogue on the hub: what stands in the way of loading one, found before anything is tried, and fetching it."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
from huggingface_hub import HfApi, constants, snapshot_download
from huggingface_hub.errors import GatedRepoError, HfHubHTTPError, LocalEntryNotFoundError, RepositoryNotFoundError
from tqdm.auto import tqdm

from ..formatting import brief
from .catalogue import Offer
from .folders import damage

FILES = ["*.safetensors", "*.json", "*.txt", "*.model", "*.jinja"]
"""What is fetched of a model: weights that are no code, and what describes them."""
GIGA = 1e9
_CGROUP = Path("/sys/fs/cgroup")


def obstacle(offer: Offer, device: str, dtype: str) -> str:
    """Why a pair cannot be loaded now on this device ("cpu", "cuda") in this precision: memory, network, a licence. Empty if nothing."""
    needed, free = offer.memory(dtype), free_gigabytes(device)
    if free is not None and needed > free:
        return f"it needs about {needed:.1f} GB of memory in {dtype}, and {free:.1f} GB are free on the {_NAMES[device]} of this server"
    for model in (offer.target, offer.draft):
        if not is_here(model):
            reason = _unreachable(model) or _no_room_for(model)
            if reason:
                return reason
    return ""


_NAMES = {"cpu": "processor", "cuda": "GPU"}


def free_gigabytes(device: str) -> float | None:
    """Memory that is free on a device; None where nobody can say."""
    if device == "cuda":
        return torch.cuda.mem_get_info()[0] / GIGA
    free = [room for room in (_of_machine(), _of_group()) if room is not None]
    return min(free) / GIGA if free else None


def _of_machine() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, StopIteration):
        return None


def _of_group() -> int | None:
    """What a container may still take."""
    try:
        most, used = (int((_CGROUP / name).read_text(encoding="ascii")) for name in ("memory.max", "memory.current"))
    except (OSError, ValueError):  # no such group, or "max": no limit
        return None
    return most - used


def is_here(model: str) -> bool:
    """Is this hub model in the local cache, whole?"""
    try:
        folder = snapshot_download(model, allow_patterns=FILES, local_files_only=True)
    except (LocalEntryNotFoundError, OSError):
        return False
    return not damage(Path(folder))


def _unreachable(model: str) -> str:
    """Why a model that is not here cannot be fetched."""
    if constants.HF_HUB_OFFLINE:
        return f"{model} is not on this machine, and the hub is not asked (HF_HUB_OFFLINE is set)"
    try:
        HfApi(endpoint=os.environ.get("HF_ENDPOINT")).model_info(model, timeout=10)
        HfApi(endpoint=os.environ.get("HF_ENDPOINT")).auth_check(model)
    except GatedRepoError:
        return f"{model} is gated: accept its licence on the hub, and set HF_TOKEN to a token of that account"
    except RepositoryNotFoundError:
        return f"{model} is not on the hub, or needs a token (HF_TOKEN) that may read it"
    except HfHubHTTPError as problem:
        return f"{model} is not on this machine, and the hub refuses it: {brief(problem)}"
    except Exception as problem:  # what a network raises is anything, each library's own
        return f"{model} is not on this machine, and the hub cannot be reached ({type(problem).__name__})"
    return ""


def _no_room_for(model: str) -> str:
    """Why a model that can be fetched cannot be kept."""
    cache = Path(constants.HF_HUB_CACHE)
    folder = next(place for place in (cache, *cache.parents) if place.exists())
    if os.access(folder, os.W_OK | os.X_OK) and folder.is_dir():
        return ""
    return f"{model} cannot be kept, as {cache} cannot be written to: set HF_HOME to a folder that can be"


def fetch(offer: Offer, say: Callable[[str], None]) -> None:
    """Brings what is not here of both models into the local cache; tells how far it is. Raises what the network raises."""
    for model in (offer.target, offer.draft):
        if not is_here(model):
            snapshot_download(model, allow_patterns=FILES, tqdm_class=_told_by(partial(_say_of, model, say)))


def _say_of(model: str, say: Callable[[str], None], words: str) -> None:
    say(f"{model}: {words}")


def _told_by(say: Callable[[str], None]) -> type[tqdm]:
    """A progress bar that is not drawn but told, where it counts bytes."""

    class Told(tqdm):
        def __init__(self, *values: Any, **named: Any) -> None:
            named.pop("name", None)
            super().__init__(*values, **{**named, "file": io.StringIO(), "disable": False})

        def update(self, n: float | None = 1) -> bool | None:
            drawn = super().update(n)
            if self.unit == "B" and self.total:
                say(f"{self.n / GIGA:.1f} of {self.total / GIGA:.1f} GB fetched")
            return drawn

    return Told
