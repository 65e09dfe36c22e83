"""How values and tokens are written in messages, in pictures and in a terminal. Plain text, no torch."""

from __future__ import annotations

import unicodedata
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

MAX_QUOTED = 200
"""Characters of a value in a message: longer values are cut."""


_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
_JOINER = "\u200d"


def bidi_isolated(text: str) -> str:
    """Text of any direction, for a sentence: without the marks around it, text that runs to the left would reorder the numbers beside it.

    Other texts need no marks and stay as they are.
    """
    runs_left = not text.isascii() and any(unicodedata.bidirectional(one) in ("R", "AL", "RLE", "RLO", "RLI") for one in text)
    return f"{_ISOLATE}{text}{_END_OF_ISOLATE}" if runs_left else text


def characters(text: str) -> list[str]:
    """The characters as a reader counts them: an accent, a family of emoji or a flag is never taken apart."""
    if text.isascii():
        return list(text)
    found: list[str] = []
    for point in text:
        if found and _continues(found[-1], point):
            found[-1] += point
        else:
            found.append(point)
    return found


def _continues(before: str, point: str) -> bool:
    """Whether a code point belongs to the character before it: a mark, a skin colour, a tag, what is joined, the second half of a flag."""
    is_joined = point == _JOINER or before.endswith(_JOINER)
    is_second_half = len(before) == 1 and _is_half_of_flag(before) and _is_half_of_flag(point)
    is_modifier = "\U0001f3fb" <= point <= "\U0001f3ff" or "\U000e0020" <= point <= "\U000e007f"
    return is_joined or is_second_half or is_modifier or unicodedata.category(point).startswith("M")


def _is_half_of_flag(point: str) -> bool:
    return "\U0001f1e6" <= point <= "\U0001f1ff"


def truncated(value: object) -> str:
    """The value as text for a message: its first 200 characters."""
    if isinstance(value, int) and value.bit_length() > 4 * MAX_QUOTED:
        return f"a number of more than {MAX_QUOTED} digits"  # Python refuses to convert integers of more than 4,300 digits
    text = str(value)
    return text if len(text) <= MAX_QUOTED else f"{''.join(characters(text[: MAX_QUOTED - 2])[:-1])}..."


def quoted(value: object) -> str:
    """The value as a Python literal, cut to 200 characters: what was given, in a message that refuses it."""
    if isinstance(value, str):
        return bidi_isolated(truncated(repr(value[: MAX_QUOTED + 1])))  # cut first: escaping 40 MB of text takes a second
    return bidi_isolated(truncated(value if isinstance(value, int) else repr(value)))


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
