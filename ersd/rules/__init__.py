"""Verification rules, one small file each. `registry` lists their traits (no torch), `builtin` holds the rules themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .builtin import RULES as RULES, register as register

__all__ = ["RULES", "register"]


def __getattr__(name: str) -> Any:
    """RULES and `register`, loaded on first use: the traits beside them must not need torch."""
    if name in __all__:
        from . import builtin

        return getattr(builtin, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
