"""Sentences about rejection rules: what the coin of each try was compared with, and what came of it."""

from __future__ import annotations

from ersd.trace.model import Step, Try, Visit

from .formatting import plural, quoted, visible
from .numbers import digits_apart, digits_of, equal, number, quotient
from .visits import chosen

SAME = 1e-6
"""Probabilities that differ by less are the same; quotients above 1, relatively."""


def coins_decided(step: Step, visit: Visit) -> str:
    """What the coins decided at a visited vertex."""
    token = chosen(visit)
    if visit.accepted:
        accepted = next(one for one in visit.tries if one.accepted)
        before = len(visit.tries) - 1
        after = f" {plural(before, 'try', 'tries')} before it failed." if before else ""
        return f"{token}: {coin(accepted, visit)}{after}{_price(visit)}"
    if len(visit.tries) == 1:
        one = visit.tries[0]
        dropped = quoted(visible(step.texts[one.vertex], step.tokens[one.vertex]))
        return f"{coin(one, visit)} So {dropped} is dropped and {token} is drawn from what is left of P.{_price(visit)}"
    tries = "Both tries" if len(visit.tries) == 2 else f"All {len(visit.tries)} tries"
    return f"{tries} rejected: the next token {token} is drawn from what is left of P.{_price(visit)}"


def coins_ended(step: Step, visit: Visit) -> str:
    """Why the walk went no further."""
    tries = {1: "The only try", 2: "Both tries"}.get(len(visit.tries), f"All {len(visit.tries)} tries")
    return f"{tries} failed here: so the walk ended."


def coin_alone(step: Step, visit: Visit) -> bool:
    """Would the first child have been accepted alone, by the same coin? K-SEQ scales P by ρ* = 1 then."""
    first = visit.tries[0]
    return first.accepted if visit.rho is None or first.coin is None else first.coin * first.q < first.p


def coin(one: Try, visit: Visit) -> str:
    """A try of a rejection rule: `Rejected: coin 0.83 against p/q = 0.41 / 0.66 = 0.62.`"""
    verdict = "Accepted" if one.accepted else "Rejected"
    if one.ratio is None or one.coin is None:
        return f"{verdict}."
    digits = digits_apart(one.coin, one.ratio)
    return f"{verdict}: coin {number(one.coin, digits)} against {_against(one, one.ratio, visit, digits)}."


def _against(one: Try, ratio: float, visit: Visit, digits: int) -> str:
    """The quotient and where it comes from; its value has at least as many digits as it takes to tell it from the coin."""
    if not one.q:
        return f"{number(ratio, digits)}, where {equal('p', one.p)} and q = 0"
    exact = one.p / one.q
    if visit.rho is not None and _same(exact / visit.rho, ratio):
        return f"p/(ρ·q){quotient(one.p, (visit.rho, one.q), digits)}"
    if visit.bias is not None and not _same(min(1.0, exact), ratio):
        return f"{number(ratio, digits)}, lenient: exact is p/q{quotient(one.p, (one.q,))}"
    if _same(exact, ratio) or visit.bias is not None:
        return f"p/q{quotient(one.p, (one.q,), digits)}"
    if one.left is None or one.drawn is None:
        return f"{number(ratio, digits)}, where {equal('p', one.p)} and {equal('q', one.q)}"
    return _residual(one, one.left, one.drawn, digits)


def _residual(one: Try, left: float, drawn: float, digits: int) -> str:
    """The quotient of a later try: earlier ones changed P, or what the child was drawn from, or both."""
    p = equal("p", one.p)
    if not left:
        return f"0: earlier rejections left nothing of {p}"
    written = quotient(left, (drawn,), digits)
    became = "left of" if left <= one.p else "made of"
    words = f"{str(written).removeprefix(' = ').strip()}, where {written.over} is what earlier rejections {became} {p}"
    if _same(drawn, one.q):
        return words
    own = quotient(one.q, (one.q / drawn,), digits_of(written.under[0], drawn))
    return f"{words} and{str(own).removeprefix(' =')} is q over what earlier children left of Q"


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= SAME * max(1.0, abs(one), abs(other))


def _price(visit: Visit) -> str:
    """What leniency costs, for the rule that has it."""
    return f" Biased on purpose: TV {number(visit.bias)} paid here." if visit.bias else ""
