"""How values and tokens are written in messages, in pictures and in a terminal. Plain text, no torch."""

from __future__ import annotations

import unicodedata
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

MOST_QUOTED = 200
"""Characters of a value in a message: longer values are cut."""


def brief(value: object) -> str:
    """The value as text for a message: its first 200 characters."""
    if isinstance(value, int) and value.bit_length() > 4 * MOST_QUOTED:
        return f"a number of more than {MOST_QUOTED} digits"  # Python refuses to convert integers of more than 4,300 digits
    text = str(value)
    return text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 3]}..."


def quoted(value: object) -> str:
    """The value as a Python literal, cut to 200 characters: what was given, in a message that refuses it."""
    if isinstance(value, str):
        return brief(repr(value[: MOST_QUOTED + 1]))  # cut first: escaping 40 MB of text takes a second
    return brief(value if isinstance(value, int) else repr(value))


def number_in(text: str) -> int | float | str:
    """The number in a text, or the text itself, which `Range.check` then refuses by name."""
    for number_type in (int, float):
        try:
            return number_type(text)
        except ValueError:
            continue
    return text


_SIGNS = {" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍", "\u00a0": "⍽"}
"""Invisible characters -> the sign shown for them."""


@lru_cache(maxsize=8192)
def visible(text: str, token: int | None = None) -> str:
    """A token's text with every character visible: ␣ for a space, ⏎ for a newline, a code point for what has no glyph.

    A token without text (part of a character, a control token) is shown by its number, `#token`.
    """
    if not text:
        return "∅" if token is None else f"#{token}"
    return "".join(_visible_character(character) for character in text)


def _visible_character(character: str) -> str:
    if character in _SIGNS:
        return _SIGNS[character]
    category = unicodedata.category(character)
    if category == "Cc" and ord(character) < 0x20:
        return chr(0x2400 + ord(character))  # the control pictures block
    if category in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"):
        return f"‹{ord(character):X}›"
    return character


def harmless(text: str) -> str:
    """Text that is safe to print in a terminal: newlines and tabs stay, other control characters become visible signs."""
    return "".join(c if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs") else _visible_character(c) for c in text)


def plural(count: int, noun: str, many: str | None = None) -> str:
    """`1 child`, `3 children`."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def decimal(value: float, decimals: int = 2) -> str:
    """The number with this many decimals, rounded half up as on paper: 25/8 = 3.125 gives 3.13, and 107/40 gives 2.68.

    `format` rounds the binary value instead: 107/40 is stored slightly below 2.675 and would give 2.67.
    """
    exact = Decimal(f"{value:.15g}")
    return f"{exact.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP):,}"


def rounded(value: float, decimals: int = 2) -> float:
    """The number that `decimal` shows, so that figures computed from it agree with those on the screen."""
    return float(decimal(value, decimals).replace(",", ""))
