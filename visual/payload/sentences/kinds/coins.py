"""Rejection rules: what the coin of each try was compared with, and the outcome."""

from __future__ import annotations

from ersd.trace.step import Step, Try, Visit

from ..formatting import plural
from ..nodes import chosen, chosen_row, drafted_token
from ..numbers import DIGITS, apart, digits_apart, digits_of, equal, number, quotient
from .kind import Kind
from .neutral import any_leaf, before_leaf

APART = "The models share no randomness, so even a good guess can be lost."
REDRAWN = "kept and redrawn tokens together follow p"
"""Why the output of coins is exact."""

EQUAL_WITHIN = 1e-6
"""Largest difference of two probabilities that count as equal; of quotients above 1, relative."""


def failed_before(visit: Visit) -> str:
    """How many tries failed before the accepted one, as a sentence with a space before it; empty where none did."""
    failed = len(visit.tries) - 1
    return f" {plural(failed, 'try', 'tries')} before it failed." if failed else ""


def coins_decided(step: Step, visit: Visit) -> str:
    """What the coins decided at a node."""
    if visit.accepted:
        accepted = next(one for one in visit.tries if one.accepted)
        return f"{chosen(visit)} is accepted{_why(accepted, visit)}.{failed_before(visit)}{_price(visit)}"
    drawn = f"{chosen(visit)} is drawn from the remaining target probability{_drawn_with(visit)}."
    if len(visit.tries) == 1:
        one = visit.tries[0]
        return f"{drafted_token(step, one.vertex)} is rejected{_why(one, visit)}. So {drawn}{_price(visit)}"
    favourite = drafted_token(step, visit.tries[0].vertex)
    tries = "Both coins" if len(visit.tries) == 2 else f"All {len(visit.tries)} coins"
    return f"{tries} failed: the draft’s {favourite} is rejected, and {drawn}{_common_limit(visit)}{_price(visit)}"


def _common_limit(visit: Visit) -> str:
    """What K-SEQ compares the coin of every try with; empty for rules where the limit changes from try to try."""
    first = visit.tries[0]
    if visit.rho is None or first.ratio is None:
        return ""
    return f" Each had to be below {_against(first, first.ratio, visit, DIGITS)}."


def coins_leaf(step: Step, visit: Visit) -> str:
    """The token drawn where nothing was drafted, and the choice before it."""
    return f"{any_leaf(step, visit)}{before_leaf(step, visit, 'Choice', coins_decided)}"


def _drawn_with(visit: Visit) -> str:
    """` (rescaled to sum to 1, its own is 0.90)`: the probability with which the target's own token was drawn, if it is known."""
    row = chosen_row(visit)
    return f" (rescaled to sum to 1, its own is {number(row.left[-1])})" if row and row.left else ""


def coin_outcome(one: Try) -> str:
    """A try in a few words: `0.92, not below 0.80`, `0.68: nothing remains`."""
    if one.ratio is None or one.coin is None:
        return "kept" if one.accepted else "not kept"
    if one.ratio <= 0:
        return f"{number(one.coin)}: nothing remains"
    coin, ratio = apart(one.coin, min(1.0, one.ratio))
    if ratio.startswith("<"):
        return f"{coin}, limit {ratio}" if one.accepted else f"{coin}, not below {ratio.removeprefix('< ')}"
    return f"{coin}, {'' if one.accepted else 'not '}below {ratio}"


def coins_single(step: Step, visit: Visit) -> bool:
    """Whether the same coin would accept the first child if it were the only one. K-SEQ's scale ρ* is 1 then."""
    first = visit.tries[0]
    return first.accepted if visit.rho is None or first.coin is None else first.coin * first.q < first.p


def coins_margin(step: Step, visit: Visit) -> float | None:
    """Distance of the closest coin from the quotient it was compared with."""
    return min((abs(one.coin - one.ratio) for one in visit.tries if one.coin is not None and one.ratio is not None), default=None)


def coin_sentence(one: Try, visit: Visit) -> str:
    """One try: `Rejected: coin 0.83 is not below p ÷ q = 0.41 / 0.66 = 0.62.`"""
    return f"{'Accepted' if one.accepted else 'Rejected'}{_why(one, visit)}."


def _why(one: Try, visit: Visit) -> str:
    """`: coin 0.83 is not below p ÷ q = 0.41 / 0.66 = 0.62`; empty without a coin."""
    if one.ratio is None or one.coin is None:
        return ""
    digits = digits_apart(one.coin, one.ratio)
    return f": coin {number(one.coin, digits)} is {'' if one.accepted else 'not '}below {_against(one, one.ratio, visit, digits)}"


def _against(one: Try, ratio: float, visit: Visit, digits: int) -> str:
    """The quotient and how it is made, with at least the digits that tell it from the coin."""
    if not one.q:
        return f"{number(ratio, digits)}, where {equal('p', one.p)} and q = 0"
    exact = one.p / one.q
    if visit.rho is not None and _same(exact / visit.rho, ratio):
        return f"p ÷ ρq{quotient(one.p, (visit.rho, one.q), digits)}"
    if visit.bias is not None and not _same(min(1.0, exact), ratio):
        return f"{number(ratio, digits)}, lenient: exact is p ÷ q{quotient(one.p, (one.q,))}"
    if _same(exact, ratio) or visit.bias is not None:
        return f"p ÷ q{quotient(one.p, (one.q,), digits)}"
    if one.left is None or one.drawn is None:
        return f"{number(ratio, digits)}, where {equal('p', one.p)} and {equal('q', one.q)}"
    return _residual(one, one.left, one.drawn, digits)


def _residual(one: Try, left: float, drawn: float, digits: int) -> str:
    """The quotient of a later try: earlier tries changed P, or the distribution the child was drawn from, or both."""
    p = equal("p", one.p)
    if not left:
        return f"0: earlier rejections left nothing of {p}"
    written = quotient(left, (drawn,), digits)
    became = "left of" if left <= one.p else "made of"
    sentence = f"{str(written).removeprefix(' = ').strip()}, where {written.over} is what earlier rejections {became} {p}"
    if _same(drawn, one.q):
        return sentence
    own = quotient(one.q, (one.q / drawn,), digits_of(written.under[0], drawn))
    return f"{sentence} and{str(own).removeprefix(' =')} is q over what earlier children left of Q"


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= EQUAL_WITHIN * max(1.0, abs(one), abs(other))


def _price(visit: Visit) -> str:
    """The cost of leniency, for the rule that has it."""
    return f" Biased on purpose: TV {number(visit.bias)} paid here." if visit.bias else ""


COINS = Kind(
    exact_because=REDRAWN,
    decided=coins_decided,
    at_leaf=coins_leaf,
    rejected=lambda step, visit: {},
    idea=f"A fresh coin decides each guess: kept with probability min(1, p ÷ q), from the second try what remains of p, ÷ q. {APART}",
    idea_scaled=f"A fresh coin decides each guess: kept with probability min(1, p ÷ ρq), the same at every try. {APART}",
    idea_lenient="A fresh coin decides each guess: kept with p ÷ q raised by the leniency, so more is accepted than is exact.",
    idea_single=f"A fresh coin decides the guess: kept with probability min(1, p ÷ q). {APART}",
    idea_at_leaf=f"The target’s token is drawn from p. {APART}",
    legend=("outline: p", "filled: what remains of it", "diamond: the coin, on its keep probability"),
    legend_at_leaf=(),
    tried="rejected",
    list="tries",
    outcome=coin_outcome,
    say=lambda step, visit, one: coin_sentence(one, visit),
    none_right="no guess survived its coin",
    single=coins_single,
    untried="Not tried: “{name}” was accepted before it.",
    margin=coins_margin,
    nearness="the distance of a coin from its quotient",
    story={
        "guess": "The draft draws its guesses from its own probabilities q.",
        "scored": "The target’s probabilities p have arrived: now coins can decide about the guesses.",
        "deciding": "A coin for each drafted child, one after the other: is it accepted?",
        "at_leaf": "Nothing was drafted here: the target’s token is drawn from p, from the same call.",
    },
)
