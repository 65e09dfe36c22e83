"""Coins in words: what each try of a rejection rule was compared with, and why block verification kept or cut a token."""

from __future__ import annotations

from ersd.trace import Step, Try, Visit

from .words import apart, number, ordinal, plural, visible

SAME = 1e-6
"""Probabilities that differ by less, relatively, are the same."""


def by_coins(step: Step, visit: Visit) -> str:
    """What the coins decided at a visited vertex."""
    token = visible(visit.text, visit.token)
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
    return f"{verdict}: coin {thrown} against {_against(one, visit, against)}."


def _against(one: Try, visit: Visit, ratio: str) -> str:
    """The quotient and where it comes from."""
    assert one.ratio is not None
    p, q = number(one.p), number(one.q)
    exact = one.p / one.q if one.q else 0.0
    if visit.rho is not None:
        return f"p/(ρ·q) = {p} / ({number(visit.rho, 3)} · {q}) = {ratio}"
    if visit.bias is not None:
        if _same(min(1.0, exact), one.ratio):
            return f"p/q = {p} / {q} = {number(exact)}"
        return f"{ratio}, lenient: exact would have been p/q = {p} / {q} = {number(exact)}"
    if _same(exact, one.ratio):
        return f"p/q = {p} / {q} = {ratio}"
    if one.left is None or one.drawn is None:  # a trace from before these were written down
        return f"{ratio}, what earlier tries left of p = {p}, over q = {q}"
    if not one.left:
        return f"0: earlier rejections left nothing of p = {p}"
    left, drawn = number(one.left), number(one.drawn)
    became = f"left of p = {p}" if one.left <= one.p else f"made of p = {p}"
    words = f"{left} / {drawn} = {ratio}, where {left} is what earlier rejections {became}"
    return words if _same(one.drawn, one.q) else f"{words} and {drawn} is q = {q} once earlier children are out of Q"


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= SAME * max(1.0, abs(one), abs(other))


def _price(visit: Visit) -> str:
    """What leniency costs, for the rule that has it."""
    return f" Biased on purpose: TV {number(visit.bias)} paid here." if visit.bias else ""


def kept(step: Step) -> int:
    """Block verification: how many tokens of the drafted sequence stay."""
    return max((place for place, one in enumerate(step.block, 1) if one.coin < one.keep), default=0)


def by_block(step: Step, visit: Visit) -> str:
    """What block verification decided about the token drafted at a visited vertex."""
    one = visit.tries[0]
    words = joint(step, one.vertex)
    if visit.accepted:
        return words
    return f"{words} The next token {visible(visit.text, visit.token)} is drawn from what is left of P."


def joint(step: Step, vertex: int) -> str:
    """Why block verification kept or cut the token of a vertex."""
    stay, place, last = kept(step), vertex + 1, len(step.block)
    coin_here, keep_here = apart(step.block[vertex].coin, step.block[vertex].keep)
    if place > stay:
        result = f"only the first {plural(stay, 'token')} {_stay(stay)}" if stay else "nothing of the sequence stays"
        if place == last:
            where = f"the {ordinal(place)} and last token, {coin_here},"
            return f"Cut: the coin at {where} is not below its keep probability {keep_here}, so {result}."
        return (
            f"Cut: no coin at the {ordinal(place)} token (its own: {coin_here} against {keep_here}) or behind it "
            f"is below its keep probability, so {result}."
        )
    coin_there, keep_there = apart(step.block[stay - 1].coin, step.block[stay - 1].keep)
    result = f"the first {plural(stay, 'token')} {_stay(stay)}" if stay > 1 else "the first token stays"
    words = f"Kept: the coin at the {ordinal(stay)} token, {coin_there}, is below its keep probability {keep_there}, so {result}."
    if place == stay:
        return words
    below = "is below" if step.block[vertex].coin < step.block[vertex].keep else "is not below"
    return f"{words} Its own coin, {coin_here}, {below} {keep_here}."


def _stay(count: int) -> str:
    return "stays" if count == 1 else "stay"
