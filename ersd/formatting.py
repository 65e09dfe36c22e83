"""How values and tokens are written in messages, in pictures and in a terminal. Plain text, no torch."""

from __future__ import annotations

import unicodedata
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

MOST_QUOTED = 200
"""Characters of a value, at most, that stand in a message."""


def brief(value: object) -> str:
    """The value as it may stand in a message: its first 200 characters."""
    if isinstance(value, int) and value.bit_length() > 4 * MOST_QUOTED:
        return f"a number of more than {MOST_QUOTED} digits"  # Python itself refuses to write down the longest
    text = str(value)
    return text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 3]}..."


def number_in(text: str) -> int | float | str:
    """The number that is written there, or the text itself; a Range says what is wrong with that."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def quoted(value: object) -> str:
    """The value as Python writes it, briefly: what was given, in a message that refuses it."""
    if isinstance(value, str):
        return brief(repr(value[: MOST_QUOTED + 1]))  # not all of 40 MB has to be written out first
    return brief(value if isinstance(value, int) else repr(value))


_SIGNS = {" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍", "\u00a0": "⍽"}
"""Characters that are not seen as such -> the sign they are written by."""


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


def harmless(text: str) -> str:
    """Text as it may be sent to a terminal, whatever a model or a user wrote: lines stay, no other character controls anything."""
    return "".join(c if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs") else _visible_character(c) for c in text)


def plural(count: int, noun: str, many: str | None = None) -> str:
    """`1 child`, `3 children`."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def decimal(value: float, decimals: int = 2) -> str:
    """So many decimals, as a reader rounds: 25/8 = 3.125 is 3.13 and 107/40 is 2.68, though in binary it lies below 2.675."""
    exact = Decimal(f"{value:.15g}")
    return f"{exact.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP):,}"


def rounded(value: float, decimals: int = 2) -> float:
    """The number that `decimal` writes: who goes on with it comes to what follows from what is written."""
    return float(decimal(value, decimals).replace(",", ""))
