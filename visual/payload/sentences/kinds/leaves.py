"""Traversal: in what order the guesses were asked, what failed guesses left to the one above, and which coin decided."""

from __future__ import annotations

from decimal import Decimal

from ersd.draft_tree import NO_TOKEN, ROOT
from ersd.trace.step import Step, Try, Visit

from ..nodes import chosen, drafted_token
from ..numbers import DIGITS, NUMBERS, TIE, digits_apart, number
from .coins import EQUAL_WITHIN, REDRAWN, coins_margin, failed_before
from .kind import Kind
from .neutral import any_leaf


def leaves_decided(step: Step, visit: Visit) -> str:
    """Which guess at a node is accepted; else what its failed guesses leave to the node."""
    if visit.accepted:
        accepted = next(one for one in visit.tries if one.accepted)
        return f"{leaves_reason(step, visit, accepted)}{failed_before(visit)}"
    count = len(visit.tries)
    all_failed = {1: "The only guess here was", 2: "Both guesses here were"}.get(count, f"All {count} guesses here were")
    if visit.token != NO_TOKEN:
        return f"{all_failed} rejected, so {chosen(visit)} is drawn from the remaining target probability."
    name = drafted_token(step, visit.vertex)
    own = next(one for each in step.walk for one in reversed(each.tries) if one.vertex == visit.vertex)
    return f"{all_failed} rejected. Then {name} itself was asked{_left(own)}: {_coin(own)}, so it was rejected too."


def leaves_leaf(step: Step, visit: Visit) -> str:
    """The token drawn where nothing was drafted, and the coin that kept the path to it."""
    above = next((one for one in step.walk if visit.vertex != ROOT and one.vertex == step.parents[visit.vertex]), None)
    return any_leaf(step, visit) + (f" {leaves_decided(step, above)}" if above else "")


def leaves_reason(step: Step, visit: Visit, one: Try) -> str:
    """One try: `Rejected: coin 0.83 is not below its keep probability 0.40 = 0.38 × 0.35 ÷ 0.33.`"""
    if one.coin is None:
        below = next((chosen(each) for each in step.walk if each.vertex == one.vertex and each.accepted), "a guess")
        return f"Accepted: {below} after {drafted_token(step, one.vertex)} is kept, so its own coin is not needed."
    if not is_lowered(one):
        return f"{_verdict(one)}: {_coin(one)}{_made(one)}."
    return f"{_verdict(one)}: {_coin(one)}.{_as_it_began(one)}"


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


def _left(one: Try) -> str:
    return f", with what they left of its keep probability ({lowered(one)})" if is_lowered(one) else ""


def _as_it_began(one: Try) -> str:
    start = began(one)
    digits = digits_apart(start, one.ratio or 0.0)
    before, after = number(start, digits), number(one.ratio, digits)
    return f" It began as {before}{_product(one, digits, ' ')}, and the guesses after it that failed left {after}."


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
        if abs(found - Decimal(value)) < Decimal("0.5").scaleb(int(Decimal(value).as_tuple().exponent)) * (1 - TIE):
            return f"{space}= {' × '.join(factors)} ÷ {under}"
    return ""


LEAVES = Kind(
    is_numbered=False,
    follow="asking from the leaves to the root",
    exact_because=REDRAWN,
    decided=leaves_decided,
    at_leaf=leaves_leaf,
    rejected=lambda step, visit: {},
    idea="A guess is asked after all that was drafted after it. Its keep probability is that of the guess before it × p ÷ q; what "
    "fails after it lowers it. The first coin below its keep probability keeps its whole path. Use it on any tree of coins: on average a "
    "little more is kept than from the root. It costs no further call, only the target’s p at every guess asked.",
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
