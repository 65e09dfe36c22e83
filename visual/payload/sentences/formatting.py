"""How tokens and counts are written: visible whitespace, quotation marks, plurals, decimals."""

from __future__ import annotations

import html
import unicodedata
from functools import lru_cache

from ersd.formatting import decimal as decimal, plural as plural, rounded as rounded, visible as visible


def quoted(name: str) -> str:
    """A token's name inside a sentence: “␣weak”, so that a full stop is not read as the sentence's own."""
    return f"“{name}”"


@lru_cache(maxsize=8192)
def width(text: str) -> int:
    """Columns that `text` takes in a monospace face; wide East Asian characters and emoji take two."""
    return sum(_width_of(character) for character in text)


def _width_of(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


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


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th …"""
    if place % 100 in (11, 12, 13):
        return f"{place}th"
    return str(place) + {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
