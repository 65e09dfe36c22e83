"""The pairs of the catalogue on the hub: why one cannot be loaded, found before anything is tried, and fetching it."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from huggingface_hub import HfApi, constants, snapshot_download
from huggingface_hub.errors import GatedRepoError, HfHubHTTPError, LocalEntryNotFoundError, RepositoryNotFoundError
from tqdm.auto import tqdm

from ..formatting import truncated
from ..machine import GIGA, free_gigabytes
from .catalogue import Offer
from .checkpoint import damage

FILES = ["*.safetensors", "*.json", "*.txt", "*.model", "*.jinja"]
"""What is fetched of a model: weights that are no code, and what describes them."""
_NAMES = {"cpu": "processor", "cuda": "GPU"}


def obstacle(offer: Offer, device: str, dtype: str) -> str:
    """Why a pair cannot be loaded now on this device ("cpu", "cuda") in this precision: memory, network, licence. Empty if it can."""
    needed, free = offer.memory(dtype), free_gigabytes(device)
    if free is not None and needed > free:
        return f"it needs about {needed:.1f} GB of memory in {dtype}, and {free:.1f} GB are free on the {_NAMES[device]} of this server"
    for model in (offer.target, offer.draft):
        if not is_here(model):
            reason = _unreachable(model) or _unwritable(model)
            if reason:
                return reason
    return ""


def is_here(model: str) -> bool:
    """Are all files of this hub model that will be read in the local cache, and whole?"""
    folder = snapshot(model)
    return folder is not None and not damage(folder)


def snapshot(model: str) -> Path | None:
    """The folder of a hub model in the local cache, whole or not; None if there is none."""
    try:
        return Path(snapshot_download(model, allow_patterns=FILES, local_files_only=True))
    except (LocalEntryNotFoundError, OSError, ValueError):  # a ValueError for what cannot be a hub id
        return None


def _unreachable(model: str) -> str:
    """Why a model that is not here cannot be fetched; empty if it can."""
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
        return f"{model} is not on this machine, and the hub refuses it: {truncated(problem)}"
    except Exception as problem:  # every network library raises errors of its own
        return f"{model} is not on this machine, and the hub cannot be reached ({type(problem).__name__})"
    return ""


def _unwritable(model: str) -> str:
    """Why a model that can be fetched cannot be stored; empty if it can."""
    cache = Path(constants.HF_HUB_CACHE)
    folder = next(parent for parent in (cache, *cache.parents) if parent.exists())
    if os.access(folder, os.W_OK | os.X_OK) and folder.is_dir():
        return ""
    return f"{model} cannot be kept, as {cache} cannot be written to: set HF_HOME to a folder that can be"


def fetch(offer: Offer, say: Callable[[str], None]) -> None:
    """Download what is missing of both models into the local cache; `say` gets the progress. Raises what the network raises."""
    for model in (offer.target, offer.draft):
        if not is_here(model):
            snapshot_download(model, allow_patterns=FILES, tqdm_class=_progress(partial(_say_of, model, say)))


def _say_of(model: str, say: Callable[[str], None], message: str) -> None:
    say(f"{model}: {message}")


def _progress(say: Callable[[str], None]) -> type[tqdm]:
    """A progress bar that is not drawn: `say` gets a message for every one that counts bytes."""

    class Progress(tqdm):
        def __init__(self, *values: Any, **named: Any) -> None:
            named.pop("name", None)
            super().__init__(*values, **{**named, "file": io.StringIO(), "disable": False})

        def update(self, n: float | None = 1) -> bool | None:
            drawn = super().update(n)
            if self.unit == "B" and self.total:
                say(f"{self.n / GIGA:.1f} of {self.total / GIGA:.1f} GB fetched")
            return drawn

    return Progress
