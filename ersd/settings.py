"""Settings: every parameter a user may choose, with its default, its bounds and its message, once.

The page, the endpoints, the terminal and the tests take bounds and messages from here.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

METHODS: dict[str, tuple[str, str]] = {
    "ERSD τ*": ("ersd", "tau_star"),
    "ERSD sequence": ("ersd", "sequence"),
    "ERSD batch": ("ersd", "batch"),
    "standard": ("gsd", "sequence"),
    "one by one": ("autoregressive", "sequence"),
}
"""Named methods: name -> (algorithm, topology). "one by one" has no tree; its topology is ignored."""

TOPOLOGIES: dict[str, str] = {
    "sequence": "a chain: every drafted token continues the one before it",
    "batch": "all drafted tokens compete for the next position",
    "tau_star": "the tree with the most expected accepted tokens under the measured rank law",
}
"""Draft topologies: name -> short description."""


@dataclass(frozen=True)
class Bounds:
    """The values a number may take: `low <= value <= high`, or `low < value` where `above` is set."""

    kind: type
    low: float
    high: float
    above: bool = False

    def __str__(self) -> str:
        noun = "a whole number" if self.kind is int else "a number"
        if self.above:
            return f"{noun} above {self.low:g} and at most {self.high:g}"
        return f"{noun} from {_plain(self.low)} to {_plain(self.high)}"

    def check(self, name: str, value: Any) -> int | float:
        """`value` as `kind`; ValueError naming the field, the value and what is allowed."""
        number = value
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            number = None
        elif self.kind is int:
            number = int(value) if value == int(value) else None
        else:
            number = float(value)
        if number is None or number > self.high or number < self.low or (self.above and number == self.low):
            raise ValueError(f"{name} must be {self}, got {value!r}")
        return number


def _plain(number: float) -> str:
    return str(int(number)) if number == int(number) else f"{number:g}"


BOUNDS: dict[str, Bounds] = {
    "draft_tokens": Bounds(int, 1, 256),
    "temperature": Bounds(float, 0, 5),
    "top_k": Bounds(int, 0, 1_000_000),
    "top_p": Bounds(float, 0, 1, above=True),
    "max_new_tokens": Bounds(int, 1, 4096),
    "seed": Bounds(int, 0, 2**53 - 1),
}
"""Bounds of the numeric fields. The seed stays exact in JSON and in a browser."""

HELP: dict[str, str] = {
    "algorithm": "how the target accepts or rejects the drafted tokens",
    "topology": "the shape of the draft tree",
    "draft_tokens": "drafted tokens per step: the vertices of the tree without its root",
    "temperature": "divides the logits of both models; 0 leaves only the likeliest token",
    "top_k": "both models keep their k likeliest tokens; 0 keeps all",
    "top_p": "both models keep the likeliest tokens that together reach this probability; 1 keeps all",
    "max_new_tokens": "stop after this many new tokens, at the end of the text or at the end of the context",
    "seed": "fixes all clocks and coins; for one seed ERSD writes the same text whatever is drafted (identical in exact arithmetic)",
}
"""One line of explanation per field."""


@dataclass(frozen=True)
class Settings:
    """What to run. Raises ValueError naming the field, the value and what is allowed."""

    algorithm: str = "ersd"
    topology: str = "tau_star"
    draft_tokens: int = 16
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    max_new_tokens: int = 64
    seed: int = 0

    def __post_init__(self) -> None:
        from .rules import ALGORITHMS  # late: the registry needs torch, this module does not

        for name, allowed in (("algorithm", ALGORITHMS), ("topology", TOPOLOGIES)):
            value = getattr(self, name)
            if not isinstance(value, str) or value not in allowed:
                raise ValueError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")
        for name, bounds in BOUNDS.items():
            object.__setattr__(self, name, bounds.check(name, getattr(self, name)))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Settings:
        """The settings of `to_dict`; ValueError on a name that is not a setting."""
        names = {field.name for field in dataclasses.fields(cls)}
        unknown = sorted(set(data) - names)
        if unknown:
            raise ValueError(f"{unknown[0]} is not a setting; the settings are {', '.join(sorted(names))}")
        return cls(**data)
