"""Sentences about rejection rules: what the coin of each try was compared with, and what came of it."""

from __future__ import annotations

from ersd.trace import Step, Try, Visit

from .visits import chosen_name
from .words import apart, number, plural, visible

SAME = 1e-6
"""Probabilities that differ by less, relatively, are the same."""


def coins_decided(step: Step, visit: Visit) -> str:
    """What the coins decided at a visited vertex."""
    token = chosen_name(visit)
    if visit.accepted:
        accepted = next(one for one in visit.tries if one.accepted)
        before = len(visit.tries) - 1
        after = f" {plural(before, 'try', 'tries')} before it failed." if before else ""
        return f"{token}: {coin(accepted, visit)}{after}{_price(visit)}"
    if len(visit.tries) == 1:
        one = visit.tries[0]
        dropped = visible(step.texts[one.vertex], step.tokens[one.vertex])
        return f"{coin(one, visit)} So {dropped} is dropped and {token} is drawn from what is left of P.{_price(visit)}"
    return f"All {len(visit.tries)} tries rejected: the next token {token} is drawn from what is left of P.{_price(visit)}"


def coin(one: Try, visit: Visit) -> str:
    """A try of a rejection rule: `Rejected: coin 0.83 against p/q = 0.41 / 0.66 = 0.62.`"""
    verdict = "Accepted" if one.accepted else "Rejected"
    if one.ratio is None or one.coin is None:
        return f"{verdict}."
    thrown, against = apart(one.coin, one.ratio)
    return f"{verdict}: coin {thrown} against {_against(one, one.ratio, visit, against)}."


def _against(one: Try, ratio: float, visit: Visit, written: str) -> str:
    """The quotient and where it comes from; `written` is `ratio` with as many digits as the coin needs."""
    p, q = number(one.p), number(one.q)
    exact = one.p / one.q if one.q else 0.0
    if visit.rho is not None:
        return f"p/(ρ·q) = {p} / ({number(visit.rho, 3)} · {q}) = {written}"
    if visit.bias is not None:
        if _same(min(1.0, exact), ratio):
            return f"p/q = {p} / {q} = {number(exact)}"
        return f"{written}, lenient: exact would have been p/q = {p} / {q} = {number(exact)}"
    if _same(exact, ratio):
        return f"p/q = {p} / {q} = {written}"
    if one.left is None or one.drawn is None:
        return f"{written}, where p = {p} and q = {q}"
    return _residual(one, one.left, one.drawn, written)


def _residual(one: Try, left: float, drawn: float, written: str) -> str:
    """The quotient of a later try: earlier ones changed P, or what the child was drawn from, or both."""
    p = number(one.p)
    if not left:
        return f"0: earlier rejections left nothing of p = {p}"
    became = f"left of p = {p}" if left <= one.p else f"made of p = {p}"
    words = f"{number(left)} / {number(drawn)} = {written}, where {number(left)} is what earlier rejections {became}"
    if _same(drawn, one.q):
        return words
    return f"{words} and {number(drawn)} is q = {number(one.q)} once earlier children are out of Q"


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= SAME * max(1.0, abs(one), abs(other))


def _price(visit: Visit) -> str:
    """What leniency costs, for the rule that has it."""
    return f" Biased on purpose: TV {number(visit.bias)} paid here." if visit.bias else ""
