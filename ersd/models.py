"""ModelPair: a target and a draft that speak the same tokens, checked before they are used."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch
from torch import Tensor
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase

from .cache import ROOT, TreeCache

EMBEDDED = Path(__file__).resolve().parent.parent / "assets" / "pair"
HAZARDS = EMBEDDED / "hazards.json"
"""What `assets/measure_ranks.py` measured for the embedded pair."""
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
DEVICES = ("auto", "cpu", "cuda")


class PairError(ValueError):
    """These models cannot be used as a pair here; the message says why."""


@dataclass(frozen=True)
class ModelPair:
    """A target and a draft, ready to generate."""

    target: PreTrainedModel
    draft: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    target_name: str
    draft_name: str
    vocab_size: int
    """tokens both models and the tokenizer know; logits beyond are never looked at"""
    context: int
    """longest sequence both models take, tokens"""
    eos_ids: frozenset[int]
    logit_noise: float
    """largest difference of the target's log-probabilities between a tree and its separate paths, seen when the pair was made"""
    name: str = "pair"
    hazards: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """rule -> chance that its j-th child is accepted when those before were not, measured for this pair; the prior of its rank law"""
    _texts: dict[int, str] = field(default_factory=dict, repr=False, compare=False)

    def encode(self, prompt: str) -> list[int]:
        """Token ids of a prompt, BOS included where the tokenizer has one. ValueError if it is empty or does not fit into the context."""
        if not isinstance(prompt, str) or not prompt.strip():
            raise ValueError(f"prompt must be some text, got {prompt!r}")
        ids = list(self.tokenizer(prompt)["input_ids"])
        bos = self.tokenizer.bos_token_id
        if bos is not None and ids[:1] != [bos]:
            ids = [bos, *ids]
        if len(ids) >= self.context:
            raise ValueError(f"prompt must leave room in the context of {self.context} tokens, got {len(ids)} tokens")
        outside = [i for i in ids if i >= self.vocab_size]
        if outside:
            raise ValueError(f"prompt must use the {self.vocab_size} tokens both models know, got token {outside[0]}")
        return ids

    def token_text(self, token: int) -> str:
        """What the token looks like inside a text, its leading space included."""
        if token not in self._texts:
            # some tokenizers drop the space of a text's first token, so the token is read behind another
            anchor = self.tokenizer.encode("a", add_special_tokens=False)[-1:]
            self._texts[token] = self._decode([*anchor, token])[len(self._decode(anchor)) :]
        return self._texts[token]

    def text(self, tokens: list[int]) -> str:
        """The text of new tokens, special tokens left out."""
        return self._decode(tokens, skip_special_tokens=True)

    def _decode(self, tokens: list[int], skip_special_tokens: bool = False) -> str:
        return str(self.tokenizer.decode(tokens, skip_special_tokens=skip_special_tokens, clean_up_tokenization_spaces=False))


def load_pair(target: str | Path | None = None, draft: str | Path | None = None, device: str = "auto", dtype: str = "auto") -> ModelPair:
    """Load a target and a draft from folders or hub ids; without arguments the embedded pair.

    Args:
        target, draft: a folder or a hub id, both or neither. Only safetensors are read and no remote code is run.
        device: "auto" (CUDA if there is one), "cpu" or "cuda".
        dtype: "auto" (bfloat16 on CUDA, float32 on the CPU), "float32", "bfloat16" or "float16".

    Raises:
        ValueError: an argument is wrong, or the models cannot be used together here (then a PairError).
    """
    if (target is None) != (draft is None):
        raise ValueError(f"target and draft must be given together, got target={target!r}, draft={draft!r}")
    if device not in DEVICES:
        raise ValueError(f"device must be one of {', '.join(DEVICES)}, got {device!r}")
    if dtype != "auto" and dtype not in DTYPES:
        raise ValueError(f"dtype must be one of auto, {', '.join(DTYPES)}, got {dtype!r}")
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    elif device == "cuda" and not torch.cuda.is_available():
        raise ValueError("device must be one this machine has, got 'cuda' without a CUDA GPU")
    precision = DTYPES[dtype] if dtype != "auto" else torch.bfloat16 if device == "cuda" else torch.float32
    places = [EMBEDDED / "target", EMBEDDED / "draft"] if target is None or draft is None else [Path(target), Path(draft)]
    models, tokenizers = [], []
    for role, place in zip(("target", "draft"), places, strict=True):
        try:
            tokenizers.append(AutoTokenizer.from_pretrained(str(place)))
            model = AutoModelForCausalLM.from_pretrained(str(place), dtype=precision, use_safetensors=True)
        except (OSError, ValueError, KeyError, ImportError) as error:
            raise PairError(f"{role} must be a causal language model with its tokenizer, got {str(place)!r}: {error}") from error
        models.append(model.eval().to(torch.device(device)))
    sizes = [f"{model.num_parameters() / 1e6:.2g}M" for model in models]
    if target is None:
        first, second, name = f"storyteller {sizes[0]}", f"draft {sizes[1]}", f"embedded storyteller {sizes[0]} ← {sizes[1]}"
    else:
        first, second = (f"{place.name} {size}" for place, size in zip(places, sizes, strict=True))
        name = f"{first} ← {second}"
    made = make_pair(models[0], models[1], tokenizers[0], tokenizers[1], names=(first, second, name))
    return replace(made, hazards=json.loads(HAZARDS.read_text())) if target is None and HAZARDS.exists() else made


def make_pair(
    target: PreTrainedModel,
    draft: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    draft_tokenizer: PreTrainedTokenizerBase | None = None,
    names: tuple[str, str, str] = ("target", "draft", "pair"),
) -> ModelPair:
    """A pair of models already in memory, after all checks.

    Raises:
        PairError: the tokenizers differ, or a model does not score trees correctly.
    """
    vocab_size = min(len(tokenizer), _width(target), _width(draft))
    if draft_tokenizer is not None:
        _check_same_tokens(tokenizer, draft_tokenizer, vocab_size)
    noise = [probe(model, role, vocab_size) for role, model in (("target", target), ("draft", draft))]
    contexts = [getattr(model.config.get_text_config(), "max_position_embeddings", None) for model in (target, draft)]
    return ModelPair(
        target=target, draft=draft, tokenizer=tokenizer, target_name=names[0], draft_name=names[1], name=names[2], vocab_size=vocab_size,
        context=min((c for c in contexts if c), default=1 << 30), eos_ids=_eos_ids(target, tokenizer), logit_noise=noise[0],
    )  # fmt: skip


def _width(model: PreTrainedModel) -> int:
    """Width of the logits; it may be padded beyond the tokenizer."""
    return model.get_output_embeddings().weight.shape[0]


def _eos_ids(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> frozenset[int]:
    """Every id that ends a text, from wherever it is written down."""
    found: set[int] = set()
    for source in (model.generation_config, model.config, tokenizer):
        ids = getattr(source, "eos_token_id", None)
        found.update([] if ids is None else [ids] if isinstance(ids, int) else ids)
    return frozenset(found)


def _check_same_tokens(first: PreTrainedTokenizerBase, second: PreTrainedTokenizerBase, vocab_size: int) -> None:
    ours, theirs = ({i: token for token, i in each.get_vocab().items() if i < vocab_size} for each in (first, second))
    different = [i for i in range(vocab_size) if ours.get(i) != theirs.get(i)]
    if different:
        i = different[0]
        raise PairError(
            f"target and draft must share one tokenizer, but {len(different)} of {vocab_size} tokens differ: "
            f"token {i} is {ours.get(i)!r} for the target and {theirs.get(i)!r} for the draft"
        )


PROBE_PARENTS = (ROOT, ROOT, 0, 0, 1, 3)
TOLERANCE = 1e-4


@torch.inference_mode()
def probe(model: PreTrainedModel, role: str, vocab_size: int) -> float:
    """Score a tree of 6 vertices through the cache and each of its paths alone, then once more behind a committed path.

    Models whose layers carry a state along the sequence (linear attention, convolutions) accept tree masks and are silently wrong: this
    is where they are found out. Returns the largest difference of log-probabilities; PairError if it is above the rounding noise.
    """
    generator = torch.Generator().manual_seed(0)
    config = model.config.get_text_config()
    window = getattr(config, "sliding_window", None) or 8
    context = getattr(config, "max_position_embeddings", None) or 64
    length = max(1, min(window + 3, 40, context - 6))
    tokens = torch.randint(vocab_size, (length + len(PROBE_PARENTS) + 1,), generator=generator).tolist()
    prefix, tree, after = tokens[:length], tokens[length:-1], tokens[-1]
    try:
        cache = TreeCache(model)
        cache.prefill(prefix)
        logits, rows = cache.extend(tree, PROBE_PARENTS)
        path = _path(PROBE_PARENTS, len(tree) - 1)
        cache.commit([rows[v] for v in path])
        behind, _ = cache.extend([after], [ROOT])
        expected = [_alone(model, prefix + [tree[v] for v in _path(PROBE_PARENTS, leaf)]) for leaf in range(len(tree))]
        expected.append(_alone(model, [*prefix, *(tree[v] for v in path), after]))
    except Exception as error:  # models fail here in as many ways as there are models
        raise PairError(f"the {role} ({model.config.model_type}) cannot score a draft tree through a key/value cache: {error}") from error
    seen = torch.cat([logits, behind])[:, :vocab_size].float().log_softmax(-1)
    difference = (seen - torch.stack(expected)[:, :vocab_size].float().log_softmax(-1)).abs().max().item()
    # half precision rounds at 2^-8 or 2^-11 of the logits' size, float32 at 2^-24
    allowed = TOLERANCE if model.dtype == torch.float32 else 64 * torch.finfo(model.dtype).eps
    if not difference <= allowed:
        raise PairError(
            f"the {role} ({model.config.model_type}) scores a draft tree differently from its separate paths "
            f"(by {difference:.2g}, allowed {allowed:.2g}): its layers do not follow a tree mask, so it cannot be used here"
        )
    return difference


def _path(parents: tuple[int, ...], vertex: int) -> list[int]:
    path = [vertex]
    while parents[path[0]] != ROOT:
        path.insert(0, parents[path[0]])
    return path


def _alone(model: PreTrainedModel, tokens: list[int]) -> Tensor:
    return model(input_ids=torch.tensor([tokens], device=model.device), use_cache=False).logits[0, -1]
