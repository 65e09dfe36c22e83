"""Load a pair from folders or the hub onto a device, in a precision; without names the embedded pair."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase

from .calibration import measure
from .formatting import quoted, truncated
from .isolation import isolated
from .machine import place_and_precision
from .models import hub
from .models.checkpoint import damage
from .models.pair import ModelPair, make_pair, with_foreign_draft
from .models.selfcheck import PairError
from .text.ngram_table import NGramTable

EMBEDDED = Path(__file__).resolve().parent.parent / "assets" / "pair"
HAZARDS = EMBEDDED / "hazards.json"
"""What `assets/measure_ranks.py` measured for the embedded pair."""
NGRAMS = EMBEDDED / "ngrams.npz"
"""What `assets/count_ngrams.py` counted in its training text."""
FOREIGN = EMBEDDED / "foreign"
"""Its draft with another tokenizer."""
_MAX_NAMES = 3
"""Tensors that a message names; it counts the others."""


@isolated
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
        target, draft: a folder or a hub id. A target alone takes its guesses from a source that needs no draft model, and a draft with
            another tokenizer guesses through the source `foreign`. Only safetensors are read, and no code of a repository is run.
        device: "auto" (CUDA if there is a GPU), "cpu" or "cuda".
        dtype: "auto" (bfloat16 on CUDA, float32 on the CPU), "float32", "bfloat16" or "float16".
        device_map: "none", or "auto": the layers of the target over all GPUs, through accelerate; the draft stays on `device`.
        is_emulated: CUDA is not available yet, as on ZeroGPU before a call: all models run through transformers, and no costs are
            measured.

    Raises:
        ValueError: an argument is wrong; PairError if the models cannot be loaded or used together here.
    """
    if target is None and draft is not None:
        raise ValueError(f"draft must be given with a target, got {quoted(str(draft))} alone")
    device, dtype = place_and_precision(device, dtype, device_map)
    sources = [EMBEDDED / "target", EMBEDDED / "draft"] if target is None else [Path(each) for each in (target, draft) if each is not None]
    models, tokenizers, notices = [], [], []
    if target is None:
        sources.append(FOREIGN)
    for role, source in zip(("target", "draft", "draft"), sources, strict=False):
        is_spread = device_map == "auto" and role == "target"
        try:
            tokenizer, model, info = _load(source, getattr(torch, dtype), is_spread)
            problem = _unfit_tensors(info)
        except Exception as error:  # each library raises its own errors for damaged files
            problem = _reason(source, error)
            raise PairError(f"{role} must be a causal language model with its tokenizer, got {quoted(str(source))}: {problem}") from error
        if problem:
            raise PairError(f"{role} must be a causal language model with all its weights, got {quoted(str(source))}: {problem}")
        if info["unexpected_keys"]:
            notices.append(f"{role}: tensors that the model does not use: {_listed(info['unexpected_keys'])}")
        tokenizers.append(tokenizer)
        models.append(model.eval() if is_spread else model.eval().to(torch.device(device)))
    sizes = [f"{model.num_parameters() / 1e6:.2g}M" for model in models]
    if target is None:
        first, second, name = f"storyteller {sizes[0]}", f"draft {sizes[1]}", f"embedded storyteller {sizes[0]} ← {sizes[1]}"
    else:
        first, *others = (f"{source.name} {size}" for source, size in zip(sources, sizes, strict=True))
        second, name = (others[0], f"{first} ← {others[0]}") if others else ("none", first)
    draft_model, draft_tokenizer = (models[1], tokenizers[1]) if len(models) > 1 else (None, None)
    names = (first, second, name)
    pair = make_pair(models[0], draft_model, tokenizers[0], draft_tokenizer, names=names, use_llama_decoder=not is_emulated)
    if target is None:
        pair = with_foreign_draft(pair, models[2], tokenizers[2], f"foreign draft {sizes[2]}", not is_emulated)
        pair = replace(pair, hazards=read_hazards(), ngrams=NGramTable.read(NGRAMS))
    return replace(pair, notices=(*notices, *pair.notices), costs={} if is_emulated else measure(pair))


def load_tokenizer(target: str | Path | None = None) -> PreTrainedTokenizerBase:
    """The tokenizer of a target alone, by default the embedded one. PairError if there is none."""
    source = EMBEDDED / "target" if target is None else Path(target)
    try:
        tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(str(source), trust_remote_code=False)
    except Exception as error:
        raise PairError(f"target must have a tokenizer, got {quoted(str(source))}: {_reason(source, error)}") from error
    return tokenizer


def _load(source: Path, dtype: torch.dtype, is_spread: bool) -> tuple[PreTrainedTokenizerBase, PreTrainedModel, dict[str, Any]]:
    """Tokenizer, model, and what transformers reports about the tensors in the files."""
    tokenizer = AutoTokenizer.from_pretrained(str(source), trust_remote_code=False)
    loaded: Any = AutoModelForCausalLM.from_pretrained(
        str(source),
        dtype=dtype,
        use_safetensors=True,
        trust_remote_code=False,
        output_loading_info=True,
        ignore_mismatched_sizes=True,  # reported in `info`, with names
        **({"device_map": "auto"} if is_spread else {}),
    )
    model, info = loaded
    return tokenizer, model, info


def _unfit_tensors(info: dict[str, Any]) -> str:
    """Names the tensors that are missing in the files or have the wrong shape, which transformers fills with random numbers."""
    wrong = {name: f"{name} ({list(stored)}, must be {list(needed)})" for name, stored, needed in info["mismatched_keys"]}
    missing = set(info["missing_keys"]) - set(wrong)
    parts = [f"missing tensors: {_listed(missing)}"] if missing else []
    parts += [f"tensors of the wrong shape: {_listed(wrong.values())}"] if wrong else []
    return "; ".join(parts)


def _listed(names: Any) -> str:
    first, others = sorted(names)[:_MAX_NAMES], len(names) - _MAX_NAMES
    return ", ".join(first) + (f" and {others} more" if others > 0 else "")


def _reason(source: Path, error: Exception) -> str:
    """Why a model could not be loaded."""
    if "trust_remote_code" in str(error):
        return "it needs code of its own, and no code of a repository is run here"
    folder = source if source.is_absolute() or os.path.exists(source) else hub.snapshot(str(source))
    return (damage(folder) if folder else "") or truncated(error) or type(error).__name__


def read_hazards() -> dict[str, dict[str, list[float]]]:
    """`ModelPair.hazards` of the embedded pair; empty without the file. PairError if it is damaged."""
    if not HAZARDS.exists():
        return {}
    try:
        hazards = json.loads(HAZARDS.read_text(encoding="utf-8"))
        if all(0 <= chance <= 1 for rules in hazards.values() for chances in rules.values() for chance in chances):
            return dict(hazards)
    except (OSError, ValueError, TypeError, AttributeError):
        pass
    raise PairError(f"{HAZARDS} is damaged: restore it with git checkout, or measure it again with python -m assets.measure_ranks")
