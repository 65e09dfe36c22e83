"""How rules decide, by kind: the one table of words and figures for each. Neither the other pictures nor the browser know a kind by name.

A rule says its kind (`ersd.rules.registry.Traits.kind`), every visit carries it. A kind that is not listed here gets `NEUTRAL`, of which every
word is true of any rule that chooses a token and accepts it if it was drafted. A new kind is one more entry of `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from ersd.trace.model import Step, Visit

from .block import block_alone, block_decided, block_ended, block_lost
from .choice import (
    any_decided,
    any_ended,
    any_leaf,
    any_lost,
    first_chosen,
    likelihood_decided,
    likelihood_lost,
    race_decided,
    race_leaf,
    race_lost,
)
from .closeness import coin_gap, keep_gap, lead, not_known
from .coins import coin_alone, coins_decided, coins_ended


@dataclass(frozen=True)
class Headings:
    """What stands over the two sides of the butterfly."""

    draft: str = "draft  q"
    target: str = "target  p"
    removed: str = "q, earlier out"
    """the draft's side where earlier children were out of Q"""
    scaled: str = "draft  ρ · q"
    left: str = "left of  p"
    """the target's side after a rejection that took from P"""


Legend = tuple[tuple[str, str], ...]
"""Colour and words of every key."""

_OWN: Legend = (("target", "★ the target’s own token"),)


@dataclass(frozen=True)
class Fates:
    """What is said of the vertices of a tree, by their state."""

    accepted: str = "accepted"
    rejected: str = "rejected"


@dataclass(frozen=True)
class Kind:
    """What is said and shown of decisions of one kind. The defaults are true of any rule."""

    title: str = "Decision"
    """first word of the title of a decision"""
    decided: Callable[[Step, Visit], str] = any_decided
    """what was decided at a vertex with children, in a sentence or two"""
    at_leaf: Callable[[Step, Visit], str] = any_leaf
    """the same at a vertex without"""
    lost: Callable[[Step, Visit], dict[int, str]] = any_lost
    """by vertex: why a child was not accepted; not needed for tries with a sentence of their own (`list` is "tries")"""
    symbols: str = "q: the draft's probability, p: the target's."
    """what the letters over the sides mean and who wins, on the screen without asking: one line, and so are these two"""
    symbols_scaled: str = ""
    """the same where P is scaled by ρ"""
    symbols_lenient: str = ""
    """the same where more is accepted than is exact"""
    symbols_at_leaf: str = "p: the target's probability."
    """the same where nothing was drafted, so that nothing is compared"""
    fates: Fates = field(default_factory=Fates)
    """what became of drafted tokens, in the legend of the tree"""
    axis: str = "probability"
    """what bars are: `time`, arrivals E/q and E/p on a logarithmic scale, or `probability`, q and p"""
    headings: Headings = field(default_factory=Headings)
    legend: Legend = (("drafted", "drafted"), ("accepted", "✓ accepted"), ("target", "★ the target’s own token"))
    leaf_legend: Legend = _OWN
    tried: str = "drafted"
    """mark of a row whose token was tried in vain: `rejected` where its own try failed, `drafted` where another token was chosen"""
    leads: bool = False
    """the first row, the draft's first, is marked"""
    match: bool = False
    """the probability that draft and target have the same first arrival is a figure of this kind"""
    list: str = ""
    """what is listed under the butterfly: `tries` of the vertex with their coins, the whole `sequence`, or nothing"""
    run: str = "run this"
    """name of the button that shows the decision in motion"""
    drawn: str = ""
    """last entry of the list of tries where all were rejected"""
    own: str = "chosen by the rule"
    """how the target's own token came about where drafted ones were tried in vain"""
    own_at_leaf: str = "its own choice"
    """the same where nothing was drafted"""
    ended: Callable[[Step, Visit], str] = any_ended
    """why the walk went no further, at a vertex with children"""
    alone: Callable[[Step, Visit], bool] | None = None
    """would the first child have been accepted if it had been the only token drafted? None: that is not known"""
    untried: str = "Not tried: “{name}” was accepted."
    """sentence of a child that was not tried"""
    near: Callable[[Step, Visit], float | None] = not_known
    """how close the decision at a vertex was to being another one; the smaller, the closer"""
    nearness: str = ""
    """what that measures, in words"""
    guess: str = "The draft model guesses: its tokens become the children, call by call."
    """how drafting is told"""
    deciding: str = "The rule looks at the drafted children: is one of them the next token?"
    """how a decision is told as long as it has not fallen"""
    no_children: str = "Nothing was drafted here: the target chooses alone, from the same call."
    """the same at a vertex without children"""

    def to_browser(self) -> dict[str, Any]:
        """What the browser knows of the kind."""
        return {
            "axis": self.axis,
            "bars": _BARS[self.axis],
            "symbols": {
                "usual": self.symbols,
                "scaled": self.symbols_scaled,
                "lenient": self.symbols_lenient,
                "at_leaf": self.symbols_at_leaf,
            },
            "fates": asdict(self.fates),
            "headings": asdict(self.headings),
            "legend": _keys(self.legend),
            "leaf_legend": _keys(self.leaf_legend),
            "list": self.list,
            "run": self.run,
            "drawn": self.drawn,
            "untried": self.untried,
            "nearness": self.nearness,
            "story": {"guess": self.guess, "deciding": self.deciding, "at_leaf": self.no_children},
        }


def _keys(legend: Legend) -> list[dict[str, str]]:
    return [{"colour": colour, "words": words} for colour, words in legend]


_BARS = {
    "time": {"name": "arrival time, log scale", "good": "shorter = earlier = wins", "left": "← later", "right": "later →"},
    "probability": {"name": "probability", "good": "longer = likelier", "left": "← likelier", "right": "likelier →"},
}
"""By axis: what a bar is, and which direction is good."""

NEUTRAL = "neutral"
"""Key of what is true of any rule."""

_RACE_LEGEND: Legend = (
    ("drafted", "drafted"),
    ("bar", "not drafted"),
    ("leader", "◆ draft’s first"),
    ("target", "★ target’s first, its own"),
    ("accepted", "✓ target’s first, accepted"),
)

_LEAD = "how far two of the target’s logits would have to move for another token to win: its lead over the runner-up"

KINDS: dict[str, Kind] = {
    NEUTRAL: Kind(),
    "race": Kind(
        title="Race",
        decided=race_decided,
        at_leaf=race_leaf,
        lost=race_lost,
        axis="time",
        symbols="E: a token's random clock, the same in both races.",
        symbols_at_leaf="E: a token's random clock.",
        headings=Headings(draft="draft's race  E / Q", target="target's race  E / P"),
        legend=_RACE_LEGEND,
        leaf_legend=_RACE_LEGEND,
        leads=True,
        match=True,
        run="run this race",
        own="the winner of its race",
        own_at_leaf="the winner of its race",
        alone=first_chosen,
        near=lead,
        nearness=_LEAD,
        guess="The draft model guesses: the first arrivals of its race become the children, call by call.",
        deciding="The target runs the same race, by the same clocks: which token arrives first?",
        no_children="Nothing was drafted here: the target's race is run alone, from the same call.",
    ),
    "coins": Kind(
        decided=coins_decided,
        lost=lambda step, visit: {},
        symbols="Accepted if a coin, 0 to 1, is below p/q; later, (what is left of P) / q.",
        symbols_scaled="Accepted if a coin, 0 to 1, is below p/(ρ·q); ρ is the same at every try.",
        symbols_lenient="Accepted if a coin, 0 to 1, is below p/q raised by the leniency: biased.",
        symbols_at_leaf="No coin here: the token is drawn from P.",
        legend=(
            ("rejected", "✕ tried, rejected"),
            ("accepted", "✓ accepted"),
            ("target", "★ drawn from what is left"),
            ("bar", "not tried"),
        ),
        tried="rejected",
        list="tries",
        run="run these tries",
        drawn="drawn from what is left of P",
        own="drawn from what is left of P",
        own_at_leaf="drawn from P",
        ended=coins_ended,
        alone=coin_alone,
        untried="Not tried: “{name}” was accepted before it.",
        near=coin_gap,
        nearness="the distance of a coin from its quotient",
        guess="The draft model guesses: the children are drawn from its own Q, call by call; RSD draws none twice.",
        deciding="A coin for each drafted child, one after the other: is it accepted?",
        no_children="Nothing was drafted here: the target's token is drawn from P, from the same call.",
    ),
    "block": Kind(
        decided=block_decided,
        lost=block_lost,
        symbols="Kept up to the last token whose coin, 0 to 1, is below its keep.",
        symbols_at_leaf="No coin here: the token is drawn from P.",
        fates=Fates(accepted="kept", rejected="cut"),
        legend=(("rejected", "✕ cut"), ("accepted", "✓ kept"), ("target", "★ drawn from what is left"), ("bar", "not drafted")),
        tried="rejected",
        list="sequence",
        run="run these coins",
        own="drawn from what is left of P",
        own_at_leaf="drawn from P",
        ended=block_ended,
        alone=block_alone,
        near=keep_gap,
        nearness="the distance of a coin from its keep probability",
        guess="The draft model guesses: a sequence is drawn from its own probabilities Q, call by call.",
        deciding="The coins of the whole sequence say how much of it stays: does it go on here?",
        no_children="Nothing was drafted here: the target's token is drawn from P, from the same call.",
    ),
    "likelihood": Kind(
        decided=likelihood_decided,
        lost=likelihood_lost,
        symbols="q: the draft's probability, p: the target's. The largest p wins.",
        symbols_at_leaf="p: the target's probability. The largest p wins.",
        legend=(
            ("drafted", "drafted"),
            ("leader", "◆ draft’s likeliest"),
            ("target", "★ target’s likeliest, its own"),
            ("accepted", "✓ target’s likeliest, accepted"),
        ),
        leads=True,
        own="its likeliest",
        own_at_leaf="its likeliest",
        alone=first_chosen,
        near=lead,
        nearness=_LEAD,
        guess="The draft model guesses: its likeliest tokens become the children, call by call.",
        deciding="Which token does the target find likeliest: was it drafted?",
    ),
}
"""name -> kind"""


def key_of(kind: str) -> str:
    """The entry of KINDS for the kind a rule says it is."""
    return kind if kind in KINDS else NEUTRAL


def kind_of(visit: Visit) -> Kind:
    """How a visited vertex was decided."""
    return KINDS[key_of(visit.kind)]
