"""What a kind of decision is: the words and sentences for one way of deciding. Its defaults are true of any rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from ersd.trace.step import Step, Try, Visit

from ...message_types import kinds as types
from ...message_types.step import Mark
from .neutral import any_decided, any_leaf, any_rejected

Sentence = Callable[[Step, Visit], str]

STORY: types.KindStory = {
    "guess": "The draft guesses the next tokens.",
    "scored": "The target’s probabilities p have arrived: now the target can choose.",
    "deciding": "The rule looks at the drafted children: is one of them the next token?",
    "at_leaf": "Nothing was drafted here: the target chooses alone, from the same call.",
}
"""Captions of the phases, true of any rule."""
FATES: types.Fates = {"accepted": "accepted", "rejected": "rejected"}


@dataclass(frozen=True)
class Kind:
    """The texts and options of decisions of one kind."""

    exact_because: str = ""
    """why the output is exact, beside the badge that says so; empty: not known"""
    name: str = "Choice"
    """a decision in a word: in its title, before its number, and where the numbered buttons over the tree are named"""
    is_numbered: bool = True
    """decisions are made from the root to a leaf, so that a title can count them"""
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
    fates: types.Fates = field(default_factory=lambda: FATES)
    """names of accepted and rejected tokens, in the legend of the tree"""
    opens_with: int = 0
    """guesses drawn in the decision shown first, at least: the last one on the path with so many; 0: the one at which the step ended"""
    twice: str = "×n: drawn n times"
    """what the number after a token says in the tree"""
    picture: types.Picture = "probabilities"
    """how the decision is drawn"""
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
    outcome: Callable[[Try], str] = lambda one: "kept" if one.accepted else "not kept"
    """one try in a few words, where they are listed"""
    say: Callable[[Step, Visit, Try], str] = lambda step, visit, one: "Accepted." if one.accepted else "Rejected."
    """the same as a sentence"""
    guessed: str = "the draft guessed "
    """before the accepted guesses in the headline of a step"""
    none_right: str = "no guess was right"
    """the headline where none was accepted"""
    are_certain: bool = False
    """all children but the first try were certain to be drafted"""
    list: Literal["tries", "sequence", ""] = ""
    """what is listed under the picture: the `tries` of the node with their coins, the whole `sequence`, or nothing"""
    single: Callable[[Step, Visit], bool] | None = None
    """whether the first child would be accepted if it were the only token drafted; None: not known"""
    untried: str = "Not tried: “{name}” was accepted."
    """sentence of a child that was not tried"""
    margin: Callable[[Step, Visit], float | None] = lambda step, visit: None
    """how close the decision at a node was to going another way: the smaller, the closer; None if not recorded"""
    nearness: str = ""
    """what the margin measures"""
    story: types.KindStory = field(default_factory=lambda: STORY)
    """captions of the phases"""

    @property
    def sends(self) -> frozenset[Column]:
        """The columns that its picture needs beside q and p."""
        return _SENT[self.picture]

    def to_browser(self) -> types.Kind:
        """The kind as the browser knows it."""
        return {
            "exact_because": self.exact_because,
            "picture": self.picture,
            "bars": _BARS[self.picture],
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
            "decisions": {"one": self.name, "many": f"{self.name}s", "follow": self.follow},
            "fates": self.fates,
            "twice": self.twice,
            "list": self.list,
            "untried": self.untried,
            "nearness": self.nearness,
            "story": self.story,
        }


Column = Literal["clock", "laps", "scale"]
"""A column of a decision that not all pictures have: clocks, all laps of the draft, the largest probability of a linear axis."""

_SENT: dict[types.Picture, frozenset[Column]] = {
    "race": frozenset({"clock"}),
    "half_race": frozenset({"clock", "scale"}),
    "laps": frozenset({"clock", "laps"}),
    "probabilities": frozenset({"scale"}),
}
_BARS: dict[types.Picture, types.BarWords] = {
    "race": {
        "axis": "arrival time, log: shorter = earlier = wins",
        "short_axis": "log time: shorter wins",
        "draft": {"title": "Draft’s race", "note": "clock ÷ probability q", "short_note": "clock ÷ q"},
        "centre": {"title": "shared clock", "short_title": "clock", "left": "token", "right": "clock E", "short_right": "E"},
        "target": {"title": "Target’s race", "note": "clock ÷ probability p", "short_note": "clock ÷ p"},
    },
    "half_race": {
        "axis": "left: probability; right: arrival time, log: shorter = earlier = wins",
        "short_axis": "log time: shorter wins",
        "draft": {"title": "Draft’s order", "note": "likeliest first, by q", "short_note": "q"},
        "centre": {"title": "target’s clock", "short_title": "clock", "left": "token", "right": "clock E", "short_right": "E"},
        "target": {"title": "Target’s race", "note": "clock ÷ probability p", "short_note": "clock ÷ p"},
    },
    "laps": {
        "axis": "arrival time, linear: shorter = earlier = wins",
        "short_axis": "linear time",
        "draft": {"title": "Draft’s laps", "note": "each: a clock ÷ q", "short_note": "clock ÷ q"},
        "centre": {"title": "clock of lap 1", "short_title": "clock", "left": "token", "right": "clock E", "short_right": "E"},
        "target": {"title": "Target’s race", "note": "one lap: clock ÷ p", "short_note": "clock ÷ p"},
    },
    "probabilities": {
        "axis": "probability: longer = likelier",
        "short_axis": "longer = likelier",
        "draft": {"title": "Draft", "note": "probability q", "short_note": "q"},
        "centre": {"title": "token", "short_title": "token", "left": "×n: drafted", "right": "", "short_right": ""},
        "target": {"title": "Target", "note": "p", "short_note": "p"},
        "remaining": "remaining of p",
    },
}
"""Words around the bars, by picture; the `short_` ones where the picture is narrow."""
