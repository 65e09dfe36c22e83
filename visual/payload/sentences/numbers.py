"""How numbers are written, here and in the browser (numbers.js): about two significant digits, and more where they are needed.

More are needed where two different numbers would look the same (`apart`), or where dividing the printed numbers would not give the printed
quotient (`quotient`). Both languages round to the nearest, halves away from zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple, overload

from ..message_types.kit import NumberFormat

NUMBERS: NumberFormat = {
    "steps": [
        {"least": 99.5, "more": -3},
        {"least": 9.95, "more": -2},
        {"least": 1, "more": -1},
        {"least": 0.9995, "more": 2},
        {"least": 0.995, "more": 1},
        {"least": 0.0095, "more": 0},
        {"least": 0, "more": 2},
    ],
    "huge": 1e6,
    "huge_words": "> 1,000,000",
    "infinite": "∞",
    "most": 17,
    "large_quotient": 100,
}
"""The format table of both languages. A number of at least `least` has `more` decimals than the significant digits asked for, at least 0:
a probability of 0.996 is not certain, so it is not written 1.0. Below half of the last decimal a number is written "< 0.0001"; only 0 is
written 0. `most`: digits that are tried at most; a quotient above `large_quotient` is written "> 100"."""

TIE = Decimal("1e-9")
"""A quotient this close to halfway between two printed values gets more digits, since readers round halves either way."""
DIGITS = 2
"""Significant digits where no more are needed."""


def number(value: float | None, digits: int = DIGITS) -> str:
    """About `digits` significant digits, never an exponent: 0.12, 8.9, 26, 1,200. None: ∞."""
    if value is None:
        return NUMBERS["infinite"]
    size = abs(value)
    if size >= NUMBERS["huge"]:
        return NUMBERS["huge_words"]
    if size == 0:
        return "0"
    decimals = max(0, digits + next(step["more"] for step in NUMBERS["steps"] if size >= step["least"]))
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
    return f"{rounded:,.{decimals}f}" if rounded else f"< {Decimal(1).scaleb(-decimals):f}"


def equal(name: str, value: float | None, digits: int = DIGITS) -> str:
    """`p = 0.12`, or `p < 0.0001` where the number is too small to be written."""
    written = number(value, digits)
    return f"{name} {written}" if written[0] in "<>" else f"{name} = {written}"


@overload
def brief(value: float, digits: int = 5) -> float: ...
@overload
def brief(value: float | None, digits: int = 5) -> float | None: ...
def brief(value: float | None, digits: int = 5) -> float | None:
    """A number for a message, with only the digits that a reader could see.

    It keeps all its digits where the short form ends in a 5, since the browser rounds it again (0.134996 is 0.13, but 0.13500 would be
    0.14), and where the short form would be 1: 0.999999 is not certain and is written 1.0000.
    """
    if value is None:
        return None
    written = f"{value:.{digits}g}"
    short = float(written)
    is_other = (written.partition("e")[0].endswith("5") or short == 1) and not math.isclose(short, value, rel_tol=1e-12)
    return value if is_other else short


def apart(first: float, second: float) -> tuple[str, str]:
    """Two numbers with enough digits to tell them apart."""
    digits = digits_apart(first, second)
    return number(first, digits), number(second, digits)


def digits_apart(first: float, second: float) -> int:
    """The number of digits that tells two numbers apart."""
    if first == second:
        return DIGITS
    found = (digits for digits in range(DIGITS, NUMBERS["most"]) if number(first, digits) != number(second, digits))
    return next(found, int(NUMBERS["most"]))


def digits_of(written: str, value: float) -> int:
    """The number of digits with which a number was written like this."""
    return next(digits for digits in range(DIGITS, NUMBERS["most"] + 1) if number(value, digits) == written)


class Quotient(NamedTuple):
    """A division as it is printed."""

    over: str
    under: tuple[str, ...]
    """factors of the divisor"""
    value: str

    def __str__(self) -> str:
        """` = 0.41 / 0.66 = 0.62`, to follow its name; ` < 0.00001 / 0.10 < 0.0001` where a bound is printed."""
        under = [one.removeprefix("< ") for one in self.under]
        below = under[0] if len(under) == 1 else f"({' · '.join(under)})"
        sign = "="
        if self.over[0] == "<":
            sign = "<"
        elif under != list(self.under):
            sign = ">"
        return f" {sign} {self.over.removeprefix('< ')} / {below} {'' if self.value[0] in '<>' else '= '}{self.value}"


def quotient(over: float, under: Sequence[float], digits: int = DIGITS) -> Quotient:
    """A division as it is printed: dividing the printed numbers gives the printed value.

    Args:
        over: the dividend.
        under: factors of the divisor, none of them 0.
        digits: the fewest digits of the value; dividend and divisor get as many as are needed.
    """
    exact = over / math.prod(under)
    for wanted in range(digits, int(NUMBERS["most"]) + 1):
        large = NUMBERS["large_quotient"]
        value = f"> {large}" if exact > large else number(exact, wanted)
        for more in range(DIGITS, int(NUMBERS["most"]) + 1):
            if comes_out(_written(over, under, [more] * (1 + len(under)), value)):
                return _shortest(over, under, more, value)
    raise ValueError(f"{over} over {under} cannot be written")


def _written(over: float, under: Sequence[float], digits: Sequence[int], value: str) -> Quotient:
    top, *below = (number(one, wish) for one, wish in zip((over, *under), digits, strict=True))
    return Quotient(top, tuple(below), value)


def _shortest(over: float, under: Sequence[float], digits: int, value: str) -> Quotient:
    """The division with no more digits of each number than needed; with `digits` of all numbers it comes out."""
    wishes = [digits] * (1 + len(under))
    for index in range(len(wishes)):
        fewer = ([*wishes[:index], wish, *wishes[index + 1 :]] for wish in range(DIGITS, digits + 1))
        wishes = next(each for each in fewer if comes_out(_written(over, under, each, value)))
    return _written(over, under, wishes, value)


def comes_out(written: Quotient) -> bool:
    """Whether dividing the printed numbers gives the printed value."""
    over, *under = (Decimal(one.removeprefix("< ").replace(",", "")) for one in (written.over, *written.under))
    below = math.prod(under, start=Decimal(1))
    value = Decimal(written.value.lstrip("<> ").replace(",", ""))
    if not below:
        return False
    own, sign = over / below, written.value[0]
    vague = [one[0] == "<" for one in (written.over, *written.under)]
    if any(vague):  # a bound on the dividend bounds the value from above, one on a divisor from below
        return (sign == "<" and own <= value and not any(vague[1:])) or (sign == ">" and own >= value and not vague[0])
    if sign == "<":
        return own < value
    if sign == ">":
        return own > value
    return abs(own - value) < Decimal("0.5").scaleb(int(value.as_tuple().exponent)) * (1 - TIE)
