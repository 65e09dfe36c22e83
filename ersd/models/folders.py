"""What is wrong with a model's folder, seen without loading it: files that are missing, cut off or stand-ins for others."""

from __future__ import annotations

import json
import os
from pathlib import Path

_POINTER = b"version https://git-lfs"


def damage(folder: Path) -> str:
    """What is wrong and what to do, in words; empty where nothing is seen, or it is no folder but a hub id."""
    if not os.path.isdir(folder):  # no error for a name that is too long to be one
        return "there is no such folder: look at its path; the embedded pair comes with the repository" if folder.is_absolute() else ""
    if not (folder / "config.json").is_file():
        return "config.json is missing: it must be the folder of a model as transformers saves it"
    weights = sorted(folder.glob("*.safetensors"))
    if not weights:
        return "no .safetensors file is there, and no other weights are read: save the model with safe_serialization"
    for file in [folder / "tokenizer.json", *weights]:
        if file.is_file() and file.open("rb").read(len(_POINTER)) == _POINTER:
            return f"{file.name} is a pointer of git-lfs and not the file itself: run git lfs pull"
    missing = [name for name in _indexed(folder) if not (folder / name).is_file()]
    if missing:
        return f"{missing[0]} is missing, a part of the weights: fetch it again"
    broken = [file.name for file in weights if not _is_whole(file)]
    return f"{broken[0]} is damaged or cut off: fetch it again" if broken else ""


def _indexed(folder: Path) -> list[str]:
    """The files that weights in several parts consist of, by their index."""
    try:
        index = json.loads((folder / "model.safetensors.index.json").read_text(encoding="utf-8"))
        return sorted({str(name) for name in index["weight_map"].values()})
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return []


def _is_whole(file: Path) -> bool:
    """Has a safetensors file its header, and all the bytes that the header tells of?"""
    with file.open("rb") as opened:
        size = int.from_bytes(opened.read(8), "little")
        if not 2 <= size <= file.stat().st_size - 8:
            return False
        try:
            header = json.loads(opened.read(size))
            ends = [entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"]
        except (ValueError, TypeError, KeyError, IndexError, AttributeError):
            return False
    return file.stat().st_size == 8 + size + max(ends, default=0)
