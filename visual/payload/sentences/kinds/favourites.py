"""SpecHub: whether the accepted guess was the wild card or a favourite, and what each coin was compared with."""

from __future__ import annotations

from dataclasses import replace

from ersd.trace.step import Step, Try, Visit

from ..formatting import plural
from ..nodes import children_of, chosen, chosen_row, drafted_token
from ..numbers import digits_apart, equal, number, quotient
from .coins import COINS, EQUAL_WITHIN, coin_sentence, coins_decided
from .neutral import any_leaf, before_leaf


def favourites_decided(step: Step, visit: Visit) -> str:
    """Which child was accepted, the wild card or a favourite, or that none was."""
    if len(children_of(step, visit.vertex)) == 1:
        return f"{coins_decided(step, visit)} It was the only guess here: a wild card from all of q, without a favourite."
    wild = None if is_favourite(visit.tries[0]) else drafted_token(step, visit.tries[0].vertex)
    if visit.accepted:
        one = visit.tries[-1]
        if not is_favourite(one):
            return f"{chosen(visit)}, the wild card, is accepted{_why(one)}."
        before = len(visit.tries) - (2 if wild else 1)
        failed = [*([f"The wild card {wild}"] if wild else []), *([plural(before, "favourite")] if before else [])]
        after = f" {' and '.join(failed)} before it failed." if failed else ""
        return f"{chosen(visit)}, a favourite, is accepted{_why(one)}.{after}"
    others = plural(len(visit.tries) - (1 if wild else 0), "favourite")
    who = f"The wild card {wild} and {others} are rejected" if wild else f"All {others} are rejected"
    row = chosen_row(visit)
    its_own = f" (rescaled to sum to 1, its own is {number(row.left[-1])})" if row and row.left else ""
    return f"{who}, so {chosen(visit)} is drawn from the remaining target probability{its_own}."


def favourites_leaf(step: Step, visit: Visit) -> str:
    """The token drawn where nothing was drafted, and the last choice that had a favourite: one among a single guess has none."""
    choice = next((one for one in reversed(step.walk) if len(children_of(step, one.vertex)) > 1), None)
    if choice is None:
        return f"{any_leaf(step, visit)}{before_leaf(step, visit, 'Choice', favourites_decided)}"
    return f"{any_leaf(step, visit)} Choice {step.number_of(choice)}: {favourites_decided(step, choice)}"


def favourite_sentence(one: Try, visit: Visit) -> str:
    """One try: `The wild card, rejected: coin 0.83 is not below p ÷ its chance = 0.10 / 0.33 = 0.30.`"""
    if one.drawn is None or abs(one.drawn - one.q) <= EQUAL_WITHIN:
        return coin_sentence(one, visit)
    who = "A favourite" if is_favourite(one) else "The wild card"
    return f"{who}, {'accepted' if one.accepted else 'rejected'}{_why(one)}."


def is_favourite(one: Try) -> bool:
    """Whether the child was certain to be drafted."""
    return one.drawn is not None and one.drawn >= 1 - EQUAL_WITHIN


def _why(one: Try) -> str:
    """`: coin 0.30 is below p ÷ all that remains of p = 0.30 / 0.67 = 0.45`; empty without a coin."""
    if one.ratio is None or one.coin is None or one.left is None or not one.drawn:
        return ""
    digits = digits_apart(one.coin, one.ratio)
    if is_favourite(one):
        if abs(one.left - one.p) <= EQUAL_WITHIN:
            against = equal("p", one.p, digits)
        else:
            against = f"p ÷ all that remains of p{quotient(one.p, (one.p / one.left,), digits)}"
    else:
        against = f"p ÷ its chance to be drawn{quotient(one.left, (one.drawn,), digits)}"
    return f": coin {number(one.coin, digits)} is {'' if one.accepted else 'not '}below {against}"


FAVOURITES = replace(
    COINS,
    decided=favourites_decided,
    at_leaf=favourites_leaf,
    idea="Favourites, the draft’s likeliest tokens, are guessed for certain, and a wild card is drawn from the rest. Its coin comes "
    "first: p ÷ its chance to be drawn. Then each favourite is kept with its p ÷ all that remains of p. Use it where a node has several "
    "guesses: no rule accepts more of them. It costs no further call.",
    idea_scaled="",
    idea_single="With one guess there is no favourite, only a wild card from all of q: a fresh coin keeps it with probability "
    "min(1, p ÷ q), as in standard decoding.",
    idea_at_leaf="Favourites, the draft’s likeliest tokens, are guessed for certain, and one wild card is drawn from the rest. Here the "
    "tree ended: the target’s token is drawn from p.",
    idea_lenient="",
    legend=("outline left: chance to be guessed", "right: p", "filled: what remains of it", "diamond: the coin"),
    say=lambda step, visit, one: favourite_sentence(one, visit),
    are_certain=True,
    opens_with=2,
    single=None,
    story=COINS.story
    | {
        "guess": "The draft guesses its favourites for certain, and draws one wild card from the rest.",
        "deciding": "A coin for the wild card, then one for each favourite: is it accepted?",
    },
)
