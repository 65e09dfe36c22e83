"""Plain data from elsewhere, read into dataclasses: every value checked against its type, and what is wrong said with its place."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import types
import typing
from collections.abc import Callable
from typing import Any, TypeVar

from ..formatting import brief, quoted

T = TypeVar("T")


def parse(text: str) -> Any:
    """What a JSON text says. ValueError if it is none, holds numbers that are none, or is nested too deep."""
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("this is not readable: it is nested too deep") from None
    except json.JSONDecodeError as problem:
        raise ValueError(f"this is not JSON: {problem.msg} at line {problem.lineno}") from None
    except (TypeError, ValueError) as problem:
        raise ValueError(f"this is not JSON: {brief(problem)}") from None


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


def read(kind: type[T], data: Any, where: str) -> T:
    """The dataclass that `dataclasses.asdict` made this of. ValueError naming the place, what must stand there and what does."""
    if not isinstance(data, dict):
        raise ValueError(f"{where} must be a list of named values, got {quoted(data)}")
    fields = {field.name: field for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    for name in data:
        if name not in fields:
            raise ValueError(f"{where} has no part called {quoted(name)}")
    for name, field in fields.items():
        if name not in data and field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise ValueError(f"{where}.{name} is missing")
    hints = _hints(kind)  # type: ignore[arg-type]
    return kind(**{name: _value(hints[name], value, f"{where}.{name}") for name, value in data.items()})


@functools.cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _value(hint: Any, value: Any, where: str) -> Any:
    """The value as its type hint wants it."""
    outer, inner = typing.get_origin(hint), typing.get_args(hint)
    if outer in (types.UnionType, typing.Union):
        if value is None and type(None) in inner:
            return None
        return _value(next(one for one in inner if one is not type(None)), value, where)
    if outer is list and isinstance(value, list):
        return [_value(inner[0], one, f"{where}[{place}]") for place, one in enumerate(value)]
    if outer is dict and isinstance(value, dict):
        return {_value(inner[0], name, where): _value(inner[1], one, f"{where}.{brief(name)}") for name, one in value.items()}
    if dataclasses.is_dataclass(hint):
        made: Callable[[Any], Any] | None = getattr(hint, "from_dict", None)
        return made(value) if made and isinstance(value, dict) else read(hint, value, where)  # type: ignore[arg-type]
    words, fits = _PLAIN.get(outer or hint, ("a value of another type", lambda _: False))
    if not fits(value):
        raise ValueError(f"{where} must be {words}, got {quoted(value)}")
    return value


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def _is_number(value: Any) -> bool:
    return _is_whole(value) or (isinstance(value, float) and math.isfinite(value))


def _is_text(value: Any) -> bool:
    """Whole characters: JSON can carry half of one."""
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)


_PLAIN: dict[Any, tuple[str, Callable[[Any], bool]]] = {
    bool: ("true or false", lambda value: isinstance(value, bool)),
    int: ("a whole number", _is_whole),
    float: ("a number", _is_number),
    str: ("text of whole characters", _is_text),
    list: ("a list", lambda value: isinstance(value, list)),
    dict: ("a list of named values", lambda value: isinstance(value, dict)),
}
"""What a plain value must be, in words, and is it?"""
