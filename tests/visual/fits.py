"""Does a message, read back from its JSON, have the type that it is declared with?"""

from __future__ import annotations

import types
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict


def problems(value: Any, hint: Any, at: str = "message") -> list[str]:
    """What of the value differs from the type; nothing where it fits."""
    origin, inner = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        return _of_fields(value, hint, at)
    if origin in (Union, types.UnionType):
        return min((problems(value, one, at) for one in inner), key=len)
    if origin is Literal:
        found = value in inner
    elif origin in (list, tuple, dict):
        return _of_items(value, origin, inner, at)
    elif hint is float:
        found = type(value) in (int, float)
    else:
        found = value is None if hint is type(None) else hint in (object, Any) or type(value) is hint
    return [] if found else [f"{at} must be {hint}, got {value!r}"]


def _of_fields(value: Any, hint: Any, at: str) -> list[str]:
    if not isinstance(value, dict):
        return [f"{at} must be an object, got {value!r}"]
    # `__required_keys__` does not know annotations that are text
    fields = get_type_hints(hint, include_extras=True)
    optional = {name for name, field in fields.items() if get_origin(field) is NotRequired or not hint.__total__}
    wrong = [f"{at} lacks {name}" for name in fields if name not in value and name not in optional]
    wrong += [f"{at} has {name}" for name in value if name not in fields]
    plain = get_type_hints(hint)
    return wrong + [one for name in value if name in fields for one in problems(value[name], plain[name], f"{at}.{name}")]


def _of_items(value: Any, origin: type, inner: tuple[Any, ...], at: str) -> list[str]:
    if type(value) is not (dict if origin is dict else list):
        return [f"{at} must be {origin}, got {value!r}"]
    if origin is dict:
        keys = [f"{at} must have numbers as keys, got {key}" for key in value if inner[0] is int and not key.lstrip("-").isdigit()]
        return keys + [one for key, item in value.items() for one in problems(item, inner[1], f"{at}.{key}")]
    if origin is tuple and len(value) != len(inner):
        return [f"{at} must have {len(inner)} items, got {value!r}"]
    hints = inner if origin is tuple else inner * len(value)
    return [one for place, (item, hint) in enumerate(zip(value, hints, strict=True)) for one in problems(item, hint, f"{at}[{place}]")]
