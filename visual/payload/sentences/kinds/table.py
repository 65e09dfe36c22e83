"""The table of rule kinds: the words and sentences for each way of deciding. No script knows a kind by name.

A rule names its kind (`ersd.rules.registry.Traits.kind`) and every visit carries it; where a race ran in laps, the visit's kind is `laps`.
A kind that is not listed here gets `NEUTRAL`, whose texts are true of any rule that chooses a token and accepts it if it was drafted. A new
kind is one more entry of `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from ersd.rules.registry import TRAITS
from ersd.settings import Settings
from ersd.trace.step import Step, Try, Visit

from ...message_types import kit as kit_types
from ...message_types.step import Mark
from .block import block_decided, block_ended, block_leaf, block_margin, block_rejected, block_single
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
from .coins import coin_outcome, coin_sentence, coins_decided, coins_ended, coins_leaf, coins_margin, coins_single
from .favourites import favourite_sentence, favourites_decided, favourites_leaf
from .leaves import leaves_decided, leaves_ended, leaves_leaf, leaves_outcome, leaves_reason
from .other_races import half_race_decided, half_race_leaf, laps_decided

Sentence = Callable[[Step, Visit], str]


@dataclass(frozen=True)
class StateLabels:
    """Names of the states of drafted tokens in the legend of the tree."""

    accepted: str = "accepted"
    rejected: str = "rejected"


@dataclass(frozen=True)
class Kind:
    """The texts and options of decisions of one kind. The defaults are true of any rule."""

    exact_because: str = ""
    """why the output is exact, beside the badge that says so; empty: not known"""
    title: str = "Choice"
    """first word of a decision's title, before its number; empty: no number"""
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
    idea: str = "The target chooses the next token; a guess is accepted if it is that token."
    """how such decisions are made, above the picture"""
    idea_scaled: str = ""
    """the same where P is scaled by ρ"""
    idea_lenient: str = ""
    """the same where more is accepted than is exact"""
    idea_single: str = ""
    """the same where a single token was drafted; empty: as usual"""
    idea_certain: str = ""
    """the same where all probability of the target is on one token; empty: no difference"""
    idea_at_leaf: str = "The target chooses alone here."
    """the same where nothing was drafted, so that nothing is compared"""
    states: StateLabels = field(default_factory=StateLabels)
    twice: str = "×n: drawn n times"
    """what the number after a token says in the tree"""
    axis: Literal["time", "half", "laps", "probability"] = "probability"
    """what bars show: `time`, arrivals E/q and E/p on a logarithmic scale; `half`, q and the arrivals E/p; `laps`, all laps
    E/q end to end and the arrivals E/p, linear; `probability`, q and p"""
    tried: Mark = "drafted"
    """mark of a row that was tried in vain: `rejected` if its own try failed, `drafted` if another token was chosen"""
    has_leader: bool = False
    """the first row, the draft's first, is marked"""
    has_match: bool = False
    """the probability that draft and target have the same first arrival is shown"""
    legend: tuple[str, ...] = ()
    """what in the picture needs a word"""
    legend_at_leaf: tuple[str, ...] | None = None
    """the same where nothing was drafted; None: no difference"""
    outcome: Callable[[Try], str] = coin_outcome
    """one try in a few words, where they are listed"""
    say: Callable[[Step, Visit, Try], str] = lambda step, visit, one: coin_sentence(one, visit)
    """the same as a sentence"""
    are_certain: bool = False
    """all children but the first try were certain to be drafted"""
    list: Literal["tries", "sequence", ""] = ""
    """what is listed under the picture: the `tries` of the node with their coins, the whole `sequence`, or nothing"""
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
    drafting: str = "The draft guesses the next tokens."
    """caption while the tree is drafted"""
    scored: str = "The target’s probabilities p have arrived: now the target can choose."
    """caption once the target's call has scored the node"""
    deciding: str = "The rule looks at the drafted children: is one of them the next token?"
    """caption before a decision is shown"""
    no_children: str = "Nothing was drafted here: the target chooses alone, from the same call."
    """caption before the decision at a node without children"""

    def to_browser(self) -> kit_types.Kind:
        """The kind as the browser knows it."""
        return {
            "exact_because": self.exact_because,
            "axis": self.axis,
            "bars": _BARS[self.axis],
            "idea": {
                "usual": self.idea,
                "scaled": self.idea_scaled,
                "lenient": self.idea_lenient,
                "single": self.idea_single,
                "certain": self.idea_certain,
                "at_leaf": self.idea_at_leaf,
            },
            "legend": list(self.legend),
            "legend_at_leaf": list(self.legend if self.legend_at_leaf is None else self.legend_at_leaf),
            "decisions": {"one": self.many.removesuffix("s"), "many": self.many, "follow": self.follow},
            "fates": {"accepted": self.states.accepted, "rejected": self.states.rejected},
            "twice": self.twice,
            "list": self.list,
            "untried": self.untried,
            "nearness": self.margin_label,
            "story": {"guess": self.drafting, "scored": self.scored, "deciding": self.deciding, "at_leaf": self.no_children},
        }


_BARS: dict[str, kit_types.BarWords] = {
    "time": {
        "axis": "arrival time, log: shorter = earlier = wins",
        "short_axis": "log time: shorter wins",
        "draft": {"title": "Draft’s race", "note": "clock ÷ probability q", "short_note": "clock ÷ q"},
        "lane": {"title": "shared clock", "short_title": "clock", "left": "token", "right": "clock E", "short_right": "E"},
        "target": {"title": "Target’s race", "note": "clock ÷ probability p", "short_note": "clock ÷ p"},
    },
    "half": {
        "axis": "left: probability; right: arrival time, log: shorter = earlier = wins",
        "short_axis": "log time: shorter wins",
        "draft": {"title": "Draft’s order", "note": "likeliest first, by q", "short_note": "q"},
        "lane": {"title": "target’s clock", "short_title": "clock", "left": "token", "right": "clock E", "short_right": "E"},
        "target": {"title": "Target’s race", "note": "clock ÷ probability p", "short_note": "clock ÷ p"},
    },
    "laps": {
        "axis": "arrival time, linear: shorter = earlier = wins",
        "short_axis": "linear time",
        "draft": {"title": "Draft’s laps", "note": "each: a clock ÷ q", "short_note": "clock ÷ q"},
        "lane": {"title": "clock of lap 1", "short_title": "clock", "left": "token", "right": "clock E", "short_right": "E"},
        "target": {"title": "Target’s race", "note": "one lap: clock ÷ p", "short_note": "clock ÷ p"},
    },
    "probability": {
        "axis": "probability: longer = likelier",
        "short_axis": "longer = likelier",
        "draft": {"title": "Draft", "note": "probability q", "short_note": "q"},
        "lane": {"title": "token", "short_title": "token", "left": "× times drafted", "right": "", "short_right": ""},
        "target": {"title": "Target", "note": "p", "short_note": "p"},
        "remaining": "remaining of p",
    },
}
"""Words around the bars, by axis; the `short_` ones where the picture is narrow."""

NEUTRAL = "neutral"
"""Key of the kind for rules that have no kind of their own."""

_APART = "The models share no randomness, so even a good guess can be lost."

_REDRAWN = "kept and redrawn tokens together follow p"

_CHOICE_MARGIN = "how far two of the target’s logits would have to move for another token to win: its lead over the runner-up"

KINDS: dict[str, Kind] = {
    NEUTRAL: Kind(),
    "race": Kind(
        title="Race",
        many="Races",
        follow="following the target’s winners",
        exact_because="the target’s own race decides",
        decided=race_decided,
        at_leaf=race_leaf,
        rejected=race_rejected,
        axis="time",
        idea="A small clock is luck. Both races use the same clocks, so a lucky token is early in both; only the probabilities differ.",
        idea_certain="The target has a single possible token here (p = 1), as at temperature 0: it wins whatever the clocks are.",
        idea_at_leaf="A small clock is luck. The draft would use the same clocks; here only the target’s race is run.",
        legend=("◆ draft’s first", "pale: not drafted", "slashes: later than 100", "dial: clock, full = unlucky"),
        legend_at_leaf=("slashes: later than 100", "dial: clock, full = unlucky"),
        has_leader=True,
        has_match=True,
        own="the winner of its race",
        own_at_leaf="the winner of its race",
        single=choice_single,
        margin=choice_margin,
        margin_label=_CHOICE_MARGIN,
        drafting="The draft runs its race: the first arrivals become its guesses.",
        scored="The target’s probabilities p have arrived. Each clock is now divided a second time, and the target’s race can start.",
        deciding="Now the target runs its race: the first arrival is the next token.",
        no_children="Nothing was drafted here: only the target’s race is run, from the same call.",
    ),
    "coins": Kind(
        exact_because=_REDRAWN,
        decided=coins_decided,
        at_leaf=coins_leaf,
        rejected=lambda step, visit: {},
        idea=f"A fresh coin decides each guess: kept with probability min(1, p ÷ q), from the second try what remains of p, ÷ q. {_APART}",
        idea_scaled=f"A fresh coin decides each guess: kept with probability min(1, p ÷ ρq), the same at every try. {_APART}",
        idea_lenient="A fresh coin decides each guess: kept with p ÷ q raised by the leniency, so more is accepted than is exact.",
        idea_single=f"A fresh coin decides the guess: kept with probability min(1, p ÷ q). {_APART}",
        idea_at_leaf=f"The target’s token is drawn from p. {_APART}",
        legend=("outline: p", "filled: what remains of it", "diamond: the coin, on its keep probability"),
        legend_at_leaf=(),
        tried="rejected",
        list="tries",
        own="drawn from the remaining target probability",
        own_at_leaf="drawn from p",
        ended=coins_ended,
        single=coins_single,
        untried="Not tried: “{name}” was accepted before it.",
        margin=coins_margin,
        margin_label="the distance of a coin from its quotient",
        drafting="The draft draws its guesses from its own probabilities q.",
        scored="The target’s probabilities p have arrived: now coins can decide about the guesses.",
        deciding="A coin for each drafted child, one after the other: is it accepted?",
        no_children="Nothing was drafted here: the target’s token is drawn from p, from the same call.",
    ),
    "block": Kind(
        exact_because=_REDRAWN,
        decided=block_decided,
        at_leaf=block_leaf,
        rejected=block_rejected,
        idea=f"Fresh coins decide how many guesses stay: kept up to the last coin below its keep probability. {_APART}",
        idea_at_leaf=f"The target’s token is drawn from p. {_APART}",
        states=StateLabels(accepted="kept", rejected="cut"),
        legend=("filled: keep probability", "diamond: the coin"),
        tried="rejected",
        list="sequence",
        own="drawn from the remaining target probability",
        own_at_leaf="drawn from p",
        ended=block_ended,
        single=block_single,
        margin=block_margin,
        margin_label="the distance of a coin from its keep probability",
        drafting="The draft draws a sequence of guesses from its own probabilities q.",
        scored="The target’s probabilities p have arrived: now coins can decide about the guesses.",
        deciding="The coins of the whole sequence say how much of it stays: does it go on here?",
        no_children="Nothing was drafted here: the target’s token is drawn from p, from the same call.",
    ),
    "leaves": Kind(
        title="",
        follow="asking from the leaves to the root",
        exact_because=_REDRAWN,
        decided=leaves_decided,
        at_leaf=leaves_leaf,
        rejected=lambda step, visit: {},
        idea="A guess is asked after all that was drafted after it. Its keep probability is that of the guess before it × p ÷ q; what "
        "fails after it lowers it. The first coin below its keep probability keeps its whole path.",
        idea_at_leaf="The target’s token is drawn from p.",
        legend=("outline: p", "filled: what remains of it", "diamond: the coin, on its keep probability"),
        legend_at_leaf=(),
        tried="rejected",
        list="tries",
        outcome=leaves_outcome,
        say=leaves_reason,
        own="drawn from the remaining target probability",
        own_at_leaf="drawn from p",
        ended=leaves_ended,
        untried="Not asked: “{name}” was kept before it.",
        margin=coins_margin,
        margin_label="the distance of a coin from its keep probability",
        drafting="The draft draws its guesses from its own probabilities q.",
        scored="The target’s probabilities p have arrived: now the guesses can be asked, the leaves first.",
        deciding="A coin for each guess, after the guesses that follow it: is its path kept?",
        no_children="Nothing was drafted here: the target’s token is drawn from p, from the same call.",
    ),
    "likelihood": Kind(
        follow="following the target’s likeliest tokens",
        exact_because="the target’s likeliest token is always taken",
        decided=likelihood_decided,
        rejected=likelihood_rejected,
        idea="No chance here: the target’s likeliest token is the next one, and a guess is accepted if it is that token.",
        idea_at_leaf="No chance here: the target’s likeliest token is the next one.",
        legend=("◆ draft’s likeliest", "the largest p wins"),
        legend_at_leaf=("the largest p wins",),
        has_leader=True,
        own="its likeliest",
        own_at_leaf="its likeliest",
        single=choice_single,
        margin=choice_margin,
        margin_label=_CHOICE_MARGIN,
        drafting="The draft guesses its likeliest tokens.",
        deciding="Which token does the target find likeliest: was it drafted?",
    ),
    "favourites": Kind(
        exact_because=_REDRAWN,
        decided=favourites_decided,
        at_leaf=favourites_leaf,
        rejected=lambda step, visit: {},
        idea="Favourites, the draft’s likeliest tokens, are guessed for certain, and a wild card is drawn from the rest. Its coin comes "
        "first: p ÷ its chance to be drawn. Then each favourite is kept with what remains of its p.",
        idea_single=f"A fresh coin decides the guess: kept with probability min(1, p ÷ q). {_APART}",
        idea_at_leaf=f"The target’s token is drawn from p. {_APART}",
        legend=("outline left: chance to be guessed", "right: p", "filled: what remains of it", "diamond: the coin"),
        legend_at_leaf=(),
        tried="rejected",
        say=lambda step, visit, one: favourite_sentence(one, visit),
        are_certain=True,
        list="tries",
        own="drawn from the remaining target probability",
        own_at_leaf="drawn from p",
        ended=coins_ended,
        untried="Not tried: “{name}” was accepted before it.",
        margin=coins_margin,
        margin_label="the distance of a coin from its quotient",
        drafting="The draft guesses its favourites for certain, and draws one wild card from the rest.",
        scored="The target’s probabilities p have arrived: now coins can decide about the guesses.",
        deciding="A coin for the wild card, then one for each favourite: is it accepted?",
        no_children="Nothing was drafted here: the target’s token is drawn from p, from the same call.",
    ),
    "half_race": Kind(
        title="Race",
        many="Races",
        follow="following the target’s winners",
        exact_because="the target’s own race decides",
        decided=half_race_decided,
        at_leaf=half_race_leaf,
        rejected=race_rejected,
        axis="half",
        idea="Only the target has clocks: its first arrival is the next token. The draft always guesses its likeliest tokens, so one "
        "that is merely lucky in the target’s race was not guessed.",
        idea_certain="The target has a single possible token here (p = 1), as at temperature 0: it wins whatever the clocks are.",
        idea_at_leaf="Only the target has clocks: its first arrival is the next token.",
        legend=("◆ draft’s likeliest", "pale: not drafted", "slashes: later than 100", "dial: clock, full = unlucky"),
        legend_at_leaf=("slashes: later than 100", "dial: clock, full = unlucky"),
        has_leader=True,
        own="the winner of its race",
        own_at_leaf="the winner of its race",
        single=choice_single,
        margin=choice_margin,
        margin_label=_CHOICE_MARGIN,
        drafting="The draft guesses its likeliest tokens. It has no clocks.",
        scored="The target’s probabilities p have arrived. Each clock is divided by them, and the target’s race can start.",
        deciding="Now the target runs its race: the first arrival is the next token.",
        no_children="Nothing was drafted here: only the target’s race is run, from the same call.",
    ),
}
KINDS["laps"] = replace(
    KINDS["race"],
    decided=laps_decided,
    axis="laps",
    twice="×n: arrived n times, so n places for what follows it",
    idea="A token that arrives in the draft’s race starts another lap, with a new clock. Equal arrivals are one guess: what arrives n "
    "times has n places on the next level. The target’s race has one lap, with the clocks of lap 1, as without a draft.",
    legend=("◆ draft’s first", "pole: an arrival", "×n: n arrivals, n places", "line: the last arrival that counts"),
    drafting="The draft runs its race in laps: its first arrivals become guesses, equal ones a single guess.",
)
"""name -> kind"""


def run_kind(settings: Settings) -> str:
    """The kind of a run's decisions where something was drafted."""
    traits = TRAITS[settings.algorithm]
    return "laps" if traits.drafts and settings.topology == "poisson" else traits.kind


def key_of(kind: str) -> str:
    """The key of KINDS for the kind a rule names."""
    return kind if kind in KINDS else NEUTRAL


def kind_of(visit: Visit) -> Kind:
    """How the decision at a visited node was made."""
    return KINDS[key_of(visit.kind)]
