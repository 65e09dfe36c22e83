"""How a kind of decision is described to the browser, as types: words around its bars, ideas, captions, its picture."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class SideWords(TypedDict):
    """The words over the bars of one side; the `short_` one where the picture is narrow."""

    title: str
    note: str
    short_note: str


class CentreWords(TypedDict):
    """The words over the tokens between the bars."""

    title: str
    short_title: str
    left: str
    right: str
    short_right: str


class BarWords(TypedDict):
    """The words around the bars; the `short_` ones where the picture is narrow."""

    axis: str
    short_axis: str
    draft: SideWords
    centre: CentreWords
    target: SideWords
    remaining: NotRequired[str]
    """above what remains of p"""


class Ideas(TypedDict):
    """How decisions of a kind are made, above the picture. All but the usual one may be empty."""

    usual: str
    scaled: str
    """where there is `rho`"""
    lenient: str
    """where there is `bias`"""
    single: str
    """where one token was drafted"""
    certain: str
    """where the target can write one token only"""
    at_leaf: str
    """where none was drafted"""


class DecisionNames(TypedDict):
    """What a decision is called, and what the walk does."""

    one: str
    many: str
    follow: str


class Fates(TypedDict):
    """Names of accepted and rejected tokens, in the legend of the tree."""

    accepted: str
    rejected: str


class KindStory(TypedDict):
    """Captions of drafting, of the target's call, of a decision, and of a decision without drafted tokens."""

    guess: str
    scored: str
    deciding: str
    at_leaf: str


Picture = Literal["race", "half_race", "laps", "probabilities"]
"""How a decision is drawn: arrivals E / q and E / p on a logarithmic scale; q and the arrivals E / p; all laps E / q end to end and the
arrivals E / p, linear; q and p themselves."""


class Kind(TypedDict):
    """How all rules of one kind decide: all that the browser knows about kinds."""

    picture: Picture
    idea: Ideas
    decisions: DecisionNames
    fates: Fates
    twice: str
    """what ×n says in the tree"""
    bars: BarWords
    exact_because: str
    """why the output is exact, beside the badge; may be empty"""
    legend: list[str]
    """what in the picture needs a word"""
    legend_at_leaf: list[str]
    """the same where nothing was drafted"""
    untried: str
    """sentence of a child that was not tried because {name} was accepted"""
    nearness: str
    """what `Landmarks.gap` measures; empty where it is not recorded"""
    story: KindStory
    list: Literal["tries", "sequence", ""]
    """the list under the picture: the tries of the node, the whole sequence, nothing"""
