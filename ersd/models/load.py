"""Fetching a pair: from folders or the hub, onto a device, in a precision; without names the embedded one."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from ..formatting import brief, quoted
from . import stopwatch
from .folders import damage
from .pair import ModelPair, make_pair
from .selfcheck import PairError

EMBEDDED = Path(__file__).resolve().parent.parent.parent / "assets" / "pair"
HAZARDS = EMBEDDED / "hazards.json"
"""What `assets/measure_ranks.py` measured for the embedded pair."""
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
DEVICES = ("auto", "cpu", "cuda")
DEVICE_MAPS = ("none", "auto")


def load_pair(
    target: str | Path | None = None,
    draft: str | Path | None = None,
    device: str = "auto",
    dtype: str = "auto",
    device_map: str = "none",
    is_emulated: bool = False,
) -> ModelPair:
    """Load a target and a draft from folders or hub ids; without arguments the embedded pair.

    Args:
        target, draft: a folder or a hub id, both or neither. Only safetensors are read and no remote code is run.
        device: "auto" (CUDA if there is one), "cpu" or "cuda".
        dtype: "auto" (bfloat16 on CUDA, float32 on the CPU), "float32", "bfloat16" or "float16".
        device_map: "none", or "auto": the target's layers over all GPUs there are, through accelerate; the draft stays on `device`.
        is_emulated: CUDA is not there yet, as on ZeroGPU before a call: nothing is captured and no time measured, all runs through
            transformers.

    Raises:
        ValueError: an argument is wrong, or the models cannot be used together here (then a PairError).
    """
    if (target is None) != (draft is None):
        raise ValueError(f"target and draft must be given together, got target={quoted(target)}, draft={quoted(draft)}")
    device, dtype = place_and_precision(device, dtype, device_map)
    where, precision = torch.device(device), DTYPES[dtype]
    places = [EMBEDDED / "target", EMBEDDED / "draft"] if target is None or draft is None else [Path(target), Path(draft)]
    models, tokenizers = [], []
    for role, place in zip(("target", "draft"), places, strict=True):
        try:
            tokenizers.append(AutoTokenizer.from_pretrained(str(place)))
            spread = {"device_map": "auto"} if device_map == "auto" and role == "target" else {}
            model = AutoModelForCausalLM.from_pretrained(str(place), dtype=precision, use_safetensors=True, **spread)
        except Exception as error:  # what damaged files raise is anything, each library's own
            why = damage(place) or brief(error) or type(error).__name__
            raise PairError(f"{role} must be a causal language model with its tokenizer, got {quoted(str(place))}: {why}") from error
        models.append(model.eval() if spread else model.eval().to(where))
    sizes = [f"{model.num_parameters() / 1e6:.2g}M" for model in models]
    if target is None:
        first, second, name = f"storyteller {sizes[0]}", f"draft {sizes[1]}", f"embedded storyteller {sizes[0]} ← {sizes[1]}"
    else:
        first, second = (f"{place.name} {size}" for place, size in zip(places, sizes, strict=True))
        name = f"{first} ← {second}"
    made = make_pair(models[0], models[1], tokenizers[0], tokenizers[1], names=(first, second, name), try_lean=not is_emulated)
    return replace(made, hazards=read_hazards() if target is None else {}, costs=None if is_emulated else stopwatch.measure(made))


def read_hazards() -> dict[str, list[float]]:
    """What was measured for the embedded pair, if it is there. PairError if the file is damaged."""
    if not HAZARDS.exists():
        return {}
    try:
        hazards = json.loads(HAZARDS.read_text(encoding="utf-8"))
        if all(0 <= chance <= 1 for chances in hazards.values() for chance in chances):
            return dict(hazards)
    except (OSError, ValueError, TypeError, AttributeError):
        pass
    raise PairError(f"{HAZARDS} is damaged: restore it with git checkout, or measure it again with python -m assets.measure_ranks")


def place_and_precision(device: str, dtype: str, device_map: str = "none") -> tuple[str, str]:
    """Where models go and in which precision, "auto" decided, as in `load_pair`. ValueError if it cannot be had here."""
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
    usual = "bfloat16" if device == "cuda" else "float32"
    return device, usual if dtype == "auto" else dtype
