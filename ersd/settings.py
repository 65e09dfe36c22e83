"""Settings: every parameter a user may choose, with its default, its bounds and the message that refuses another value.

The page, the endpoints, the terminal and the tests take bounds and messages from here. pydantic checks the values.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, TypeVar, get_type_hints

from annotated_types import Ge, GroupedMetadata, Gt, Le
from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError, WrapValidator
from pydantic.dataclasses import dataclass
from pydantic_core import PydanticCustomError

from .drafts.topologies import TOPOLOGIES, TREES, Branching, refusal, size_of
from .formatting import MAX_QUOTED, quoted, truncated
from .rules.registry import ALGORITHMS, TRAITS

T = TypeVar("T")

SOURCES: dict[str, str] = {
    "model": "the draft model",
    "ngram": "n-grams: what followed the same tokens before, in this text and in the training text",
    "exit": "the target's own first layers, half of them",
    "frequent": "the draft model's head on its frequent_tokens most frequent tokens",
    "foreign": "a draft model with another tokenizer, of which the strings remain that the target has too",
    "routed": "one of the others, chosen before each step by how well they guessed in the steps before",
}
"""name -> what guesses; `drafts.sources.MAKERS` has how each is made. A pair without what a source needs refuses it. Under a race a source
does not change the text, only how much of it was guessed."""

KEYS: dict[str, str] = {"position": "the position", "context": "the last 4 tokens"}
"""name -> what the clocks after a token depend on, beside the seed"""

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
    "SpecHub": ("spechub", "specinfer"),
    "half race": ("half_race", "sequence"),
    "ERSD laps": ("ersd", "poisson"),
    "traversal": ("traversal", "specinfer"),
}
"""Named methods: name -> (algorithm, topology). "one by one" has no tree; its topology is ignored."""


def parts_of(method: object) -> tuple[str, str]:
    """Algorithm and topology of a named method; ValueError naming the field, the value and what is allowed."""
    return METHODS[one_of("method", method, METHODS)]


def one_of(name: str, value: object, names: Iterable[str]) -> str:
    """`value` if it is one of the names; ValueError naming the field, the value and what is allowed."""
    if not isinstance(value, str) or value not in names:
        raise ValueError(f"{name} must be one of {', '.join(names)}, got {quoted(value)}")
    return value


@dataclasses.dataclass(frozen=True)
class Range(GroupedMetadata):
    """Bounds of a number: `low <= value <= high`, or `low < value` where `above` is set.

    It annotates a field (`Annotated[int, Range(int, 1, 256)]`, checked by pydantic) or checks a single value.
    """

    number_type: type[int] | type[float]
    low: float
    high: float
    above: bool = False

    def __iter__(self) -> Iterator[object]:
        yield Gt(self.low) if self.above else Ge(self.low)
        yield Le(self.high)
        yield BeforeValidator(_number)

    def __str__(self) -> str:
        noun = "a whole number" if self.number_type is int else "a number"
        if self.above:
            return f"{noun} above {self.low:g} and at most {self.high:g}"
        return f"{noun} from {_plain(self.low)} to {_plain(self.high)}"

    def check(self, name: str, value: Any) -> int | float:
        """`value` as a number of this type; ValueError naming the field, the value and what is allowed."""
        bounded: Any = Annotated[self.number_type, self]
        try:
            return TypeAdapter(bounded).validate_python(value)
        except ValidationError:
            raise ValueError(f"{name} must be {self}, got {quoted(value)}") from None


def _number(value: Any) -> int | float:
    """Only numbers are numbers: pydantic alone would also take True and "4"."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise PydanticCustomError("number_type", "not a number")
    return value


def _plain(number: float) -> str:
    return str(int(number)) if number == int(number) else f"{number:g}"


MAX_CHARACTERS = 1_000_000
"""Characters of a prompt: encoding more takes seconds before its tokens can be counted."""
THREADS = Range(int, 1, 1024)
"""CPU threads of torch."""
STEP_COSTS = {
    "target-ms": ("a target call for one token", Range(float, 0, 100_000, above=True)),
    "draft-ms": ("a draft call", Range(float, 0, 100_000)),
    "row-ms": ("each further token of a target call", Range(float, 0, 100_000)),
}
"""What `theory.pays` takes beside acceptance rates, milliseconds: what each is, and its bounds."""
TEXT_START = Range(int, 0, 1_000_000)
"""Index of a text's first token in the sequence of the run that may have written it, for `watermark`."""
MAX_TEXT_BYTES = 1_000_000
"""Bytes of a text that is tested for its seed."""
FREQUENT_TOKENS = 1024
"""Usual number of tokens that the source `frequent` can guess."""
LEVELS = Range(int, 1, 16)
"""Levels of a branching."""
CHILDREN = Range(int, 1, 64)
"""Children per node: each entry of a branching."""

HELP: dict[str, str] = {
    "algorithm": "how the target accepts or rejects the drafted tokens",
    "topology": "the shape of the draft tree",
    "draft_tokens": "drafted tokens per step: the nodes of the tree without its root",
    "temperature": "divides the logits of both models; 0 leaves only the likeliest token",
    "top_k": "both models keep their k likeliest tokens; 0 keeps all",
    "top_p": "both models keep the likeliest tokens that together reach this probability; 1 keeps all",
    "max_new_tokens": "stop after this many new tokens, at the end of the text or at the end of the context",
    "seed": "fixes all clocks and coins; for one seed ERSD writes the same text whatever is drafted (identical in exact arithmetic)",
    "branching": "specinfer only: children per node, level by level, such as 4,2,1,1",
    "sequences": "multi_sequence: how many chains share the drafted tokens; poisson: how many arrivals a level; at most draft_tokens",
    "leniency": "lossy only: 0 is exact, 1 accepts every drafted token; the output is off by leniency times TV(P, Q)",
    "chat": "put the prompt into the target's chat template, as instruct models expect it",
    "source": "where the drafted tokens come from",
    "keys": "what clocks depend on beside the seed; by context a copy with a word inserted is still recognised; races only",
    "price": "dynamic only: a token is drafted while its worth, the expected tokens it adds, exceeds this; draft_tokens is the most",
    "frequent_tokens": "source frequent only: how many of the most frequent tokens can be guessed",
}
"""One line of explanation per field."""


def _branching(value: Any, check: Callable[[Any], tuple[int, ...]]) -> tuple[int, ...]:
    """A branching from a list or from text such as "4,2,1,1"; `check` is pydantic's, for its levels and entries."""
    entries = value
    if isinstance(value, str) and len(value) <= MAX_QUOTED:  # longer text stays text, which `check` refuses
        entries = [int(part) if part.strip().isdecimal() else part for part in value.split(",")]
    branching = check(entries)
    if size_of(branching) > RANGES["draft_tokens"].high:
        raise ValueError(f"branching must be {ALLOWED['branching']}, got {quoted(value)} with {size_of(branching):,}")
    return branching


def _plain_errors(cls: type[T]) -> type[T]:
    """A pydantic dataclass that raises ValueError with one sentence instead of pydantic's ValidationError."""
    init: Callable[..., None] = cls.__init__
    names = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]

    @functools.wraps(init)
    def checked_init(self: T, /, *args: Any, **values: Any) -> None:
        try:
            init(self, *args, **values)
            return
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
        if first["type"] == "value_error":  # raised in this module, as a whole sentence
            raise ValueError(str(first["ctx"]["error"]))
        field = first["loc"][0]
        if "argument" in first["type"]:  # too many, unknown or repeated: as any class refuses them
            raise TypeError(f"{first['msg']}: {field}")
        name = names[field] if isinstance(field, int) else field
        raise ValueError(f"{name} must be {ALLOWED[name]}, got {quoted(values[name] if name in values else args[names.index(name)])}")

    cls.__init__ = checked_init  # type: ignore[assignment, method-assign]
    return cls


@_plain_errors
@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Settings:
    """What to run. Raises ValueError naming the field, the value and what is allowed."""

    algorithm: Annotated[str, BeforeValidator(functools.partial(one_of, "algorithm", names=ALGORITHMS))] = "ersd"
    topology: Annotated[str, BeforeValidator(functools.partial(one_of, "topology", names=TOPOLOGIES))] = "tau_star"
    draft_tokens: Annotated[int, Range(int, 1, 256)] = 16
    temperature: Annotated[float, Range(float, 0, 5)] = 1.0
    top_k: Annotated[int, Range(int, 0, 1_000_000)] = 0
    top_p: Annotated[float, Range(float, 0, 1, above=True)] = 1.0
    max_new_tokens: Annotated[int, Range(int, 1, 4096)] = 64
    seed: Annotated[int, Range(int, 0, 2**53 - 1)] = 0
    """stays exact in JSON and in a browser"""
    branching: Annotated[
        tuple[Annotated[int, CHILDREN], ...],
        Field(min_length=int(LEVELS.low), max_length=int(LEVELS.high)),
        WrapValidator(_branching),
    ] = (4, 2, 1, 1)
    sequences: Annotated[int, Range(int, 1, 64)] = 4
    leniency: Annotated[float, Range(float, 0, 1)] = 0.0
    chat: bool = False
    source: Annotated[str, BeforeValidator(functools.partial(one_of, "source", names=SOURCES))] = "model"
    keys: Annotated[str, BeforeValidator(functools.partial(one_of, "keys", names=KEYS))] = "position"
    price: Annotated[float, Range(float, 0, 1)] = 0.0
    frequent_tokens: Annotated[int, Range(int, 1, 1_000_000)] = FREQUENT_TOKENS

    def __post_init__(self) -> None:
        reason = refusal(self.algorithm, self.topology)
        if reason:
            raise ValueError(reason)
        if self.keys != "position" and not TRAITS[self.algorithm].has_clocks:
            raise ValueError(f"keys must be position for {self.algorithm}, which has no clocks, got {quoted(self.keys)}")
        if not TRAITS[self.algorithm].drafts:
            return
        if self.price and "price" not in TREES[self.topology].fields:
            raise ValueError(f"price must be 0 for {self.topology}, whose size is fixed before anything is drafted, got {self.price:g}")
        if self.frequent_tokens != FREQUENT_TOKENS and self.source != "frequent":
            usual = f"{FREQUENT_TOKENS} for source {self.source}, which may guess every token"
            raise ValueError(f"frequent_tokens must be {usual}, got {self.frequent_tokens}")

    @property
    def vertices(self) -> int:
        """The most nodes a draft tree has, without its root: draft_tokens, or the size of a regular tree."""
        if not TRAITS[self.algorithm].drafts:
            return 0
        return self.draft_tokens if self.levels is None else size_of(self.levels)

    @property
    def levels(self) -> Branching | None:
        """Children of every node of the tree, level by level; None where the shape is not regular."""
        build = TREES[self.topology].branching
        return build(self.draft_tokens, self.sequences, self.branching) if build else None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Settings:
        """The settings of `to_dict`; ValueError on a name that is not a setting."""
        names = {field.name for field in dataclasses.fields(cls)}
        unknown = sorted(set(data) - names)
        if unknown:
            raise ValueError(f"{truncated(unknown[0])} is not a setting; the settings are {', '.join(sorted(names))}")
        return cls(**data)


RANGES: dict[str, Range] = {
    name: extra
    for name, hint in get_type_hints(Settings, include_extras=True).items()
    for extra in getattr(hint, "__metadata__", ())
    if isinstance(extra, Range)
}
"""The bounds of every numeric field, read off its annotation."""

ALLOWED: dict[str, str] = {
    **{name: str(bounds) for name, bounds in RANGES.items()},
    "chat": "true or false",
    "branching": f"{LEVELS.low:g} to {LEVELS.high:g} whole numbers from {CHILDREN.low:g} to {CHILDREN.high:g}, such as 4,2,1,1, "
    f"with at most {RANGES['draft_tokens'].high:g} nodes in all",
}
"""What each field may be, as a message says it; algorithm and topology are names."""
