"""How tokens and numbers are written: visible whitespace, two significant digits. The browser writes numbers by the same table."""

from __future__ import annotations

import html
import unicodedata
from functools import lru_cache
from typing import Any

_SIGNS = {" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍", "\u00a0": "⍽"}


@lru_cache(maxsize=8192)
def visible(text: str, token: int | None = None) -> str:
    """A token as it can be read: ␣ for a space, ⏎ for a newline, a code for what has no glyph.

    A token without text (part of a character, a control token) is written as its number, `#token`.
    """
    if not text:
        return "∅" if token is None else f"#{token}"
    return "".join(_visible_character(character) for character in text)


def _visible_character(character: str) -> str:
    if character in _SIGNS:
        return _SIGNS[character]
    kind = unicodedata.category(character)
    if kind == "Cc" and ord(character) < 0x20:
        return chr(0x2400 + ord(character))  # the control pictures block
    if kind in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"):
        return f"‹{ord(character):X}›"
    return character


@lru_cache(maxsize=8192)
def width(text: str) -> int:
    """Columns that `text` takes in a monospace face; wide East Asian characters and emoji take two."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


@lru_cache(maxsize=8192)
def ending(text: str, columns: int) -> str:
    """The last `columns` of a text, cut with … at the start."""
    flat = " ".join(text[-4 * columns :].split())  # the text may be long, its end is enough
    if width(flat) <= columns:
        return flat
    kept = ""
    for character in reversed(flat):
        if width(character + kept) > columns - 1:
            break
        kept = character + kept
    return "…" + kept


def escape(text: str) -> str:
    """Safe inside Plotly's pseudo-HTML, whatever a model or a user wrote."""
    return html.escape(text, quote=False)


NUMBERS: dict[str, Any] = {
    "steps": [
        {"from": 99.5, "more": None},
        {"from": 9.95, "more": -2},
        {"from": 0.995, "more": -1},
        {"from": 0.0095, "more": 0},
        {"from": 0.00005, "more": 2},
    ],
    "huge": 1e6,
    "huge_words": "> 1,000,000",
    "tiny_words": "< 0.0001",
    "infinite": "∞",
}
"""How numbers are written, here and in the browser: for a number at least `from`, `more` decimals than significant digits are wished for;
None: no decimals."""


@lru_cache(maxsize=8192)
def number(value: float | None, digits: int = 2) -> str:
    """About `digits` significant digits, never an exponent: 0.12, 8.9, 26, 1,200. None: ∞."""
    if value is None:
        return str(NUMBERS["infinite"])
    size = abs(value)
    if size >= NUMBERS["huge"]:
        return str(NUMBERS["huge_words"])
    if size == 0:
        return f"{value:.{digits}f}"
    for step in NUMBERS["steps"]:
        if size >= step["from"]:
            decimals = 0 if step["more"] is None else max(0, digits + step["more"])
            return f"{value:,.{decimals}f}"
    return str(NUMBERS["tiny_words"])


def brief(value: float | None, digits: int = 5) -> float | None:
    """A number for a message, with only the digits that a reader could see."""
    return None if value is None else float(f"{value:.{digits}g}")


def apart(first: float, second: float) -> tuple[str, str]:
    """Two numbers with as many digits as it takes to tell them apart."""
    for digits in range(2, 9):
        one, other = number(first, digits), number(second, digits)
        if one != other or first == second:
            break
    return one, other


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th …"""
    if place % 100 in (11, 12, 13):
        return f"{place}th"
    return str(place) + {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")


def plural(count: int, noun: str, many: str | None = None) -> str:
    """`1 child`, `3 children`."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"
