"""The table of rule kinds: headings, legends and sentences for each way of deciding. No picture and no script knows a kind by name.

A rule names its kind (`ersd.rules.registry.Traits.kind`) and every visit carries it. A kind that is not listed here gets `NEUTRAL`, whose
texts are true of any rule that chooses a token and accepts it if it was drafted. A new kind is one more entry of `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from ersd.trace.model import Step, Visit

from .block import block_decided, block_ended, block_margin, block_rejected, block_single
from .choice import (
    any_decided,
    any_ended,
    any_leaf,
    any_rejected,
    choice_margin,
    choice_single,
    likelihood_decided,
    likelihood_rejected,
    race_decided,
    race_leaf,
    race_rejected,
)
from .coins import coins_decided, coins_ended, coins_margin, coins_single

Sentence = Callable[[Step, Visit], str]
Legend = tuple[tuple[str, str], ...]
"""Colour and text of every entry."""


@dataclass(frozen=True)
class Headings:
    """Headings of the two sides of the butterfly."""

    draft: str = "draft  q"
    target: str = "target  p"
    removed: str = "q, earlier out"
    """the draft's side where earlier children were removed from Q"""
    scaled: str = "draft  ρ · q"
    left: str = "remaining  p"
    """the target's side after a rejection that took from P"""


_OWN: Legend = (("target", "★ the target’s own token"),)


@dataclass(frozen=True)
class StateLabels:
    """Names of the states of drafted tokens in the legend of the tree."""

    accepted: str = "accepted"
    rejected: str = "rejected"


@dataclass(frozen=True)
class Kind:
    """The texts and options of decisions of one kind. The defaults are true of any rule."""

    title: str = "Decision"
    """first word of a decision's title"""
    many: str = "Choices"
    """what the numbered buttons over the tree open"""
    follow: str = "following the accepted guesses"
    """what the walk does, beside the tree's title"""
    decided: Sentence = any_decided
    """the decision at a node with children, in a sentence or two"""
    at_leaf: Sentence = any_leaf
    """the decision at a node without children"""
    rejected: Callable[[Step, Visit], dict[int, str]] = any_rejected
    """by node: why a child was not accepted; empty for tries with a sentence of their own (`list` is "tries")"""
    symbols: str = "q: the draft's probability, p: the target's."
    """one line on the symbols over the two sides, and on what wins"""
    symbols_scaled: str = ""
    """the same where P is scaled by ρ"""
    symbols_lenient: str = ""
    """the same where more is accepted than is exact"""
    symbols_at_leaf: str = "p: the target's probability."
    """the same where nothing was drafted, so that nothing is compared"""
    states: StateLabels = field(default_factory=StateLabels)
    axis: str = "probability"
    """what bars show: `time`, arrivals E/q and E/p on a logarithmic scale, or `probability`, q and p"""
    headings: Headings = field(default_factory=Headings)
    legend: Legend = (("drafted", "drafted"), ("accepted", "✓ accepted"), ("target", "★ the target’s own token"))
    leaf_legend: Legend = _OWN
    tried: str = "drafted"
    """mark of a row that was tried in vain: `rejected` if its own try failed, `drafted` if another token was chosen"""
    has_leader: bool = False
    """the first row, the draft's first, is marked"""
    has_match: bool = False
    """the probability that draft and target have the same first arrival is shown"""
    list: str = ""
    """what is listed under the butterfly: the `tries` of the node with their coins, the whole `sequence`, or nothing"""
    run: str = "run this"
    """name of the button that animates the decision"""
    drawn: str = ""
    """last entry of the list of tries if all were rejected"""
    own: str = "chosen by the rule"
    """how the target's own token was chosen where drafted ones were tried in vain"""
    own_at_leaf: str = "its own choice"
    """the same where nothing was drafted"""
    ended: Sentence = any_ended
    """why the walk went no further, at a node with children"""
    single: Callable[[Step, Visit], bool] | None = None
    """whether the first child would be accepted if it were the only token drafted; None: not known"""
    untried: str = "Not tried: “{name}” was accepted."
    """sentence of a child that was not tried"""
    margin: Callable[[Step, Visit], float | None] = lambda step, visit: None
    """how close the decision at a node was to going another way: the smaller, the closer; None if not recorded"""
    margin_label: str = ""
    """what the margin measures"""
    drafting: str = "The draft model guesses: its tokens become the children, call by call."
    """caption while the tree is drafted"""
    deciding: str = "The rule looks at the drafted children: is one of them the next token?"
    """caption before a decision is shown"""
    no_children: str = "Nothing was drafted here: the target chooses alone, from the same call."
    """caption before the decision at a node without children"""

    def to_browser(self) -> dict[str, Any]:
        """The kind as the browser knows it (`Kind` in kit_types.js)."""
        return {
            "axis": self.axis,
            "bars": _BARS[self.axis],
            "symbols": {
                "usual": self.symbols,
                "scaled": self.symbols_scaled,
                "lenient": self.symbols_lenient,
                "at_leaf": self.symbols_at_leaf,
            },
            "decisions": {"one": self.many.removesuffix("s"), "many": self.many, "follow": self.follow},
            "fates": asdict(self.states),
            "headings": asdict(self.headings),
            "legend": _keys(self.legend),
            "leaf_legend": _keys(self.leaf_legend),
            "list": self.list,
            "run": self.run,
            "drawn": self.drawn,
            "untried": self.untried,
            "nearness": self.margin_label,
            "story": {"guess": self.drafting, "deciding": self.deciding, "at_leaf": self.no_children},
        }


def _keys(legend: Legend) -> list[dict[str, str]]:
    return [{"colour": colour, "words": words} for colour, words in legend]


_BARS = {
    "time": {"name": "arrival time, log scale", "good": "shorter = earlier = wins", "left": "← later", "right": "later →"},
    "probability": {"name": "probability", "good": "longer = likelier", "left": "← likelier", "right": "likelier →"},
}
"""By axis: what a bar shows, and which direction is good."""

NEUTRAL = "neutral"
"""Key of the kind for rules that have no kind of their own."""

_RACE_LEGEND: Legend = (
    ("drafted", "drafted"),
    ("bar", "not drafted"),
    ("leader", "◆ draft’s first"),
    ("target", "★ target’s first, its own"),
    ("accepted", "✓ target’s first, accepted"),
)

_CHOICE_MARGIN = "how far two of the target’s logits would have to move for another token to win: its lead over the runner-up"

KINDS: dict[str, Kind] = {
    NEUTRAL: Kind(),
    "race": Kind(
        title="Race",
        many="Races",
        follow="following the target’s winners",
        decided=race_decided,
        at_leaf=race_leaf,
        rejected=race_rejected,
        axis="time",
        symbols="E: a token's random clock, the same in both races.",
        symbols_at_leaf="E: a token's random clock.",
        headings=Headings(draft="draft's race  E / Q", target="target's race  E / P"),
        legend=_RACE_LEGEND,
        leaf_legend=_RACE_LEGEND,
        has_leader=True,
        has_match=True,
        run="run this race",
        own="the winner of its race",
        own_at_leaf="the winner of its race",
        single=choice_single,
        margin=choice_margin,
        margin_label=_CHOICE_MARGIN,
        drafting="The draft model guesses: the first arrivals of its race become the children, call by call.",
        deciding="The target runs the same race, by the same clocks: which token arrives first?",
        no_children="Nothing was drafted here: the target's race is run alone, from the same call.",
    ),
    "coins": Kind(
        decided=coins_decided,
        rejected=lambda step, visit: {},
        symbols="Accepted if a coin, 0 to 1, is below p/q; later, (remaining p) / q.",
        symbols_scaled="Accepted if a coin, 0 to 1, is below p/(ρ·q); ρ is the same at every try.",
        symbols_lenient="Accepted if a coin, 0 to 1, is below p/q raised by the leniency: biased.",
        symbols_at_leaf="No coin here: the token is drawn from P.",
        legend=(
            ("rejected", "✕ tried, rejected"),
            ("accepted", "✓ accepted"),
            ("target", "★ from the remaining p"),
            ("bar", "not tried"),
        ),
        tried="rejected",
        list="tries",
        run="run these tries",
        drawn="drawn from the remaining target probability",
        own="drawn from the remaining target probability",
        own_at_leaf="drawn from P",
        ended=coins_ended,
        single=coins_single,
        untried="Not tried: “{name}” was accepted before it.",
        margin=coins_margin,
        margin_label="the distance of a coin from its quotient",
        drafting="The draft model guesses: the children are drawn from its own Q, call by call; RSD draws none twice.",
        deciding="A coin for each drafted child, one after the other: is it accepted?",
        no_children="Nothing was drafted here: the target's token is drawn from P, from the same call.",
    ),
    "block": Kind(
        decided=block_decided,
        rejected=block_rejected,
        symbols="Kept up to the last token whose coin, 0 to 1, is below its keep.",
        symbols_at_leaf="No coin here: the token is drawn from P.",
        states=StateLabels(accepted="kept", rejected="cut"),
        legend=(("rejected", "✕ cut"), ("accepted", "✓ kept"), ("target", "★ from the remaining p"), ("bar", "not drafted")),
        tried="rejected",
        list="sequence",
        run="run these coins",
        own="drawn from the remaining target probability",
        own_at_leaf="drawn from P",
        ended=block_ended,
        single=block_single,
        margin=block_margin,
        margin_label="the distance of a coin from its keep probability",
        drafting="The draft model guesses: a sequence is drawn from its own probabilities Q, call by call.",
        deciding="The coins of the whole sequence say how much of it stays: does it go on here?",
        no_children="Nothing was drafted here: the target's token is drawn from P, from the same call.",
    ),
    "likelihood": Kind(
        follow="following the target’s likeliest tokens",
        decided=likelihood_decided,
        rejected=likelihood_rejected,
        symbols="q: the draft's probability, p: the target's. The largest p wins.",
        symbols_at_leaf="p: the target's probability. The largest p wins.",
        legend=(
            ("drafted", "drafted"),
            ("leader", "◆ draft’s likeliest"),
            ("target", "★ target’s likeliest, its own"),
            ("accepted", "✓ target’s likeliest, accepted"),
        ),
        has_leader=True,
        own="its likeliest",
        own_at_leaf="its likeliest",
        single=choice_single,
        margin=choice_margin,
        margin_label=_CHOICE_MARGIN,
        drafting="The draft model guesses: its likeliest tokens become the children, call by call.",
        deciding="Which token does the target find likeliest: was it drafted?",
    ),
}
"""name -> kind"""


def key_of(kind: str) -> str:
    """The key of KINDS for the kind a rule names."""
    return kind if kind in KINDS else NEUTRAL


def kind_of(visit: Visit) -> Kind:
    """How the decision at a visited node was made."""
    return KINDS[key_of(visit.kind)]
