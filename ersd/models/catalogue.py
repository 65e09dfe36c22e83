"""The public model pairs that are offered by name, read from assets/pairs.toml. Plain data: nothing is loaded."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import tomllib

CATALOGUE = Path(__file__).resolve().parent.parent.parent / "assets" / "pairs.toml"

BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}
"""Bytes per weight, by precision."""
OVERHEAD_GIGABYTES = 1.5
"""Memory that a pair needs besides its weights: keys and values, logits, and what loading needs."""


@dataclass(frozen=True)
class Offer:
    """A pair of models on the hub, as pairs.toml describes it."""

    name: str
    target: str
    draft: str
    licence: str
    gated: bool
    """whether a licence must be accepted on the hub first"""
    gigabytes: float
    """weights of both models in 16 bits"""
    chat: bool
    """whether they are instruct models, which expect a chat template"""

    def memory(self, dtype: str) -> float:
        """Gigabytes that the pair needs in this precision."""
        return self.gigabytes * BYTES[dtype] / 2 + OVERHEAD_GIGABYTES

    @property
    def about(self) -> str:
        """Size and licence as one line."""
        return f"{self.gigabytes:g} GB in 16 bits, {self.licence}" + (", gated" if self.gated else "")


def read_catalogue(path: Path = CATALOGUE) -> list[Offer]:
    """The pairs in the file's order. ValueError, naming the entry and what is wrong, if the file is damaged."""
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8")).get("pair", [])
    except (OSError, ValueError) as problem:
        raise ValueError(f"{path} cannot be read ({problem}): restore it with git checkout") from None
    by_name: dict[str, tuple[type, ...]] = {"str": (str,), "bool": (bool,), "float": (int, float)}
    kinds = {field.name: by_name[str(field.type)] for field in fields(Offer)}
    for i, entry in enumerate(entries, 1):
        wrong = [name for name, kind in kinds.items() if not isinstance(entry.get(name), kind)] + sorted(set(entry) - set(kinds))
        if wrong:
            raise ValueError(f"{path}: pair {i} must have {', '.join(kinds)}, each as in the entries before it; look at {wrong[0]}")
    return [Offer(**entry) for entry in entries]
