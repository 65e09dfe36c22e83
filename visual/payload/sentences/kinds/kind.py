"""What a kind of decision is: the words and sentences for one way of deciding. Its defaults are true of any rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from ersd.trace.step import Step, Try, Visit

from ...message_types import kit as kit_types
from ...message_types.step import Mark
from .neutral import any_decided, any_leaf, any_rejected

Sentence = Callable[[Step, Visit], str]


@dataclass(frozen=True)
class StateLabels:
    """Names of the states of drafted tokens in the legend of the tree."""

    accepted: str = "accepted"
    rejected: str = "rejected"


@dataclass(frozen=True)
class Kind:
    """The texts and options of decisions of one kind."""

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
