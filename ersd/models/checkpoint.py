"""Checks that the files of a model which will be read are there and whole, without loading them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

WEIGHTS = "model.safetensors"
INDEX = f"{WEIGHTS}.index.json"
_POINTER = b"version https://git-lfs"
_TOKENIZERS = (
    "tokenizer.json", "tokenizer.model", "vocab.json", "vocab.txt", "vocab.bpe", "spiece.model", "tekken.json",
    "sentencepiece.bpe.model", "*.tiktoken", "*.spm", "*.model",
)  # fmt: skip
"""Files of which at least one holds the vocabulary."""


def damage(folder: Path) -> str:
    """What is wrong with a model's folder and what to do about it. Empty if nothing is, or if it is no folder but a hub id.

    Looks at the files that transformers reads and at no others: the configuration, the tokenizer, and the weights, which are one file or
    every file of an index.
    """
    if not os.path.isdir(folder):  # unlike Path.is_dir, raises nothing for a name that is too long
        return "there is no such folder: check its path; the embedded pair comes with the repository" if folder.is_absolute() else ""
    if not (folder / "config.json").is_file():
        return "config.json is missing: it must be the folder of a model as transformers saves it"
    return _config_damage(folder) or _tokenizer_damage(folder) or _weights_damage(folder)


def has_other_tokens(target: Path, draft: Path) -> bool:
    """Do the vocabularies of two folders differ in the ids that both have? False where one has no tokenizer.json, as a hub id."""
    ours, theirs = (_vocabulary(folder / "tokenizer.json") for folder in (target, draft))
    return any(ours[token] != theirs[token] for token in range(min(len(ours), len(theirs))))


def _vocabulary(file: Path) -> list[str]:
    """The tokens in the order of their ids; empty if the file has none that can be read."""
    model = _json(file).get("model")
    stored = model.get("vocab") if isinstance(model, dict) else None
    if isinstance(stored, dict):
        return sorted(stored, key=stored.__getitem__)
    return [str(entry[0]) for entry in stored] if isinstance(stored, list) else []


def _config_damage(folder: Path) -> str:
    return _pointer(folder / "config.json") or ("" if _json(folder / "config.json") else "config.json is damaged: fetch it again")


def _tokenizer_damage(folder: Path) -> str:
    found = [file for pattern in _TOKENIZERS for file in sorted(folder.glob(pattern)) if file.is_file()]
    if not found and not _needs_no_vocabulary(folder):
        return "the tokenizer is missing: save it into the same folder (tokenizer.json)"
    for file in found:
        if pointer := _pointer(file):
            return pointer
        if file.name == "tokenizer.json" and not _ends_as_json(file):
            return f"{file.name} is damaged or cut off: fetch it again"
    return ""


def _needs_no_vocabulary(folder: Path) -> bool:
    """Does the tokenizer's class read no files, as those of bytes?"""
    import transformers

    kind = getattr(transformers, str(_json(folder / "tokenizer_config.json").get("tokenizer_class")), None)
    return kind is not None and not getattr(kind, "vocab_files_names", True)


def _weights_damage(folder: Path) -> str:
    names = [WEIGHTS]
    if not (folder / WEIGHTS).is_file():
        if not (folder / INDEX).is_file():
            return f"{WEIGHTS} is missing, and no other weights are read: save the model with safe_serialization"
        if pointer := _pointer(folder / INDEX):
            return pointer
        parts = _json(folder / INDEX).get("weight_map")
        if not isinstance(parts, dict) or not parts:
            return f"{INDEX} is damaged: fetch it again"
        names = sorted({str(name) for name in parts.values()})
    for file in (folder / name for name in names):
        if not file.is_file():
            return f"{file.name} is missing, a part of the weights: fetch it again"
        if pointer := _pointer(file):
            return pointer
        if not _is_whole(file):
            return f"{file.name} is damaged or cut off: fetch it again"
    return ""


def _is_whole(file: Path) -> bool:
    """Does a safetensors file have a valid header, and exactly the bytes that the header announces?"""
    try:
        with safe_open(file, framework="numpy"):
            return True
    except (SafetensorError, OSError):
        return False


def _pointer(file: Path) -> str:
    """The message for a file that git-lfs has not fetched; empty if it is no such file."""
    with file.open("rb") as opened:
        is_pointer = opened.read(len(_POINTER)) == _POINTER
    return f"{file.name} is a pointer of git-lfs and not the file itself: run git lfs pull" if is_pointer else ""


def _json(file: Path) -> dict[str, Any]:
    """The object in a file; empty if there is none that can be read."""
    try:
        read = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def _ends_as_json(file: Path) -> bool:
    """Is the last character a closing brace? Parsing the vocabulary of a large model would take a second."""
    with file.open("rb") as opened:
        opened.seek(max(0, file.stat().st_size - 16))
        return opened.read().rstrip().endswith(b"}")
