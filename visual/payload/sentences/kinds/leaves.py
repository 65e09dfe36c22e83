"""Traversal: in what order the guesses were asked, what failed guesses left to the one above, and which coin decided."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from ersd.draft_tree import NO_TOKEN, ROOT
from ersd.trace.step import Step, Try, Visit

from ..formatting import plural
from ..nodes import chosen, drafted_token
from ..numbers import DIGITS, NUMBERS, TIE, digits_apart, number
from .coins import EQUAL_WITHIN, REDRAWN, coins_margin
from .kind import Kind
from .neutral import any_leaf


def leaves_decided(step: Step, visit: Visit) -> str:
    """Which guess at a node is accepted; else what its failed guesses leave to the node."""
    if visit.accepted:
        accepted = next(one for one in visit.tries if one.accepted)
        return f"{leaves_reason(step, visit, accepted)}{_asked_before(step, visit)}"
    count = len(visit.tries)
    all_failed = {1: "The only guess here was", 2: "Both guesses here were"}.get(count, f"All {count} guesses here were")
    if visit.token != NO_TOKEN:
        return f"{all_failed} rejected, so {chosen(visit)} is drawn from the remaining target probability."
    name = drafted_token(step, visit.vertex)
    own = next(one for each in step.walk for one in reversed(each.tries) if one.vertex == visit.vertex)
    fall = f" {_fall(step, visit.tries, own.ratio)}." if is_lowered(own) else ""
    return f"{all_failed} rejected.{fall} Then {name} itself was asked: {_coin(own)}, so it was rejected too."


def leaves_leaf(step: Step, visit: Visit) -> str:
    """The token drawn where nothing was drafted, and the coin that kept the path to it."""
    above = next((one for one in step.walk if visit.vertex != ROOT and one.vertex == step.parents[visit.vertex]), None)
    return any_leaf(step, visit) + (f" {leaves_decided(step, above)}" if above else "")


def leaves_reason(step: Step, visit: Visit, one: Try) -> str:
    """One try: `Rejected: coin 0.83 is not below its keep probability 0.40 = 0.38 × 0.35 ÷ 0.33.`, and how it was lowered."""
    if one.coin is None:
        below = next((chosen(each) for each in step.walk if each.vertex == one.vertex and each.accepted), "a guess")
        return f"Accepted: {below} after {drafted_token(step, one.vertex)} is kept, so its own coin is not needed."
    if not is_lowered(one):
        place = next(index for index, other in enumerate(visit.tries) if other is one)
        fall = _fall(step, visit.tries[:place], one.weight)
        return f"{_verdict(one)}: {_coin(one)}{_made(one)}.{f' {fall}.' if fall and one.ratio else ''}"
    return f"{_verdict(one)}: {_coin(one)}. It {_as_it_began(step, one)}"


def leaves_outcome(one: Try) -> str:
    """A try in a few words: `0.83, not below 0.40`, `kept by what follows`."""
    if one.coin is None or one.ratio is None:
        return "no coin needed"
    coin, keep = _apart(one)
    if one.ratio <= 0:
        return f"{coin}: nothing remains"
    return f"{coin}, {'' if one.accepted else 'not '}below {keep.removeprefix('< ')}"


def _verdict(one: Try) -> str:
    return "Accepted" if one.accepted else "Rejected"


def began(one: Try) -> float:
    """The keep probability of a child before anything below it was asked."""
    return min(1.0, (one.weight or 0.0) * (one.left or 0.0) / (one.drawn or 1.0))


def is_lowered(one: Try) -> bool:
    """Did guesses after a child fail, and lower its keep probability?"""
    return one.ratio is not None and began(one) - one.ratio > EQUAL_WITHIN


def _apart(one: Try) -> tuple[str, str]:
    coin, keep = one.coin or 0.0, one.ratio or 0.0
    digits = digits_apart(coin, keep)
    return number(coin, digits), number(keep, digits)


def _coin(one: Try) -> str:
    """`coin 0.83 is not below its keep probability 0.40`."""
    coin, keep = _apart(one)
    if one.ratio == 0:
        return f"coin {coin}, but nothing is left of its keep probability"
    return f"coin {coin} is {'' if one.accepted else 'not '}below its keep probability {keep}"


def _made(one: Try) -> str:
    """` = 0.38 × 0.35 ÷ 0.33`, from the numbers of `leaves_reason`; empty where there is nothing to divide."""
    product = _product(one, digits_apart(one.coin or 0.0, one.ratio or 0.0))
    return f" {product}" if product else ""


def lowered(one: Try) -> str:
    """`0.38 → 0.04`: what the failed guesses after a child left of its keep probability."""
    start, left = began(one), one.ratio or 0.0
    digits = digits_apart(start, left)
    return f"{number(start, digits)} → {number(left, digits)}"


def _asked_before(step: Step, visit: Visit) -> str:
    """Which guesses failed before the accepted one, and how the keep probability of the last that was lowered came about."""
    failed = visit.tries[:-1]
    if not failed:
        return ""
    name = drafted_token(step, failed[0].vertex)
    who = f"{name}, drawn before it, was" if len(failed) == 1 else f"{len(failed)} guesses drawn before it were"
    last = next((one for one in reversed(failed) if is_lowered(one)), None)
    how = f" {drafted_token(step, last.vertex)} {_as_it_began(step, last)}" if last else ""
    return f" {who} asked first and failed.{how}"


def _as_it_began(step: Step, one: Try) -> str:
    """`began with 0.38 = 0.19 ÷ 0.50. “big” lowered 0.38 to 0.0075 ÷ (0.0075 + 1 − 0.38) = 0.012.`"""
    start = began(one)
    digits = digits_apart(start, one.ratio or 0.0)
    below = next((visit.tries for visit in step.walk if visit.vertex == one.vertex), [])
    return f"began with {number(start, digits)}{_product(one, digits, ' ')}. {_fall(step, below, one.ratio)}."


def _fall(step: Step, failed: Sequence[Try], left: float | None) -> str:
    """How guesses at a node lowered its keep probability, one after the other; of more than two the last two. Empty where none did.

    Args:
        step: of the guesses.
        failed: the tries at the node that failed, each with the keep probability before it.
        left: the keep probability after them.
    """
    after = [*(one.weight for one in failed), left][1:]
    changes = [(one, one.weight or 0.0, each or 0.0) for one, each in zip(failed, after, strict=True)]
    falls = [(one, before, left) for one, before, left in changes if before - left > EQUAL_WITHIN * before]
    shown = [
        f"{drafted_token(step, one.vertex)}{'' if place else ' lowered'} {_lowering(before, left)}"
        for place, (one, before, left) in enumerate(falls[-2:])
    ]
    others = f"After {plural(len(falls) - 2, 'other')} " if len(falls) > 2 else ""
    return others + ", ".join(shown)


def _lowering(before: float, after: float) -> str:
    """`0.38 to 0.054 ÷ (0.054 + 1 − 0.38) = 0.08`: r ÷ (r + 1 − w), as in `ersd.rules.traversal.passed_up`; it comes out as printed."""
    most = int(NUMBERS["most"])
    digits = next((each for each in range(digits_apart(before, after), most) if number(after, each)[0] != "<"), most)
    value = number(after, digits)
    rest = after * (1 - before) / (1 - after) if after < 1 else 0.0
    wishes = [(of_rest, of_weight) for of_rest in range(digits, most + 1) for of_weight in range(digits, of_rest + 1)]
    for of_rest, of_weight in wishes:
        over, weight = number(rest, of_rest), number(before, of_weight)
        if any(each[0] in "<>" for each in (over, weight, value)) or float(weight.replace(",", "")) >= 1:
            continue
        found = Decimal(over) / (Decimal(over) + 1 - Decimal(weight))
        if abs(found - Decimal(value)) < _half_of_last_digit(value):
            return f"{weight} to {over} ÷ ({over} + 1 − {weight}) = {value}"
    return f"{number(before, digits)} to {value}"


def _half_of_last_digit(value: str) -> Decimal:
    """How far a result may be from a printed number that it rounds to."""
    return Decimal("0.5").scaleb(int(Decimal(value).as_tuple().exponent)) * (1 - TIE)


def _product(one: Try, digits: int = DIGITS, space: str = "") -> str:
    """`= 0.38 × 0.35 ÷ 0.33`: keep probability of the node above, what is left of p, what it was drawn with; it comes out as printed.

    Empty where the product is above 1, so that keeping is certain, or 0.
    """
    if not one.left or not one.weight or not one.drawn:
        return ""
    exact = one.weight * one.left / one.drawn
    if exact >= 1:
        return ""
    value = number(exact, digits)
    above = [one.weight] if one.weight < 1 else []
    for more in range(DIGITS, int(NUMBERS["most"]) + 1):
        factors, under = [number(each, more) for each in (*above, one.left)], number(one.drawn, more)
        if any(each.startswith("<") for each in (value, under, *factors)):
            continue
        found = Decimal(1)
        for each in factors:
            found *= Decimal(each)
        found /= Decimal(under)
        if abs(found - Decimal(value)) < _half_of_last_digit(value):
            return f"{space}= {' × '.join(factors)} ÷ {under}"
    return ""


LEAVES = Kind(
    is_numbered=False,
    follow="asking from the leaves to the root",
    exact_because=REDRAWN,
    decided=leaves_decided,
    at_leaf=leaves_leaf,
    rejected=lambda step, visit: {},
    idea="Guesses are asked in the order in which they were drawn, each after all that follows it. A guess is kept with the keep "
    "probability w of the guess before it × p ÷ q. If it fails, that w falls to r ÷ (r + 1 − w), where r is what w × p exceeds q by, over "
    "all tokens. The first coin below its keep probability keeps its whole path. Use it on any tree of coins: on average a little more is "
    "kept than from the root. It costs no further call, only the target’s p at every guess asked.",
    idea_at_leaf="The target’s token is drawn from p.",
    legend=("outline: p", "filled: what remains of it", "diamond: the coin, on its keep probability"),
    legend_at_leaf=(),
    opens_with=1,
    tried="rejected",
    list="tries",
    guessed="asked from the leaves, kept ",
    none_right="no guess survived its coin",
    outcome=leaves_outcome,
    say=leaves_reason,
    untried="Not asked: “{name}” was kept before it.",
    margin=coins_margin,
    nearness="the distance of a coin from its keep probability",
    story={
        "guess": "The draft draws its guesses from its own probabilities q.",
        "scored": "The target’s probabilities p have arrived: now the guesses can be asked, the leaves first.",
        "deciding": "A coin for each guess, after the guesses that follow it: is its path kept?",
        "at_leaf": "Nothing was drafted here: the target’s token is drawn from p, from the same call.",
    },
)
