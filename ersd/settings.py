"""Settings: every parameter a user may choose, with its default, its range and its message, once.

The page, the endpoints, the terminal and the tests take ranges and messages from here.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

from .drafts.topologies import TOPOLOGIES, branching_of, refusal, size_of
from .formatting import MOST_QUOTED, brief, quoted
from .rules.registry import ALGORITHMS, TRAITS

METHODS: dict[str, tuple[str, str]] = {
    "ERSD τ*": ("ersd", "tau_star"),
    "ERSD sequence": ("ersd", "sequence"),
    "ERSD batch": ("ersd", "batch"),
    "standard": ("gsd", "sequence"),
    "block": ("block", "sequence"),
    "SpecInfer": ("gsd", "specinfer"),
    "RSD": ("gsd_wor", "specinfer"),
    "SpecTr": ("kseq", "multi_sequence"),
    "Yin batch": ("gsd", "multi_sequence"),
    "one by one": ("autoregressive", "sequence"),
}
"""Named methods: name -> (algorithm, topology). "one by one" has no tree; its topology is ignored."""


def parts_of(method: object) -> tuple[str, str]:
    """Algorithm and topology of a named method; ValueError naming the field, the value and what is allowed."""
    if not isinstance(method, str) or method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {quoted(method)}")
    return METHODS[method]


@dataclass(frozen=True)
class Range:
    """The values a number may take: `low <= value <= high`, or `low < value` where `above` is set."""

    number_type: type
    low: float
    high: float
    above: bool = False

    def __str__(self) -> str:
        noun = "a whole number" if self.number_type is int else "a number"
        if self.above:
            return f"{noun} above {self.low:g} and at most {self.high:g}"
        return f"{noun} from {_plain(self.low)} to {_plain(self.high)}"

    def check(self, name: str, value: Any) -> int | float:
        """`value` as a number of this type; ValueError naming the field, the value and what is allowed."""
        number = value
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not _is_finite(value):
            number = None
        elif self.number_type is int:
            number = int(value) if value == int(value) else None
        else:
            number = float(value)
        if number is None or number > self.high or number < self.low or (self.above and number == self.low):
            raise ValueError(f"{name} must be {self}, got {quoted(value)}")
        return number


def _is_finite(value: int | float) -> bool:
    """Neither infinite nor a whole number beyond all floating-point ones."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _plain(number: float) -> str:
    return str(int(number)) if number == int(number) else f"{number:g}"


RANGES: dict[str, Range] = {
    "draft_tokens": Range(int, 1, 256),
    "temperature": Range(float, 0, 5),
    "top_k": Range(int, 0, 1_000_000),
    "top_p": Range(float, 0, 1, above=True),
    "max_new_tokens": Range(int, 1, 4096),
    "seed": Range(int, 0, 2**53 - 1),
    "sequences": Range(int, 1, 64),
    "leniency": Range(float, 0, 1),
}
"""The range of every numeric field. The seed stays exact in JSON and in a browser."""

MOST_CHARACTERS = 1_000_000
"""Longest prompt that is looked at; reading more takes seconds before its tokens can be counted."""
THREADS = Range(int, 1, 1024)
"""Threads of torch on the CPU."""
LEVELS = Range(int, 1, 16)
"""How many levels a branching may have."""
CHILDREN = Range(int, 1, 64)
"""Children per vertex, each entry of a branching."""

ALLOWED: dict[str, str] = {
    **{name: str(allowed) for name, allowed in RANGES.items()},
    "chat": "true or false",
    "branching": f"{LEVELS.low:g} to {LEVELS.high:g} whole numbers from {CHILDREN.low:g} to {CHILDREN.high:g}, such as 4,2,1,1, "
    f"with at most {RANGES['draft_tokens'].high:g} vertices in all",
}
"""What each field may be, in words; algorithm and topology are names."""

HELP: dict[str, str] = {
    "algorithm": "how the target accepts or rejects the drafted tokens",
    "topology": "the shape of the draft tree",
    "draft_tokens": "drafted tokens per step: the vertices of the tree without its root",
    "temperature": "divides the logits of both models; 0 leaves only the likeliest token",
    "top_k": "both models keep their k likeliest tokens; 0 keeps all",
    "top_p": "both models keep the likeliest tokens that together reach this probability; 1 keeps all",
    "max_new_tokens": "stop after this many new tokens, at the end of the text or at the end of the context",
    "seed": "fixes all clocks and coins; for one seed ERSD writes the same text whatever is drafted (identical in exact arithmetic)",
    "branching": "specinfer only: children per vertex, level by level, such as 4,2,1,1",
    "sequences": "multi_sequence only: how many chains share the drafted tokens; at most as many as there are",
    "leniency": "lossy only: 0 is exact, 1 accepts every drafted token; the output is off by leniency times TV(P, Q)",
    "chat": "put the prompt into the target's chat template, as instruct models expect it",
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
    branching: tuple[int, ...] = (4, 2, 1, 1)
    sequences: int = 4
    leniency: float = 0.0
    chat: bool = False

    def __post_init__(self) -> None:
        for name, allowed in (("algorithm", ALGORITHMS), ("topology", TOPOLOGIES)):
            value = getattr(self, name)
            if not isinstance(value, str) or value not in allowed:
                raise ValueError(f"{name} must be one of {', '.join(allowed)}, got {quoted(value)}")
        for name, between in RANGES.items():
            object.__setattr__(self, name, between.check(name, getattr(self, name)))
        object.__setattr__(self, "branching", _branching(self.branching))
        object.__setattr__(self, "chat", _switch("chat", self.chat))
        reason = refusal(self.algorithm, self.topology)
        if reason:
            raise ValueError(reason)

    @property
    def vertices(self) -> int:
        """The most vertices a tree has, without the root: draft_tokens, or as many as the topology makes of them."""
        if not TRAITS[self.algorithm].drafts:
            return 0
        branching = branching_of(self)
        return self.draft_tokens if branching is None else size_of(branching)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Settings:
        """The settings of `to_dict`; ValueError on a name that is not a setting."""
        names = {field.name for field in dataclasses.fields(cls)}
        unknown = sorted(set(data) - names)
        if unknown:
            raise ValueError(f"{brief(unknown[0])} is not a setting; the settings are {', '.join(sorted(names))}")
        return cls(**data)


def _switch(name: str, value: Any) -> bool:
    """True or false; accepts 0 and 1, and the words as links and terminals write them."""
    known = {"true": True, "false": False, "1": True, "0": False}
    if isinstance(value, (bool, int, str)) and str(value).lower() in known:
        return known[str(value).lower()]
    raise ValueError(f"{name} must be {ALLOWED[name]}, got {quoted(value)}")


def _branching(value: Any) -> tuple[int, ...]:
    """The branching as whole numbers; accepts a list and the text "4,2,1,1"."""
    message = f"branching must be {ALLOWED['branching']}, got {quoted(value)}"
    if isinstance(value, str) and len(value) > MOST_QUOTED:
        raise ValueError(message)  # looked at as text first: a split makes an entry of every comma
    try:
        entries: Any = [_entry(part) for part in value.split(",")] if isinstance(value, str) else value
        LEVELS.check("branching", len(entries))
        branching = tuple(int(CHILDREN.check("branching", entry)) for entry in entries)
    except (TypeError, ValueError):
        raise ValueError(message) from None
    if size_of(branching) > RANGES["draft_tokens"].high:
        raise ValueError(f"{message} with {size_of(branching):,}")
    return branching


def _entry(text: str) -> int | str:
    return int(text) if text.strip().isdigit() else text
