"""The message of the lab: counts, theory and one trial of the probabilities that a reader set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ersd.rules.registry import TRAITS
from ersd.trace.step import Step

from ..decision import block_columns, decision
from ..message_types.lab import Charts, LabAnswer
from ..message_types.step import Decision
from ..sentences.formatting import ordinal
from ..sentences.names import algorithm_name
from ..sentences.numbers import brief
from ..tree.step_tree import data
from .words import CLEARLY_OFF, caption, headline, leanings, sentence

if TYPE_CHECKING:
    from ersd.lab.results import Experiment, Share


@dataclass(frozen=True)
class Subject:
    """What a reader chose."""

    algorithm: str
    bug: str
    """what the bug is called; empty for the rule as it should be"""
    says: str
    """what the bug does"""
    why: str
    """why its output is wrong, or right all the same"""
    hint: str
    """what makes it show; empty for what usually does"""
    is_exact: bool
    """the bug, if any, leaves the output right"""
    names: Sequence[str]
    p: Sequence[float]
    q: Sequence[float]
    k: int


def message(subject: Subject, found: Experiment, step: Step, clocks: Sequence[float] | None) -> LabAnswer:
    """Everything that the lab draws.

    Args:
        subject: what was asked for.
        found: what the trials gave.
        step: the trial in view, as `ersd.lab.record` gives it.
        clocks: of all tokens at that trial; None for rules without.
    """
    shown, counts = step.walk[-1], found.counts
    sent: LabAnswer = {
        "decision": _in_token_order(decision(step, shown, ""), [row.token for row in shown.rows], subject, clocks),
        "tree": data(step, ""),
        "counts": {
            "trials": counts.trials,
            "ranks": counts.ranks,
            "kept": counts.kept,
            "own": counts.own,
            "tv": brief(counts.tv),
            "chance": _range(counts.chance),
            "is_off": counts.is_off,
            "signs": [(off > CLEARLY_OFF) - (off < -CLEARLY_OFF) for off in counts.off],
            "accepted": brief(counts.accepted),
            "error": brief(counts.error),
        },
        "charts": charts(subject, found),
        "words": {
            "rule": subject.says,
            "headline": headline(subject, counts),
            "sentence": sentence(subject, found),
            "leanings": leanings(subject),
            "output": caption(subject, counts),
        },
    }
    if step.block:
        sent["block"] = block_columns(step)
    return sent


def charts(subject: Subject, found: Experiment) -> Charts:
    """The two charts: acceptance against the number of guesses, and which guess it was."""
    traits = TRAITS[subject.algorithm]

    def label(share: Share) -> str:
        if traits.joint:
            return str(share.number)
        return ordinal(share.number) if share.number else "none"

    bound = "exact" if traits.joint else "independent" if traits.with_replacement else "distinct"
    return {
        "theory": brief(found.theory),
        "chance": _range(found.chance) if found.chance else None,
        "deviates": found.deviates,
        "limit": brief(found.limit),
        "too_good": found.is_too_good,
        "curves": [
            {
                "name": curve.name,
                "label": f"limit if {bound}" if curve.name == "limit" else algorithm_name(curve.name),
                "values": [brief(value) for value in curve.values],
            }
            for curve in found.curves
        ],
        "shares": [
            {
                "label": label(share),
                "measured": brief(share.measured),
                "theory": brief(share.theory),
                "chance": _range(share.chance) if share.chance else None,
                "accepted": share.is_accepted,
            }
            for share in found.shares
        ],
    }


def _range(chance: tuple[float, float]) -> tuple[float, float]:
    low, high = chance
    return brief(low), brief(high)


def _in_token_order(sent: Decision, tokens: list[int], subject: Subject, clocks: Sequence[float] | None) -> Decision:
    """A decision with a row for every token, in the order of the tokens; `ranks` keeps the draft's order."""
    row_of = {token: row for row, token in enumerate(tokens)}
    every = range(len(subject.names))
    order = [row_of.get(token) for token in every]

    def column(values: Sequence[Any], otherwise: Sequence[Any]) -> list[Any]:
        return [otherwise[token] if row is None else values[row] for token, row in zip(every, order, strict=True)]

    zeros = [0.0] * len(order)
    changed: Decision = {
        **sent,
        "names": list(subject.names),
        "marks": column(sent["marks"], [""] * len(order)),
        "p": column(sent["p"], zeros),
        "q": column(sent["q"], zeros) if sent["q"] else None,
        "chosen": tokens[sent["chosen"]] if sent["chosen"] >= 0 else -1,
        "row_of": {node: tokens[row] for node, row in sent["row_of"].items()},
        "ranks": [None if row is None else row + 1 for row in order],
    }
    if "clock" in sent and clocks is not None:
        changed["clock"] = [brief(clock) for clock in clocks]
    if "chances" in sent:
        changed["chances"] = column(sent["chances"], [None] * len(order))
    if "left" in sent:
        changed["left"] = [{**one, "p": one["p"] and column(one["p"], zeros)} for one in sent["left"]]
    return changed
